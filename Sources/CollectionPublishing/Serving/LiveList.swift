import CollectionElements

/// A list of rows and section titles that many readers follow.
///
/// ```swift
/// LiveList(rows: Order.self, sections: String.self) { order in
///     "<p>\(order.customer)</p>"  // a text is escaped, markup is not
/// } header: { state in
///     "<h2>\(state)</h2>"
/// }
/// ```
///
/// It combines a ``DataController`` for rows with an ``UpdateHub`` as its view. Use those directly
/// if you know the edits, if payloads are not markup, or if you need another view in addition to
/// the hub.
///
/// The list shows whole states: call ``refresh(_:)`` if you have a query, ``apply(_:)`` if you have
/// a state. Both return the first version that contains the state, so a request handler can return
/// that version, and a page can wait until it has reached it (``PublishedVersion/hasReached(_:)``).
/// A state that equals the current one produces neither a version nor a message.
///
/// A state is any `CollectionState`, such as the state of a derived list, which follows a table row
/// by row (``init(states:version:configuration:lane:environment:observer:payload:header:)``).
///
/// A reader is an ``EventStream`` (``events(lastEventID:window:)``), or any other reader of the
/// ``hub``.
///
/// Threading: every member may be called from any thread. Markup is rendered on workers. The list
/// owns its hub and controller. If it is released without ``close(drainingTimeout:)``, streams end
/// and outstanding work is cancelled.
public final class LiveList<State: CollectionState>: Sendable {
    /// A closure that returns the state of the list.
    public typealias Query = @Sendable () async throws -> State

    /// The hub that publishes the list to readers.
    public let hub: UpdateHub

    /// The controller that applies states and deploys them to the hub.
    public let controller: DataController<SnapshotDataSource<State>>

    private let configuration: LiveListConfiguration
    private let environment: any PipelineEnvironment
    /// The lane of query timeouts, and of the tasks that run queries.
    private let refreshLane: any Lane

    private typealias Caller = LiveListCaller

    /// The state of a job, or the query that returns it.
    private enum Work: Sendable {
        case state(State)
        case query(Query)

        var isQuery: Bool { if case .query = self { true } else { false } }
    }

    private let queue = Lock(RefreshQueue<Work, Caller>())
    /// The task of the newest query, with the identifier of its job.
    private let newest = Lock<(id: Int, task: Task<Void, Never>)?>(nil)
    private let progress = Lock(Progress())
    private let version: (@Sendable (State) -> Int)?
    /// The state with the greatest version so far; `nil` if states have no versions.
    private let latest = Lock<(version: Int, state: State)?>(nil)

    /// The data of ``health`` that jobs change.
    private struct Progress {
        /// The time at which the query of the current state began.
        var refreshed: Duration?
        /// The error of the last job.
        var failure: LiveListError?
        /// The newest version, and the error of the rows that its change could not render.
        private(set) var shown: Shown?

        mutating func showed(_ state: Shown, began: Duration) {
            (refreshed, failure) = (began, nil)
            // If nothing changed, the same rows are still not rendered.
            if state.version != shown?.version { shown = state }
        }
    }

    /// A state that is shown.
    private struct Shown {
        /// The first version that contains it.
        let version: PublishedVersion
        /// The error of rows and titles that could not be rendered.
        let failure: LiveListError?
    }

