import CollectionElements

/// A list that many readers follow: rows and section titles in, a hub out.
///
/// ```swift
/// LiveList(rows: Order.self, sections: String.self) { order in
///     "<p>\(order.customer)</p>"  // a text is escaped, markup is not
/// } header: { state in
///     "<h2>\(state)</h2>"
/// }
/// ```
///
/// It is a ``DataController`` for rows and an ``UpdateHub`` as its view. Use those themselves for edits that are known,
/// for payloads that are not markup, or for another view beside the hub.
///
/// The list shows states whole: call ``refresh(_:)`` if there is a query, ``apply(_:)`` if there is a state. Both return
/// the version from which on every reader sees it, so that a request handler can answer with it, and a page can wait
/// until it has reached it (``PublishedVersion/hasReached(_:)``). A state that shows what the list shows already makes no
/// version and no message.
///
/// A reader is an ``EventStream`` (``events(lastEventID:window:)``), or any other reader of the ``hub``.
///
/// Threading: every member may be called from any thread. Markup is made on workers. The list owns its hub and
/// controller; when it is released without ``close(drainingTimeout:)``, streams end and what is outstanding is cancelled.
public final class LiveList<
    Section: Equatable & Sendable,
    Row: Identifiable & Equatable & Sendable
>: Sendable {
    /// A state of the list.
    public typealias State = SectionedRows<Section, Row>

    /// A closure that asks for the state of the list.
    public typealias Query = @Sendable () async throws -> State

    /// What publishes the list to readers.
    public let hub: UpdateHub

    /// What shows states to the hub.
    public let controller: DataController<SnapshotDataSource<State>>

    private let configuration: LiveListConfiguration
    private let environment: any PipelineEnvironment
    /// Where times are up.
    private let lane: any Lane

    private typealias Caller = LiveListCaller
    private let queue = Lock(RefreshQueue<Query, Caller>())
    /// The task of the job that was started last.
    private let newest = Lock<(id: Int, task: Task<Void, Never>)?>(nil)
    private let progress = Lock(Progress())

    /// What a health endpoint asks for.
    private struct Progress {
        /// When the query of the state that is shown began.
        var refreshed: Duration?
        var failure: LiveListError?
    }

    /// Makes a list that shows nothing yet.
    ///
    /// - Parameters:
    ///   - row: the type of the rows.
    ///   - sections: the type of the sections; see ``SectionedRows`` for what identifies one.
    ///   - configuration: how to behave.
    ///   - environment: where background work runs; for a simulation.
    ///   - observer: receives the pipeline's events; see ``PipelineObserver``.
    ///   - payload: makes the markup of a row: on a worker, when the row comes and when it is another value.
    ///   - header: makes the markup of a section's title, in the same way; `nil` if sections have none.
    public init(
        rows row: Row.Type,
        sections: Section.Type,
        configuration: LiveListConfiguration = LiveListConfiguration(),
        environment: any PipelineEnvironment = DispatchEnvironment(),
        observer: (any PipelineObserver)? = nil,
        payload: @escaping @Sendable (Row) throws -> HTML,
        header: (@Sendable (Section) throws -> HTML)? = nil
    ) {
        self.configuration = configuration
        self.environment = environment
        lane = environment.makeLane(label: "\(configuration.pipeline.name).refresh")
        let hub = UpdateHub(configuration: configuration.hub, environment: environment)
        self.hub = hub
        controller = DataController(
            rows: row,
            sections: sections,
            view: hub,
            configuration: configuration.pipeline,
            differences: configuration.differences,
            environment: environment,
            observer: observer,
            makeNode: { row in PayloadNode(try payload(row)) },
            header: header.map(Self.makeNode)
        )
    }

    private static func makeNode(
        _ header: @escaping @Sendable (Section) throws -> HTML
    ) -> @Sendable (Section) throws -> any CollectionNode {
        { section in PayloadNode(try header(section)) }
    }

    // MARK: States

    /// Asks for the state and shows it; returns when it is shown.
    ///
    /// ```swift
    /// try await store.setState("paid", of: id)
    /// let version = try await list.refresh { try await store.ordersByState() }
    /// ```
    ///
    /// One query runs at a time. Callers that come while one is running wait for the next, whose query is that of the last
    /// of them: they all see what was written before they called, and an older result never replaces a newer one. A query
    /// that throws, or takes longer than ``LiveListConfiguration/queryTimeout``, leaves the list as it is; the error is
    /// also in ``health``. A query that takes too long is cancelled, and its result is ignored, should it still come.
    ///
    /// Cancelling the caller's task makes this call throw; the query goes on.
    ///
    /// - Parameter query: returns the state of the whole list, in the order in which it is to be shown. It runs in a
    ///   task of its own, after everything that the caller did before.
    /// - Returns: the version from which on readers see what the query returned.
    /// - Throws: `query` with what the query threw as the underlying error; `timeout`; `rejected` if the state cannot be
    ///   shown, for example because a row occurs twice; `closed`; `cancelled`.
    @discardableResult
    public func refresh(_ query: @escaping Query) async throws(LiveListError) -> PublishedVersion {
        try await submit(query, isQuery: true)
    }

    /// Shows a state; returns when it is shown.
    ///
    /// States are shown in the order of the calls. Of several that wait, the newest is shown; a refresh that is called
    /// later stands for them too.
    ///
    /// - Returns: the version from which on readers see the state, or a newer one.
    /// - Throws: `rejected` if it cannot be shown, for example because a row occurs twice; `closed`; `cancelled`.
    @discardableResult
    public func apply(_ state: State) async throws(LiveListError) -> PublishedVersion {
        try await submit({ state }, isQuery: false)
    }

    private func submit(
        _ query: @escaping Query,
        isQuery: Bool
    ) async throws(LiveListError) -> PublishedVersion {
        let caller = Caller()
        let result = await withTaskCancellationHandler {
            await suspend { resume in
                caller.answer.withLock { $0 = resume }
                switch queue.withLock({ $0.arrived(query, isQuery: isQuery, caller) }) {
                case .closed: caller.complete(.failure(.closed))
                case .waits: break
                case .starts(let job): start(job)
                }
                // It may have been cancelled before it arrived.
                if Task.isCancelled { cancel(caller) }
            }
        } onCancel: {
            cancel(caller)
        }
        return try result.get()
    }

    private func cancel(_ caller: Caller) {
        let cancelled = queue.withLock { $0.cancelled { $0 === caller } }
        cancelled?.complete(.failure(.cancelled))
    }

    /// Runs a job in a task of its own, since it may answer several callers.
    private func start(_ job: RefreshQueue<Query, Caller>.Job) {
        let (id, query, began) = (job.id, job.work, environment.now)
        let timeout = job.isQuery ? configuration.queryTimeout : nil
        let task = Task { [self] in
            // The time begins when the query does, however long tasks wait for their turn.
            if let timeout {
                environment.schedule(after: timeout, on: lane) { [weak self] in
                    self?.giveUp(id, timeout, began)
                }
            }
            let state: State
            do {
                state = try await query()
            } catch {
                return finish(id, .failure(.query(error)), began)
            }
            // A result that comes too late must not replace a newer one.
            if queue.withLock({ $0.answered(id) }) { finish(id, await show(state), began) }
        }
        newest.withLock { $0 = (id, task) }
    }

    private func giveUp(_ id: Int, _ timeout: Duration, _ began: Duration) {
        guard queue.withLock({ $0.isAsking(id) }) else { return }
        let task = newest.withLock { $0?.id == id ? $0?.task : nil }
        task?.cancel()
        finish(id, .failure(.timeout(timeout)), began)
    }

    private func show(_ state: State) async -> Result<PublishedVersion, LiveListError> {
        do throws(UpdateError) {
            return .success(hub.version(of: try await controller.apply(state)))
        } catch {
            return .failure(error.code == .closed ? .closed : .rejected(error))
        }
    }

    private func finish(
        _ id: Int,
        _ result: Result<PublishedVersion, LiveListError>,
        _ began: Duration
    ) {
        guard let (callers, next) = queue.withLock({ $0.finished(id) }) else { return }
        progress.withLock { progress in
            switch result {
            case .success: (progress.refreshed, progress.failure) = (began, nil)
            case .failure(let error): progress.failure = error
            }
        }
        for caller in callers { caller.complete(result) }
        if let next { start(next) }
    }

    // MARK: Readers

    /// Returns the events of a new reader, for the body of an HTTP response; see ``UpdateHub/events(lastEventID:window:)``.
    ///
    /// - Parameters:
    ///   - lastEventID: the `Last-Event-ID` field of the request, unchecked; `nil` if there is none.
    ///   - window: the part of the list that the reader sees; `nil` for all of it.
    /// - Throws: if there are too many readers, or the window has negative rows or too many.
    public func events(
        lastEventID: String? = nil,
        window: PublishedWindow? = nil
    ) throws(HubError) -> EventStream {
        try hub.events(lastEventID: lastEventID, window: window)
    }

    /// How the list is doing.
    public var health: LiveListHealth {
        let progress = progress.withLock { $0 }
        return LiveListHealth(
            version: hub.snapshot.version,
            readers: hub.numberOfReaders,
            age: progress.refreshed.map { environment.now - $0 },
            failure: progress.failure,
            isClosed: queue.withLock { $0.isClosed }
        )
    }

    // MARK: The end

    /// Lives as long as the list: returns when it is closed. Cancelling the task closes it.
    ///
    /// Any kind of service wraps it in a line. For swift-service-lifecycle that is
    /// `await cancelWhenGracefulShutdown { await list.run() }`. Put that service **after** the web server in the group:
    /// services shut down in reverse order, and a server waits for open streams, which end when the list closes.
    public func run() async {
        await withTaskCancellationHandler {
            await controller.run()
        } onCancel: {
            Task { await close() }
        }
    }

    /// Asks for the state at intervals and shows it, until the task is cancelled or the list is closed, and lives as long as
    /// the list, like ``run()``.
    ///
    /// What fails is in ``health``, and is tried again after the next interval.
    ///
    /// - Parameters:
    ///   - interval: the time from the end of one query to the start of the next.
    ///   - query: returns the state of the list; see ``refresh(_:)``.
    public func run(refreshingEvery interval: Duration, _ query: @escaping Query) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.refreshUntilClosed(every: interval, query) }
            await run()
            group.cancelAll()
        }
    }

    private func refreshUntilClosed(every interval: Duration, _ query: @escaping Query) async {
        while !queue.withLock({ $0.isClosed }), !Task.isCancelled {
            do throws(LiveListError) {
                try await refresh(query)
            } catch {
                if error.code == .closed { return }
            }
            try? await Task.sleep(for: interval)
        }
    }

    /// Ends the list: refuses what is called from now on, shows what was accepted, tells readers that nothing comes any
    /// more, and ends their streams.
    ///
    /// - Parameter drainingTimeout: how long showing what was accepted may take; one second by default.
    public func close(drainingTimeout: Duration = .seconds(1)) async {
        for caller in queue.withLock({ $0.closed() }) { caller.complete(.failure(.closed)) }
        await controller.close(draining: true, timeout: drainingTimeout)
    }
}

