import CollectionPublishing
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The server whole: lists, what refreshes them, and Hummingbird, as services of one group.
///
/// ```swift
/// let server = try await LiveBoardApplication(options, metrics: nil, logger: logger) { address in
///     print("http://\(address)/")
/// }
/// try await server.run()
/// ```
///
/// On a graceful shutdown the server stops first, so that nobody edits any more and readers go elsewhere; then
/// what refreshes lists; then the lists, which deploy what they accepted.
package struct LiveBoardApplication: Sendable {
    /// Hummingbird's application.
    let application: Application<RouterResponder<BasicRequestContext>>
    let board: Board

    /// Makes a server, with its lists loaded.
    ///
    /// - Parameters:
    ///   - options: what to show, and where.
    ///   - metrics: whose numbers are shown at `/metrics`.
    ///   - logger: who is told of what needs somebody.
    ///   - onRunning: told the address once it can be reached, such as `127.0.0.1:8080`.
    /// - Throws: where a list cannot be loaded, such as that of a folder that is not there.
    package init(
        _ options: ServerOptions,
        metrics: TextMetrics?,
        logger: Logger,
        onRunning: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        let eventLoops = MultiThreadedEventLoopGroup.singleton
        let board = Board(options, on: eventLoops.any(), logger: logger)
        self.board = board
        var services: [any Service] = board.lists.map { ListService(list: $0) }
        services.append(SearchService(searches: board.searches))
        try await board.cards.show(BoardModel.initial.state)
        services.append(try await Self.refreshing(board))
        if let service = try await Self.refreshingFiles(board) { services.append(service) }
        if let service = try await Self.churning(board) { services.append(service) }
        application = Application(
            router: board.makeRouter(metrics: metrics),
            server: HTTPServerBuilder { BoardChannel(responder: $0, board: board) },
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                backlog: 4096
            ),
            services: services,
            onServerRunning: { channel in
                guard let address = channel.localAddress, let port = address.port else { return }
                let host = address.ipAddress ?? options.host
                onRunning(host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
            },
            eventLoopGroupProvider: .shared(eventLoops),
            logger: logger
        )
    }

    /// Serves until the process is asked to end.
    package func run() async throws { try await application.runService() }

    private static func refreshing(_ board: Board) async throws -> any Service {
        let grouping = ProcessRanking.Grouping(rawValue: board.options.grouping.rawValue) ?? .user
        let work = BlockingWork(
            label: "processes.sampling",
            ProcessWatch(grouping: grouping)
        )
        try await board.processes.show(try await work.run { try $0.state() })
        return RefreshService(
            list: board.processes,
            interval: board.options.interval,
            logger: board.logger
        ) {
            try await work.run { try $0.state() }
        }
    }

    private static func churning(_ board: Board) async throws -> (any Service)? {
        guard let list = board.churn, let rate = board.options.churn else { return nil }
        let model = ChurnModel()
        try await list.show(model.state)
        return ChurnService(
            list: list,
            model: model,
            interval: rate > 0 ? .seconds(1 / rate) : .zero,
            limit: board.options.churnSets,
            logger: board.logger
        )
    }

    private static func refreshingFiles(_ board: Board) async throws -> (any Service)? {
        guard let list = board.files, let root = board.options.files else { return nil }
        let work = BlockingWork(label: "files.scanning", FileScanner(root: root))
        try await list.show(try await work.run { try $0.state() })
        return RefreshService(
            list: list,
            interval: board.options.filesInterval,
            logger: board.logger
        ) {
            try await work.run { try $0.state() }
        }
    }
}

/// Looks at the processes again and again, and ranks them by what they did in between.
private struct ProcessWatch {
    private var sampler = ProcessSampler()
    private var ranking: ProcessRanking
    private var last: ContinuousClock.Instant?

    init(grouping: ProcessRanking.Grouping) {
        ranking = ProcessRanking(
            grouping: grouping,
            ticksPerSecond: ProcessSampler.ticksPerSecond
        )
    }

    mutating func state() throws -> ListState {
        let now = ContinuousClock.now
        let elapsed = last.map { $0.duration(to: now) } ?? .zero
        last = now
        let (seconds, attoseconds) = elapsed.components
        let samples = try sampler.sample()
        return ranking.state(of: samples, seconds: Double(seconds) + Double(attoseconds) * 1e-18)
    }
}