    /// Creates a list of states of any type that shows nothing yet.
    ///
    /// ```swift
    /// let list = LiveList(states: OrderBoard.List.State.self, version: \.version) { order in
    ///     "<p>\(order.customer): \(order.amount)</p>"
    /// } header: { header in
    ///     "<h2>\(header.header): \(header.value.value)</h2>"
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - states: The type of the states.
    ///   - version: A closure that returns the number of a state, which is greater in later states.
    ///     After a state, the list never shows one with a smaller number: if that is applied, for
    ///     example by a slower task, the newer state counts instead. `nil` to show the states in the
    ///     order in which they are applied.
    ///   - configuration: The options of the list.
    ///   - lane: The controller's main lane; by default a new ``EmulatedMainLane``.
    ///   - environment: The environment that provides the lanes for background work; a simulation
    ///     passes its own.
    ///   - observer: The observer that receives the pipeline's events; see ``PipelineObserver``.
    ///   - payload: A closure that makes the markup of an item. It is called on a worker when the
    ///     item is inserted and when its value changes. If it throws, readers see the item as it
    ///     was, or without content, and the error is in ``health``.
    ///   - header: A closure that makes the markup of a section's title, in the same way; `nil` if
    ///     sections have none.
    public init(
        states: State.Type,
        version: (@Sendable (State) -> Int)? = nil,
        configuration: LiveListConfiguration = LiveListConfiguration(),
        lane: (any Lane)? = nil,
        environment: any PipelineEnvironment = DispatchEnvironment(),
        observer: (any PipelineObserver)? = nil,
        payload: @escaping @Sendable (State.Model) throws -> HTML,
        header: (@Sendable (State.Section) throws -> HTML)? = nil
    ) {
        self.version = version
        self.configuration = configuration
        self.environment = environment
        refreshLane = environment.makeLane(label: "\(configuration.pipeline.name).refresh")
        let hub = UpdateHub(configuration: configuration.hub, environment: environment)
        self.hub = hub
        controller = DataController(
            states: states,
            view: hub,
            configuration: configuration.pipeline,
            differences: configuration.differences,
            lane: lane,
            environment: environment,
            observer: observer,
            makeNode: { model in PayloadNode(try payload(model)) },
            header: header.map(Self.makeNode)
        )
    }

    /// Creates a list of rows that shows nothing yet.
    ///
    /// - Parameters:
    ///   - row: The type of the rows.
    ///   - sections: The type of the sections; see ``SectionedRows`` for their identity.
    ///   - configuration: The options of the list.
    ///   - lane: The controller's main lane; by default a new ``EmulatedMainLane``.
    ///   - environment: The environment that provides the lanes for background work; a simulation
    ///     passes its own.
    ///   - observer: The observer that receives the pipeline's events; see ``PipelineObserver``.
    ///   - payload: A closure that makes the markup of a row. It is called on a worker when the row
    ///     is inserted and when its value changes.
    ///   - header: A closure that makes the markup of a section's title, in the same way; `nil` if
    ///     sections have none.
    public convenience init<Section, Row>(
        rows row: Row.Type,
        sections: Section.Type,
        configuration: LiveListConfiguration = LiveListConfiguration(),
        lane: (any Lane)? = nil,
        environment: any PipelineEnvironment = DispatchEnvironment(),
        observer: (any PipelineObserver)? = nil,
        payload: @escaping @Sendable (Row) throws -> HTML,
        header: (@Sendable (Section) throws -> HTML)? = nil
    ) where State == SectionedRows<Section, Row> {
        self.init(
            states: State.self,
            configuration: configuration,
            lane: lane,
            environment: environment,
            observer: observer,
            payload: payload,
            header: header
        )
    }

    private static func makeNode(
        _ header: @escaping @Sendable (State.Section) throws -> HTML
    ) -> @Sendable (State.Section) throws -> any CollectionNode {
        { section in PayloadNode(try header(section)) }
    }

    // MARK: States

    /// Runs a query and shows its result. Returns when the state is shown.
    ///
    /// ```swift
    /// try await store.setState("paid", of: id)
    /// let version = try await list.refresh { try await store.ordersByState() }
    /// ```
    ///
    /// One query runs at a time. Callers that arrive while one is running wait for the next query,
    /// which is that of the last of them. So every caller sees everything that was written before
    /// its call, and an older result never replaces a newer one. If a query throws, or takes longer
    /// than ``LiveListConfiguration/queryTimeout``, the list does not change; the error is also in
    /// ``health``. A query that takes too long is cancelled, and a late result is ignored.
    ///
    /// If the caller's task is cancelled, this call throws, but the query continues.
    ///
    /// - Parameter query: A closure that returns the state of the whole list, in the order in which
    ///   it is shown. It runs in its own task, after everything that the caller did before the
    ///   call.
    /// - Returns: The first version that contains the result of the query.
    /// - Throws: `query` with the query's error as the underlying error; `timeout`; `rejected` if
    ///   the state cannot be shown, for example because a row occurs twice; `closed`; `cancelled`.
    @discardableResult
    public func refresh(_ query: @escaping Query) async throws(LiveListError) -> PublishedVersion {
        try await submit(.query(query))
    }

