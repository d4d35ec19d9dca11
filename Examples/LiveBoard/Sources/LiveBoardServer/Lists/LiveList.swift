import CollectionPublishing
import Synchronization

/// A list that many follow: a controller whose view is a hub, and what its readers are sent.
final class LiveList: Sendable {
    /// What it is called in addresses.
    let name: String
    /// What it is called on a page.
    let title: String
    let controller: DataController<ListSource>
    let hub: UpdateHub
    let streams: ListStreams

    /// What was accepted last, and who is told of the next.
    private let accepted = Mutex(Accepted())

    private struct Accepted {
        var state = ListState()
        var isLoaded = false
        /// Who is told once something is there.
        var waiting: [@Sendable () -> Void] = []
        var followers: [ObjectIdentifier: @Sendable (ListState) -> Void] = [:]
    }

    init(
        name: String,
        title: String,
        surroundings: ListSurroundings,
        lane: (any Lane)? = nil,
        names: RowNames = RowNames()
    ) {
        self.name = name
        self.title = title
        var hubConfiguration = HubConfiguration()
        hubConfiguration.name = "\(name).hub"
        hubConfiguration.minimumInterval = surroundings.announcementInterval
        hubConfiguration.heartbeat = surroundings.heartbeat
        hub = UpdateHub(configuration: hubConfiguration)
        streams = ListStreams(name: name, hub: hub)
        var configuration = PipelineConfiguration()
        configuration.name = name
        // What was not accepted is in the source all the same: readers are shown that, and nothing diverges for long.
        configuration.rejectionPolicy = .reload
        controller = DataController(
            dataSource: ListSource(names: names),
            view: hub,
            configuration: configuration,
            lane: lane,
            observer: surroundings.observer
        )
    }

    /// The newest accepted state; from any thread.
    var state: ListState { accepted.withLock { $0.state } }

    /// Shows a state: compared with what is there where that holds up nobody, and returns when it is deployed.
    ///
    /// For one task at a time: who shows states does not edit the list otherwise.
    func show(_ state: ListState, context: (any Sendable)? = nil) async throws {
        let old = self.state
        if old == state, controller.pendingMap.generation > 0 { return }
        if controller.pendingMap.generation == 0 {
            try await edit(context: context) { source, changes in
                source.state = state
                changes.reloadData()
            }
            loaded()
            return
        }
        let operations = try state.changes(from: old).operations
        try await edit(context: context) { source, changes in
            source.state = state
            for operation in operations { changes.record(operation) }
        }
    }

    /// Calls `body` once the first state was deployed, or at once, inline, where it was.
    func whenLoaded(_ body: @escaping @Sendable () -> Void) {
        let isLoaded = accepted.withLock { accepted in
            if !accepted.isLoaded { accepted.waiting.append(body) }
            return accepted.isLoaded
        }
        if isLoaded { body() }
    }

    private func loaded() {
        let waiting = accepted.withLock { accepted in
            accepted.isLoaded = true
            defer { accepted.waiting = [] }
            return accepted.waiting
        }
        for body in waiting { body() }
    }

    /// Edits the list on its main lane, and returns when that is deployed.
    ///
    /// - Parameter updates: changes the source's state and records how; or throws a `Withdrawal`.
    @discardableResult
    func edit(
        context: (any Sendable)? = nil,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await controller.performBatchUpdates(context: context) { [self] source, changes in
            try updates(source, &changes)
            let state = source.state
            let followers = accepted.withLock { accepted in
                accepted.state = state
                return Array(accepted.followers.values)
            }
            for follower in followers { follower(state) }
        }
    }

    /// Tells `follower` of every state from now on, on the list's main lane, beginning with the one that is there, which
    /// is told inline.
    func follow(as identity: AnyObject, _ follower: @escaping @Sendable (ListState) -> Void) {
        let state = accepted.withLock { accepted in
            accepted.followers[ObjectIdentifier(identity)] = follower
            return accepted.state
        }
        follower(state)
    }

    func unfollow(_ identity: AnyObject) {
        accepted.withLock { $0.followers[ObjectIdentifier(identity)] = nil }
    }
}

/// What all lists of a server have in common.
struct ListSurroundings: Sendable {
    var announcementInterval = Duration.milliseconds(100)
    var heartbeat: Duration? = .seconds(10)
    var observer: (any PipelineObserver)?
}
