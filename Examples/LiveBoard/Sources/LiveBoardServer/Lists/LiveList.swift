import CollectionPublishing
import Synchronization

/// A list that many follow: a controller whose view is a hub, and the connections that follow the hub.
final class LiveList: Sendable {
    /// The name in addresses.
    let name: String
    let controller: DataController<ListSource>
    let hub: UpdateHub
    let streams: ListStreams
    /// The newest accepted state.
    private let accepted = Mutex(ListState())
    /// Whether the newest state is that of the last look at the world.
    let isRefreshed = Atomic(true)

    /// - Parameter lane: the main lane of the controller; `nil` for a lane of its own.
    init(
        name: String,
        settings: ListSettings,
        lane: (any Lane)? = nil,
        names: RowNames = RowNames()
    ) {
        self.name = name
        var hubConfiguration = HubConfiguration()
        hubConfiguration.name = "\(name).hub"
        hubConfiguration.minimumInterval = settings.announcementInterval
        hubConfiguration.heartbeat = settings.heartbeat
        hub = UpdateHub(configuration: hubConfiguration)
        streams = ListStreams(hub: hub)
        var configuration = PipelineConfiguration()
        configuration.name = name
        // A rejected update stays in the source. A reload shows it to the readers, so nothing diverges for long.
        configuration.rejectionPolicy = .reload
        controller = DataController(
            dataSource: ListSource(names: names),
            view: hub,
            configuration: configuration,
            lane: lane,
            observer: settings.observer
        )
    }

    /// Shows a state, and returns when it is deployed. The state is compared with the previous one in the caller's task,
    /// not on a lane.
    ///
    /// For one task at a time. A list that is shown states must not be edited otherwise.
    func show(_ state: ListState) async throws {
        let old = accepted.withLock { $0 }
        guard controller.pendingMap.generation > 0 else {
            try await edit { source, changes in
                source.state = state
                changes.reloadData()
            }
            return
        }
        if old == state { return }
        let operations = try state.changes(from: old).operations
        try await edit { source, changes in
            source.state = state
            for operation in operations { changes.record(operation) }
        }
    }

    /// Edits the list on its main lane, and returns when the edit is deployed.
    ///
    /// - Parameters:
    ///   - context: comes back in the pipeline's events.
    ///   - updates: changes the source's state and records the changes, or throws a `Withdrawal`.
    @discardableResult
    func edit(
        context: (any Sendable)? = nil,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await controller.performBatchUpdates(context: context) { [self] source, changes in
            try updates(source, &changes)
            accepted.withLock { $0 = source.state }
        }
    }

    /// The version of the hub that has an edit; an edit that changed nothing is in the newest.
    func number(of result: UpdateResult) -> Int {
        result.generation ?? controller.visibleMap.generation
    }
}

/// The settings that all lists of a server share.
struct ListSettings: Sendable {
    var announcementInterval = Duration.milliseconds(100)
    var heartbeat: Duration? = .seconds(10)
    var observer: (any PipelineObserver)?
}

/// A list as the routes see it. This server makes it, or follows the log of another server.
protocol ServedList: AnyObject, Sendable {
    var name: String { get }
    /// The hub and the connections of the readers.
    var streams: ListStreams { get }
    /// The list with its controller, if this server makes it now.
    var source: LiveList? { get }
    /// `only`, or the part that the server plays in a cluster: `leading`, `standing` or `following`.
    var role: String { get }
    /// Whether readers have everything that was published, and that is what the list's feed saw last.
    var isCurrent: Bool { get }

    /// Returns when there is something to follow.
    func loaded() async

    /// Edits the list.
    ///
    /// - Returns: the version from which on every state that readers receive has the edit.
    /// - Throws: an `UpdateError`; `RequestFault.noLeader` if this server does not make the list, and nothing was done;
    ///   or `RequestFault.unconfirmed` if it is not known whether the edit was done.
    func change(
        context: (any Sendable)?,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws -> PublishedVersion
}

extension LiveList: ServedList {
    var source: LiveList? { self }
    var role: String { "only" }
    var isCurrent: Bool { isRefreshed.load(ordering: .relaxed) }

    /// The server shows the first state before it listens.
    func loaded() async {}

    func change(
        context: (any Sendable)?,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws -> PublishedVersion {
        let result = try await edit(context: context, updates)
        return PublishedVersion(handle: hub.snapshot.version.handle, number: number(of: result))
    }
}