    /// Shows a state. Returns when the state is shown.
    ///
    /// States are shown in the order of the calls. If several are waiting, only the newest is
    /// shown; a later refresh also replaces them.
    ///
    /// If the state is that of a derived list, a request handler can return a version that contains
    /// its own write: after `try await table.upsert(rows)`, the first such version is the result of
    /// `try await list.apply(derived.state)`, even if ``run(showing:)`` shows the rows earlier.
    ///
    /// - Returns: The first version that contains the state, or a newer one.
    /// - Throws: `rejected` if the state cannot be shown, for example because a row occurs twice;
    ///   the error of a later refresh that replaced the state; `closed`; `cancelled`.
    @discardableResult
    public func apply(_ state: State) async throws(LiveListError) -> PublishedVersion {
        try await submit(.state(newest(state)))
    }

    /// Returns `state`, or the state with the greatest version if that is newer.
    private func newest(_ state: State) -> State {
        guard let version else { return state }
        let number = version(state)
        return latest.withLock { latest in
            if let latest, latest.version > number { return latest.state }
            latest = (number, state)
            return state
        }
    }

    private func submit(_ work: Work) async throws(LiveListError) -> PublishedVersion {
        let caller = Caller()
        let result = await withTaskCancellationHandler {
            await suspend { resume in
                caller.answer.withLock { $0 = resume }
                switch queue.withLock({ $0.arrived(work, isQuery: work.isQuery, caller) }) {
                case .closed: caller.complete(.failure(.closed))
                case .waits: break
                case .starts(let job): start(job)
                }
                // The task may have been cancelled before the caller was added.
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

    private func start(_ job: RefreshQueue<Work, Caller>.Job) {
        let (id, began) = (job.id, environment.now)
        switch job.work {
        case .state(let state): show(state, id, began)
        case .query(let query):
            // In its own task, because it may serve several callers.
            let task = Task(executorPreference: refreshLane.taskExecutor) { [self] in
                // The timeout begins with the query, however long the task waited to run.
                if let timeout = configuration.queryTimeout {
                    environment.schedule(after: timeout, on: refreshLane) { [weak self] in
                        self?.giveUp(id, timeout, began)
                    }
                }
                do {
                    let state = try await query()
                    // A late result must not replace a newer one.
                    if queue.withLock({ $0.answered(id) }) == .apply { show(state, id, began) }
                } catch {
                    finish(id, .failure(.query(error)), began)
                }
            }
            // This query may have ended, and the next one begun, on another thread.
            newest.withLock { if id > ($0?.id ?? -1) { $0 = (id, task) } }
        }
    }

    private func giveUp(_ id: Int, _ timeout: Duration, _ began: Duration) {
        guard let end = queue.withLock({ $0.timedOut(id) }) else { return }
        let task = newest.withLock { $0?.id == id ? $0?.task : nil }
        task?.cancel()
        finish(end, .failure(.timeout(timeout)), began)
    }

    private func show(_ state: State, _ id: Int, _ began: Duration) {
        // With a completion, because a task would have to be started first.
        controller.apply(newest(state)) { [self] result in
            // The next job must not begin on the main lane: it calls the application's closures.
            refreshLane.enqueue { [self] in finish(id, shown(result), began) }
        }
    }

    private func shown(_ result: UpdateResult) -> Result<Shown, LiveListError> {
        switch result.outcome {
        case .deployed, .deployedByReload, .superseded:
            let failed = result.failedElements
            return .success(
                Shown(
                    version: hub.version(of: result),
                    failure: failed.isEmpty ? nil : .rendering(failed)
                )
            )
        case .rejected(let error), .refusedByView(let error):
            return .failure(error.code == .closed ? .closed : .rejected(error))
        case .cancelled: return .failure(.closed)
        }
    }

    private func finish(
        _ id: Int,
        _ result: Result<Shown, LiveListError>,
        _ began: Duration
    ) {
        if let end = queue.withLock({ $0.finished(id) }) { finish(end, result, began) }
    }

    private func finish(
        _ end: RefreshQueue<Work, Caller>.End,
        _ result: Result<Shown, LiveListError>,
        _ began: Duration
    ) {
        progress.withLock { progress in
            switch result {
            case .success(let shown): progress.showed(shown, began: began)
            case .failure(let error): progress.failure = error
            }
        }
        for caller in end.callers { caller.complete(result.map(\.version)) }
        if let next = end.next { start(next) }
    }

    // MARK: Readers

    /// Returns the events of a new reader, for the body of an HTTP response; see
    /// ``UpdateHub/events(lastEventID:window:)``.
    ///
    /// - Parameters:
    ///   - lastEventID: The `Last-Event-ID` field of the request, unchecked; `nil` if the request
    ///     has none.
    ///   - window: The part of the list that the reader sees; `nil` for all of it.
    /// - Throws: An error if there are too many readers, or the window has negative rows or too
    ///   many.
    public func events(
        lastEventID: String? = nil,
        window: PublishedWindow? = nil
    ) throws(HubError) -> EventStream {
        try hub.events(lastEventID: lastEventID, window: window)
    }

    /// The current health of the list.
    public var health: LiveListHealth {
        let progress = progress.withLock { $0 }
        return LiveListHealth(
            version: hub.snapshot.version,
            readers: hub.numberOfReaders,
            age: progress.refreshed.map { environment.now - $0 },
            failure: progress.failure ?? progress.shown?.failure,
            isClosed: queue.withLock { $0.isClosed }
        )
    }

    // MARK: The end

    /// Waits until the list is closed. If the task is cancelled, this method closes the list.
    ///
    /// Any service framework can call it in one line. For swift-service-lifecycle that is `await
    /// cancelWhenGracefulShutdown { await list.run() }`. Put that service **after** the web server
    /// in the group: services shut down in reverse order, and a server waits for open streams,
    /// which end when the list closes.
    public func run() async {
        await withTaskCancellationHandler {
            await controller.run()
        } onCancel: {
            Task(executorPreference: refreshLane.taskExecutor) { [self] in await close() }
        }
    }

    /// Refreshes the list at intervals until it is closed. If the task is cancelled, this method
    /// closes the list, like ``run()``.
    ///
    /// If a refresh fails, the error is in ``health``, and the next attempt follows after the
    /// interval.
    ///
    /// - Parameters:
    ///   - interval: The time from the end of one query to the start of the next.
    ///   - query: A closure that returns the state of the list; see ``refresh(_:)``.
    public func run(refreshingEvery interval: Duration, _ query: @escaping Query) async {
        await run { await self.refreshUntilClosed(every: interval, query) }
    }

    /// Shows every state of a sequence until the list is closed. If the task is cancelled, this
    /// method closes the list, like ``run()``.
    ///
    /// ```swift
    /// await list.run(showing: board.list.states)
    /// ```
    ///
    /// If a state cannot be shown, the error is in ``health``, and the next state follows. The end
    /// of the sequence does not close the list.
    ///
    /// - Parameter states: The states in order, such as those of a derived list, which skips states
    ///   while one is being shown. The sequence ends when its task is cancelled.
    public func run(showing states: some AsyncSequence<State, Never> & Sendable) async {
        await run {
            for await state in states {
                do throws(LiveListError) {
                    try await self.apply(state)
                } catch {
                    if error.code == .closed { return }
                }
            }
        }
    }

    private func run(_ operation: @escaping @Sendable () async -> Void) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await operation() }
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

    /// Closes the list: rejects later calls, shows the accepted states, and notifies the readers,
    /// whose streams end. Returns when the hub has announced the last state.
    ///
    /// - Parameter drainingTimeout: The maximum time for showing accepted states; one second by
    ///   default.
    public func close(drainingTimeout: Duration = .seconds(1)) async {
        for caller in queue.withLock({ $0.closed() }) { caller.complete(.failure(.closed)) }
        await controller.close(draining: true, timeout: drainingTimeout)
        // The hub announces and closes on its own lane, before it makes this report.
        _ = await hub.report()
    }
}

/// A caller of a list that waits for its result.
final class LiveListCaller: Sendable {
    let answer = Lock<(@Sendable (Result<PublishedVersion, LiveListError>) -> Void)?>(nil)

    func complete(_ result: Result<PublishedVersion, LiveListError>) {
        let answer = answer.withLock { $0.take() }
        answer?(result)
    }
}

/// The options of a ``LiveList``.
public struct LiveListConfiguration: Sendable {
    /// The options of the controller.
    public var pipeline = PipelineConfiguration()

    /// The options of the hub. By default, readers receive a heartbeat every 10 seconds, and at
    /// most ten updates a second are announced.
    public var hub: HubConfiguration

    /// The options for differences. By default, a state in which a row or section occurs twice is
    /// rejected.
    public var differences = DifferenceOptions()

    /// The maximum duration of a query, after which it is cancelled; `nil` for no limit. 30 seconds
    /// by default.
    public var queryTimeout: Duration? = .seconds(30)

    /// Creates a configuration with the default values.
    public init() {
        hub = HubConfiguration()
        hub.heartbeat = .seconds(10)
        hub.minimumInterval = .milliseconds(100)
    }
}

/// The health of a ``LiveList``, for a health endpoint.
public struct LiveListHealth: Sendable {
    /// The newest version that readers may have.
    public let version: PublishedVersion

    /// The number of readers.
    public let readers: Int

    /// The time since the newest successful query began, or since the newest state was applied;
    /// `nil` before that.
    public let age: Duration?

    /// The error of the last refresh, or of the rows that the last change could not render; `nil`
    /// if there was none.
    public let failure: LiveListError?

    /// Whether the list is closed.
    public let isClosed: Bool
}

/// An error that prevented a ``LiveList`` from showing a state.
public struct LiveListError: Error, CustomStringConvertible {
    /// The kind of the error.
    public let code: Code

    /// A sentence that describes the error, with its values.
    public let message: String

    /// The error that the query threw, or the reason for the rejection.
    public let underlyingError: (any Error)?

    /// The name of an error. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The query threw.
        public static let query = Code(rawValue: "query")
        /// The query took too long.
        public static let timeout = Code(rawValue: "timeout")
        /// The state cannot be shown.
        public static let rejected = Code(rawValue: "rejected")
        /// The state is shown, but the payloads of some rows or titles could not be rendered.
        public static let rendering = Code(rawValue: "rendering")
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
            message: "the query threw, and the list is unchanged: \(error)",
            underlyingError: error
        )
    }

    static func timeout(_ timeout: Duration) -> LiveListError {
        LiveListError(
            code: .timeout,
            message: "the query took longer than \(timeout), and the list is unchanged",
            underlyingError: nil
        )
    }

    static func rendering(_ failed: FailedElements) -> LiveListError {
        let error = failed.first.first?.error
        return LiveListError(
            code: .rendering,
            message: "\(counted(failed.count, "payload")) could not be rendered,"
                + " the first because of this error: \(error.map { "\($0)" } ?? "unknown")",
            underlyingError: error
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
        message: "the caller's task was cancelled before the list showed the requested state",
        underlyingError: nil
    )
}
