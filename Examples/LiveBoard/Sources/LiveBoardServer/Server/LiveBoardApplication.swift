import CollectionPublishing
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The whole server: lists, the services that refresh them, and Hummingbird, as one group of services.
///
/// ```swift
/// let server = try await LiveBoardApplication(options, logger: logger) { address in
///     print("http://\(address)/")
/// }
/// try await server.run()
/// ```
///
/// On a graceful shutdown the server stops first, so that edits end and readers go elsewhere; then the services that
/// refresh lists; then the lists, which deploy what they accepted.
package struct LiveBoardApplication: Sendable {
    /// Hummingbird's application.
    let application: Application<HeadResponder<RouterResponder<BoardContext>>>
    let board: Board

    /// Makes a server, with its lists loaded.
    ///
    /// - Parameters:
    ///   - options: what to show, and where.
    ///   - logger: the log for everything that a person should see.
    ///   - onRunning: receives the address once it can be reached, such as `127.0.0.1:8080`.
    /// - Throws: if a list cannot be loaded, for example because its folder is not there.
    package init(
        _ options: ServerOptions,
        logger: Logger,
        onRunning: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        let eventLoops = MultiThreadedEventLoopGroup.singleton
        let board = try Board(options, on: eventLoops.any(), logger: logger)
        self.board = board
        let timeouts = ConnectionTimeouts(
            idle: TimeAmount(options.idleTimeout),
            write: TimeAmount(options.writeTimeout),
            shutdown: TimeAmount(options.shutdownTimeout)
        )
        application = Application(
            responder: HeadResponder(base: board.makeRouter().buildResponder()),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        ConnectionDeadlines(timeouts, sendBuffer: options.sendBuffer),
                        HeadAnswers(),
                    ],
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8 << 10,
                        maxHeaderListSize: 16 << 10,
                        maxHeaderFieldCount: 100
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                backlog: 4096,
                availableConnectionsDelegate: ConnectionLimit(options.connections, logger: logger)
            ),
            services: try await board.makeServices(),
            onServerRunning: { channel in
                guard let address = channel.localAddress, let port = address.port else { return }
                let own = ServerAddress(host: address.ipAddress ?? options.host, port: port)
                board.forwarder?.listens(at: own)
                onRunning(own.authority)
            },
            eventLoopGroupProvider: .shared(eventLoops),
            logger: logger
        )
    }

    /// Serves until the process is asked to end.
    package func run() async throws { try await application.runService() }
}

/// The lists of a server.
final class Board: Sendable {
    let options: ServerOptions
    let plans: [ListPlan]
    /// The lists, in the order of their plans.
    let lists: [any ServedList]
    /// Passes edits on to the leader; `nil` if this server is the only one.
    let forwarder: EditForwarder?
    /// The log of requests that fail.
    let faults: FaultLog

    /// - Parameter eventLoop: the main lane of the cards.
    /// - Throws: if the log of a list cannot be opened.
    init(_ options: ServerOptions, on eventLoop: any EventLoop, logger: Logger) throws {
        self.options = options
        faults = FaultLog(logger)
        let plans = ListPlan.all(options, logger)
        self.plans = plans
        let settings = ListSettings(
            announcementInterval: options.announcementInterval,
            heartbeat: options.heartbeat,
            observer: PipelineReporter(logger: logger)
        )
        let boardLane = EventLoopLane(eventLoop, label: "board.main")
        guard let cluster = options.cluster else {
            forwarder = nil
            let names = RowNames(last: BoardModel.initial.count)
            lists = plans.map { plan in
                let lane = plan.name == "board" ? boardLane : nil
                return LiveList(name: plan.name, settings: settings, lane: lane, names: names)
            }
            return
        }
        let forwarder = try EditForwarder(cluster, logger: logger)
        self.forwarder = forwarder
        // The log receives everything immediately. The intervals are those of the hub that readers follow.
        var unread = settings
        (unread.announcementInterval, unread.heartbeat) = (.zero, nil)
        lists = try plans.map { [unread] plan in
            let isBoard = plan.name == "board"
            return try ReplicatedList(
                plan,
                settings,
                cluster: cluster,
                forwarder: isBoard ? forwarder : nil,
                logger: logger
            ) { names in
                let lane = isBoard ? boardLane : nil
                return LiveList(name: plan.name, settings: unread, lane: lane, names: names)
            }
        }
    }

    func list(_ name: String) throws(RequestFault) -> any ServedList {
        guard let list = lists.first(where: { $0.name == name }) else { throw .notFound("list") }
        return list
    }

    /// Returns the services that make lists and close them. The last one shuts down first.
    func makeServices() async throws -> [any Service] {
        if let cluster = options.cluster {
            // A feed that cannot work fails now, and not when this server becomes the leader.
            for plan in plans where cluster.mayLead { _ = try await plan.feed?.state(from: nil) }
            let lists = lists.compactMap { $0 as? ReplicatedList }
            return [ReplicationService(lists: lists, logs: cluster.logs)]
        }
        var (closing, feeding): ([any Service], [any Service]) = ([], [])
        for (plan, list) in zip(plans, lists) {
            guard let feed = plan.feed, let list = list.source else { continue }
            try await list.show(try await feed.state(from: nil))
            closing.append(
                ControllerService(
                    controller: list.controller,
                    drainingTimeout: options.shutdownTimeout
                )
            )
            feeding.append(FeedService(list: list, feed: feed))
        }
        return closing + feeding
    }
}
