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
        let board = try Board(options, on: eventLoops.any(), logger: logger)
        self.board = board
        application = Application(
            router: board.makeRouter(metrics: metrics),
            server: HTTPServerBuilder { BoardChannel(responder: $0, board: board) },
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                backlog: 4096
            ),
            services: try await Self.services(of: board),
            onServerRunning: { channel in
                guard let address = channel.localAddress, let port = address.port else { return }
                let own = ServerAddress(host: address.ipAddress ?? options.host, port: port)
                board.leaderAddress?.listens(at: own)
                onRunning(own.authority)
            },
            eventLoopGroupProvider: .shared(eventLoops),
            logger: logger
        )
    }

    /// Serves until the process is asked to end.
    package func run() async throws { try await application.runService() }

    /// What makes lists, and ends them; the last shuts down first.
    private static func services(of board: Board) async throws -> [any Service] {
        var services: [any Service] = [SearchService(searches: board.searches)]
        if let cluster = board.options.cluster {
            // What cannot be made is said now, and not when this server comes to lead.
            for plan in board.plans where cluster.mayLead {
                _ = try await plan.feed?.state(from: nil)
            }
            let lists = board.lists.compactMap { $0 as? ReplicatedList }
            return [ReplicationService(lists: lists, logs: cluster.logs)] + services
        }
        for (plan, list) in zip(board.plans, board.lists) {
            guard let feed = plan.feed, let list = list.source else { continue }
            services.insert(
                ControllerService(controller: list.controller, drainingTimeout: .seconds(5)),
                at: 0
            )
            try await list.show(try await feed.state(from: nil))
            services.append(FeedService(list: list, feed: feed))
        }
        return services
    }
}
