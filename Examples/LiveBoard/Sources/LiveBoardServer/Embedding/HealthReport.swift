import CollectionPublishing
import CollectionReplication

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
        let digest: String
        let sections: Int
        let items: Int
        /// Readers of the hub: groups of connections, and those who have one of their own.
        let readers: Int
        let pausedReaders: Int
        let knownVersions: Int

        /// Where several servers show the list: how this one does.
        let replication: Replication?

        init(_ list: any NamedList) async {
            let source = list.source
            let pipeline = await source?.controller.report()
            let hub = await list.hub.report()
            let shape = list.hub.snapshot.state.shape
            let replicated = list as? ReplicatedList
            name = list.name
            phase = pipeline?.details?.phase.rawValue ?? (source == nil ? "elsewhere" : "unknown")
            backlog = pipeline?.details?.backlog ?? 0
            backlogLimit = pipeline?.details?.backlogLimit ?? 0
            waiting = pipeline?.details?.suspendedForRoom ?? 0
            diverged = pipeline?.divergence?.description
            version = hub.version.description
            digest = "\(list.hub.snapshot.digest)"
            sections = shape.numberOfSections
            items = shape.itemCounts.reduce(0, +)
            readers = hub.readers
            pausedReaders = hub.readers - hub.listeningReaders
            knownVersions = hub.knownVersions
            replication = replicated.map { Replication($0) }
        }

        var isHealthy: Bool {
            if let replication, !replication.isCurrent { return false }
            if phase == "elsewhere" { return replication != nil }
            return phase == "open" && diverged == nil && backlog < backlogLimit
        }
    }

    /// How a server does that shows a list with others.
    struct Replication: Encodable, Sendable {
        /// `leading`; `standing`, where it may come to lead; or `following`.
        let role: String
        /// The leadership of the newest record.
        let epoch: UInt64
        /// Whether it has read everything that the log has.
        let isCurrent: Bool
        /// Up to which record it has read.
        let logPosition: UInt64
        /// How many there were behind that when it read last.
        let recordsBehind: UInt64
        /// For how long it has not had everything.
        let millisecondsBehind: Int
        /// How many records a leader has that the log has not.
        let pendingRecords: Int
        /// How often it had to find its place in the log again, by why.
        let recoveries: [String: Int]

        init(_ list: ReplicatedList) {
            let status = list.replica.status
            role = list.reporter.role
            epoch = status.position?.epoch ?? 0
            isCurrent = status.isCurrent
            logPosition = status.logPosition
            recordsBehind = status.recordsBehind
            millisecondsBehind = Int(status.timeBehind / .milliseconds(1))
            pendingRecords = status.pendingRecords
            recoveries = list.reporter.recoveries
        }
    }

    /// `ok`, or `degraded` where a list diverged, is closing, holds back its editors, or is behind its log.
    let status: String
    let connections: Int
    let streams: Int
    let lists: [List]
    let searches: Int

    init(lists: [any NamedList], searches: Int, connections: Int, streams: Int) async {
        var reports: [List] = []
        for list in lists { reports.append(await List(list)) }
        self.lists = reports
        self.connections = connections
        self.streams = streams
        self.searches = searches
        status = reports.allSatisfy(\.isHealthy) ? "ok" : "degraded"
    }
}