/// A caller that waits for a list to show something.
final class LiveListCaller: Sendable {
    let answer = Lock<(@Sendable (Result<PublishedVersion, LiveListError>) -> Void)?>(nil)

    func complete(_ result: Result<PublishedVersion, LiveListError>) {
        let answer = answer.withLock { $0.take() }
        answer?(result)
    }
}

/// How a ``LiveList`` behaves.
public struct LiveListConfiguration: Sendable {
    /// The controller's configuration.
    public var pipeline = PipelineConfiguration()

    /// The hub's. Readers hear from it every 10 seconds by default, and updates that come faster than ten times a
    /// second are announced as one.
    public var hub: HubConfiguration

    /// The options for differences. A state in which a row or section occurs twice is rejected by default.
    public var differences = DifferenceOptions()

    /// The maximum duration of a query, after which it is cancelled; `nil` for no limit. 30 seconds by default.
    public var queryTimeout: Duration? = .seconds(30)

    /// The defaults.
    public init() {
        hub = HubConfiguration()
        hub.heartbeat = .seconds(10)
        hub.minimumInterval = .milliseconds(100)
    }
}

/// How a ``LiveList`` is doing, for a health endpoint.
public struct LiveListHealth: Sendable {
    /// The version that readers may have.
    public let version: PublishedVersion

