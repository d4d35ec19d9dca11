import CollectionPublishing
import CollectionReplication
import Logging
import ServiceLifecycle
import Synchronization

/// A list that its leader makes. All servers, including the leader, serve readers from its log.
final class ReplicatedList: ServedList {
    let name: String
    let streams: ListStreams
    let replica: ReplicatedHub

    private let log: any ReplicatedLog
    /// The feed; `nil` if this server only follows.
    private let feed: ListFeed?
    private let makeSource: @Sendable (RowNames) -> SourceList
    private let cluster: ClusterOptions
    private let forwarder: EditForwarder?
    private let reporter: ReplicationReporter
    private let logger: Logger
    private let term = Mutex<ListTerm?>(nil)
    private let isClosing = Atomic(false)

    /// - Parameters:
    ///   - forwarder: The object to notify when this server leads or stops; only for the board.
    ///   - makeSource: A closure that makes the list with its controller.
    init(
        _ plan: ListPlan,
        hub: HubConfiguration,
        cluster: ClusterOptions,
        forwarder: EditForwarder?,
        logger: Logger,
        makeSource: @escaping @Sendable (RowNames) -> SourceList
    ) throws {
        name = plan.name
        feed = cluster.mayLead ? plan.feed : nil
        self.forwarder = forwarder
        self.makeSource = makeSource
        self.cluster = cluster
        self.logger = logger
        log = try cluster.logs.log(plan.name)
        reporter = ReplicationReporter(list: plan.name, logger: logger)
        var configuration = ReplicationConfiguration()
        configuration.name = "\(plan.name).replica"
        configuration.key = cluster.key
        configuration.leaseDuration = cluster.leaseDuration
        configuration.hub = hub
        var journal: (@Sendable () throws(JournalError) -> any JournalStorage)?
        if let folder = cluster.journal, feed != nil {
            let path = "\(folder)/\(plan.name).journal"
            journal = { () throws(JournalError) in try FileJournalStorage(path: path) }
        }
        replica = ReplicatedHub(
            log: log,
            journal: journal,
            configuration: configuration,
            observer: reporter
        )
        streams = ListStreams(hub: replica.hub)
    }

    /// The list with its controller, while this server leads and has published it.
    var source: SourceList? { openTerm?.list }

    private var openTerm: ListTerm? { term.withLock { $0 }.flatMap { $0.isOpen ? $0 : nil } }

    var role: String {
        replica.status.isLeading ? "leading" : feed != nil ? "standing" : "following"
    }

    var isCurrent: Bool { replica.status.isCurrent && source?.isCurrent ?? true }

    func loaded() async { await reporter.current() }

    // MARK: Leading

    /// Starts to follow the log, and campaigns for leadership if the server may lead.
    func begin() {
        replica.follow()
        campaign()
    }

    private func campaign() {
        guard feed != nil, !isClosing.load(ordering: .relaxed) else { return }
        replica.campaign { [weak self] change in
            switch change {
            case .began(let snapshot): self?.began(snapshot)
            default: self?.ended()
            }
        }
    }

    private func began(_ snapshot: PublishedSnapshot) {
        guard let feed else { return }
        // No other leadership uses these names for cards.
        let begun = ListTerm(makeSource(RowNames(prefix: "c\(reporter.epoch)-")))
        term.withLock { $0 = begun }
        begun.run { [weak self, logger, name] in
            do {
                try await begun.list.show(try await feed.state(snapshot.state))
                guard let self else { return }
                begun.open(on: replica)
                forwarder?.announce()
                await feed.run(begun.list)
            } catch {
                // The leadership or the server may have ended meanwhile.
                guard !Task.isCancelled, self?.isClosing.load(ordering: .relaxed) == false else {
                    return
                }
                logger.error("\(name) could not be made, so another server may lead it: \(error)")
                await self?.campaignLater()
            }
        }
    }

    /// Lets other servers lead, and campaigns again after a while.
    private func campaignLater() async {
        replica.resign()
        // In a new task, because the leadership's own task ends with the leadership.
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(10))
            self?.campaign()
        }
    }

    private func ended() {
        forwarder?.withdraw()
        term.withLock { $0.take() }?.end()
    }

    /// Deploys accepted edits, then lets another server lead, and then notifies readers.
    func close() async {
        isClosing.store(true, ordering: .relaxed)
        await term.withLock { $0 }?.list.controller.close(timeout: .seconds(5))
        await withCheckedContinuation { continuation in
            replica.close { continuation.resume() }
        }
        // The broker responds in order: after this response it has received everything sent before.
        _ = try? await log.value(of: .lease, within: .seconds(1))
    }

    // MARK: Edits

    func make(_ edit: BoardEdit) async throws -> (version: PublishedVersion, id: String) {
        guard let term = openTerm else { throw RequestFault.noLeader }
        let made: (version: PublishedVersion, id: String)
        do {
            made = try await term.list.make(edit)
        } catch let fault as RequestFault where fault == .shuttingDown {
            // The edit has not reached the list's hub, so no reader will receive it.
            throw RequestFault.noLeader
        }
        let number = made.version.number
        let version = await term.whenVisible(number, on: replica, within: cluster.editTimeout)
        guard let version else { throw RequestFault.unconfirmed }
        return (version, made.id)
    }
}

