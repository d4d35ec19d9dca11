import CollectionPublishing
import Dispatch
import Logging
import ServiceLifecycle
import Synchronization

/// A source of states for a list.
struct ListFeed: Sendable {
    /// Returns a state. Its parameter is the state that readers have, if another server made the
    /// list before.
    let state: @Sendable (PublishedState?) async throws -> ListState
    /// The time between two states; `nil` if only edits change the list.
    private let interval: Duration?
    private let logger: Logger

    /// Creates the feed of the board.
    init(ofBoard logger: Logger) {
        self.logger = logger
        interval = nil
        state = { published in (published.flatMap { BoardModel($0) } ?? .initial).state }
    }

    /// Creates a feed that makes states at intervals.
    ///
    /// - Parameter makeState: A closure that makes a state. It may block on its separate queue.
    init<Value>(
        every interval: Duration,
        _ logger: Logger,
        from value: sending Value,
        _ makeState: @escaping @Sendable (inout Value) throws -> ListState
    ) {
        let work = BlockingWork(value)
        self.logger = logger
        self.interval = interval
        state = { _ in try await work.run(makeState) }
    }

    /// Shows later states in the list until the task is cancelled. It makes the next state only
    /// after the previous deployment, so no states accumulate.
    func run(_ list: SourceList) async {
        guard let interval else { return }
        let (clock, faults) = (ContinuousClock(), FaultLog(logger))
        var next = clock.now + interval
        while (try? await clock.sleep(until: next)) != nil {
            next = clock.now + interval
            do {
                try await list.show(try await state(nil))
                if !list.isRefreshed.exchange(true, ordering: .relaxed) {
                    logger.notice("\(list.name) is refreshed again")
                }
            } catch is CancellationError {
                return
            } catch {
                list.isRefreshed.store(false, ordering: .relaxed)
                faults.log(.warning, "\(list.name) was not refreshed: \(error)")
            }
        }
    }
}

/// A service that shows the states of a feed in a list until the group shuts down.
struct FeedService: Service {
    let list: SourceList
    let feed: ListFeed

    func run() async {
        await cancelWhenGracefulShutdown { await feed.run(list) }
        // A service that returns before the shutdown ends its group.
        try? await gracefulShutdown()
    }
}

/// A serial queue for blocking calls, apart from lanes, event loops and Swift's task threads.
final class BlockingWork<State>: Sendable {
    private let queue = DispatchQueue(label: "blocking work")
    // Safe, because only the queue reads and writes it.
    private nonisolated(unsafe) var state: State

    init(_ state: sending State) { self.state = state }

    /// Returns the result of `body`. A cancelled task does not wait for it.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (inout State) throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>? = await firstValue { deliver in
            queue.async { [self] in deliver(Result { try body(&state) }) }
        }
        guard let result else { throw CancellationError() }
        return try result.get()
    }
}

/// Returns the first value that `start` delivers, or `nil` after `timeout` or if the task is
/// cancelled.
func firstValue<Value: Sendable, Fault: Error>(
    within timeout: Duration? = nil,
    _ start: (@escaping @Sendable (Value) -> Void) throws(Fault) -> Void
) async throws(Fault) -> Value? {
    let (values, continuation) = AsyncStream.makeStream(of: Value.self)
    try start { continuation.yield($0) }
    let timer = timeout.map { timeout in
        Task {
            try await Task.sleep(for: timeout)
            continuation.finish()
        }
    }
    defer { timer?.cancel() }
    return await values.first { _ in true }
}

/// The plan of a list that a server may show: name, title and feed.
struct ListPlan: Sendable {
    let name: String
    let title: String
    /// The feed; `nil` if this server can only follow the list.
    let feed: ListFeed?

    /// Returns the lists of a server with these options, in the page's order.
    static func all(_ options: ServerOptions, _ logger: Logger) -> [ListPlan] {
        let processes = ListFeed(every: options.interval, logger, from: ProcessSampler()) {
            try $0.state()
        }
        let files = options.files.map { root in
            ListFeed(every: options.filesInterval, logger, from: FileScanner(root: root)) {
                try $0.state()
            }
        }
        var plans = [
            ListPlan(name: "processes", title: "Processes", feed: processes),
            ListPlan(name: "board", title: "Board", feed: ListFeed(ofBoard: logger)),
        ]
        if files != nil || options.cluster?.followsFiles == true {
            plans.append(ListPlan(name: "files", title: "Files", feed: files))
        }
        return plans
    }
}