    /// The number of readers.
    public let readers: Int

    /// The time since the newest successful query began, or since the newest state was applied; `nil` before that.
    public let age: Duration?

    /// Why the last refresh failed; `nil` if it succeeded.
    public let failure: LiveListError?

    /// Whether the list is closed.
    public let isClosed: Bool
}

/// Why a ``LiveList`` does not show what it was asked to.
public struct LiveListError: Error, CustomStringConvertible {
    /// The kind of the fault.
    public let code: Code

    /// The fault in a sentence, with its values.
    public let message: String

    /// What the query threw, or why the state was rejected.
    public let underlyingError: (any Error)?

    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The query threw.
        public static let query = Code(rawValue: "query")
        /// The query took too long.
        public static let timeout = Code(rawValue: "timeout")
        /// The state cannot be shown.
        public static let rejected = Code(rawValue: "rejected")
        /// The list is closed.
        public static let closed = Code(rawValue: "closed")
        /// The caller's task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The message.
    public var description: String { message }

    static func query(_ error: any Error) -> LiveListError {
        LiveListError(
            code: .query,
            message: "the query threw, and the list shows what it did before: \(error)",
            underlyingError: error
        )
    }

    static func timeout(_ timeout: Duration) -> LiveListError {
        LiveListError(
            code: .timeout,
            message: "the query took longer than \(timeout), and the list shows what it did before",
            underlyingError: nil
        )
    }

    static func rejected(_ error: UpdateError) -> LiveListError {
        LiveListError(code: .rejected, message: "\(error)", underlyingError: error)
    }

    static let closed = LiveListError(
        code: .closed,
        message: "the list is closed, and shows nothing new",
        underlyingError: nil
    )

    static let cancelled = LiveListError(
        code: .cancelled,
        message: "the caller's task was cancelled before the list showed what it asked for",
        underlyingError: nil
    )
}