/// One leadership of a list: the list with its controller, and edits that readers cannot see yet.
///
/// Each leadership has its own list, so that cards and versions of two leaderships never mix.
private final class ListTerm: Sendable {
    let list: SourceList
    private let state = Mutex(State())

    private struct State {
        /// Whether the list was published.
        var isOpen = false
        var isEnded = false
        var task: Task<Void, Never>?
    }

    init(_ list: SourceList) { self.list = list }

    var isOpen: Bool { state.withLock { $0.isOpen && !$0.isEnded } }

    /// Publishes the list, unless the leadership has ended.
    func open(on replica: ReplicatedHub) {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.isOpen = true
            // The call only hands over the hub. The lock orders it before everything after the end.
            replica.publish(from: list.hub)
        }
    }

    /// Runs `body`, which makes the list's states, until the leadership ends.
    func run(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            if !state.isEnded { state.task = Task { await body() } }
        }
    }

    /// Waits until readers can see a version of the list.
    ///
    /// - Returns: The version that readers see, or `nil` if it is unknown because the leadership
    ///   ended or the time limit passed.
    func whenVisible(
        _ number: Int,
        on replica: ReplicatedHub,
        within timeout: Duration
    ) async -> PublishedVersion? {
        let version: PublishedVersion?? = await firstValue(within: timeout) { deliver in
            state.withLock { state in
                // The lock orders the call before the end, which reports `nil`, and before a later
                // leadership, which has other numbers.
                if state.isEnded {
                    deliver(nil)
                } else {
                    replica.whenVisible(sourceVersion: number, deliver)
                }
            }
        }
        return version ?? nil
    }

    /// Ends the leadership. The member's lane calls it before a later leadership begins.
    func end() {
        let task = state.withLock { state in
            state.isEnded = true
            return state.task.take()
        }
        task?.cancel()
        Task { [list] in await list.controller.close(draining: false) }
    }
}

/// An observer that logs events, and records when the member first reached the log's end.
private final class ReplicationReporter: ReplicationObserver {
    private let list: String
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var epoch: UInt64 = 0
        var wasCurrent = false
        var waiting: [@Sendable (()) -> Void] = []
    }

    init(list: String, logger: Logger) {
        self.list = list
        self.logger = logger
    }

    /// The epoch that this member opened last.
    var epoch: UInt64 { state.withLock { $0.epoch } }

    /// Waits until the member has read the log to its end, or the task is cancelled.
    func current() async {
        let _: Void? = await firstValue { deliver in
            let wasCurrent = state.withLock { state in
                if !state.wasCurrent { state.waiting.append(deliver) }
                return state.wasCurrent
            }
            if wasCurrent { deliver(()) }
        }
    }

    func observe(_ event: ReplicationEvent) {
        var level = Logger.Level.notice
        switch event {
        case .caughtUp:
            becameCurrent()
            level = .debug
        case .leading(let epoch):
            state.withLock { $0.epoch = epoch }
            becameCurrent()
        // Before the first leadership the log is missing.
        case .failed(let error): level = error.code == .missing ? .info : .warning
        case .journalFailed, .unpublishable: level = .error
        case .following, .ignoredRecord, .snapshotTaken: level = .info
        default: break
        }
        logger.log(level: level, "\(event)", metadata: ["list": "\(list)"])
    }

    private func becameCurrent() {
        let waiting = state.withLock { state in
            state.wasCurrent = true
            return exchange(&state.waiting, with: [])
        }
        for deliver in waiting { deliver(()) }
    }
}

/// A service that follows logs, and leads lists if it may, until the group shuts down. Then it
/// deploys and writes accepted edits, and lets other servers lead.
///
/// Put it before the server in the group, because a group shuts down services in reverse order.
struct ReplicationService: Service {
    let lists: [ReplicatedList]
    let logs: LogProvider

    func run() async {
        for list in lists { list.begin() }
        try? await gracefulShutdown()
        await withTaskGroup(of: Void.self) { group in
            for list in lists { group.addTask { await list.close() } }
        }
        logs.close()
    }
}
