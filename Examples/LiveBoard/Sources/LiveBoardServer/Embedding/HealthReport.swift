import CollectionPublishing

/// How a server is doing: what waits, what was not accepted, and who follows.
struct HealthReport: Encodable, Sendable {
    struct List: Encodable, Sendable {
        let name: String
        let phase: String
        /// How many change sets were accepted and not yet deployed, and how many there may be: at the limit, editors
        /// wait, which is back-pressure.
        let backlog: Int
        let backlogLimit: Int
        /// How many editors wait for room.
        let waiting: Int
        /// How the data source may differ from what was accepted; none where it does not.
        let diverged: String?
        let version: String
        let sections: Int
        let items: Int
        /// Readers of the hub: groups of connections, and those who have one of their own.
        let readers: Int
        let pausedReaders: Int
        let knownVersions: Int

        init(_ list: LiveList) async {
            let pipeline = await list.controller.report()
            let hub = await list.hub.report()
            let shape = list.hub.snapshot.state.shape
            name = list.name
            phase = pipeline.details?.phase.rawValue ?? "unknown"
            backlog = pipeline.details?.backlog ?? 0
            backlogLimit = pipeline.details?.backlogLimit ?? 0
            waiting = pipeline.details?.suspendedForRoom ?? 0
            diverged = pipeline.divergence?.description
            version = hub.version.description
            sections = shape.numberOfSections
            items = shape.itemCounts.reduce(0, +)
            readers = hub.readers
            pausedReaders = hub.readers - hub.listeningReaders
            knownVersions = hub.knownVersions
        }

        var isHealthy: Bool { phase == "open" && diverged == nil && backlog < backlogLimit }
    }

    /// `ok`, or `degraded` where a list diverged, is closing, or holds back its editors.
    let status: String
    let connections: Int
    let streams: Int
    let lists: [List]
    let searches: Int

    init(lists: [LiveList], searches: Int, connections: Int, streams: Int) async {
        var reports: [List] = []
        for list in lists { reports.append(await List(list)) }
        self.lists = reports
        self.connections = connections
        self.streams = streams
        self.searches = searches
        status = reports.allSatisfy(\.isHealthy) ? "ok" : "degraded"
    }
}
