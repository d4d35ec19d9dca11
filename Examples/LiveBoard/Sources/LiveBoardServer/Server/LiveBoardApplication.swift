import CollectionPublishing
import CollectionReplication
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A complete server: lists, the services that refresh them, and Hummingbird, in one group of
/// services.
///
/// ```swift
/// let server = try await LiveBoardApplication(options, logger: logger) { address in
///     print("http://\(address)/")
/// }
/// try await server.run()
/// ```
///
/// On a graceful shutdown the HTTP server stops first, so that edits finish and readers can connect
/// elsewhere. The services that refresh lists stop next. The lists stop last and deploy all
/// accepted updates.
package struct LiveBoardApplication: Sendable {
    /// The Hummingbird application.
    let application: Application<HeadResponder<RouterResponder<BoardContext>>>
    let board: Board

    /// Creates a server and loads its lists.
    ///
    /// - Parameters:
    ///   - options: The lists to show, and the address to listen on.
    ///   - logger: The log for events that an operator should see.
    ///   - onRunning: A closure that receives the server's address, such as `127.0.0.1:8080`, when
    ///     it listens.
    /// - Throws: An error if a list cannot be loaded, for example because its folder is missing.
    package init(
        _ options: ServerOptions,
        logger: Logger,
        onRunning: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        let eventLoops = MultiThreadedEventLoopGroup.singleton
        let board = try Board(options, on: eventLoops.any(), logger: logger)
        self.board = board
        application = Application(
            responder: HeadResponder(base: board.makeRouter().buildResponder()),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        ConnectionDeadlines(options, unsent: board.unsent),
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

    /// Serves until the process receives a termination signal.
    package func run() async throws { try await application.runService() }
}

/// The lists of a server.
final class Board: Sendable {
    let options: ServerOptions
    let plans: [ListPlan]
    /// The lists, in the order of their plans.
    let lists: [any ServedList]
    /// The forwarder of edits to the leader; `nil` without a cluster.
    let forwarder: EditForwarder?
    /// The log of failed requests.
    let faults: FaultLog
    /// The limit on the parts of large answers that are rendered at one time.
    let rendering: RenderingLimit
    /// The limit on the bytes that wait for readers.
    let unsent: UnsentBytes

    /// - Parameter eventLoop: The event loop of the board's main lane.
    /// - Throws: An error if the log of a list cannot be opened.
    init(_ options: ServerOptions, on eventLoop: any EventLoop, logger: Logger) throws {
        self.options = options
        faults = FaultLog(logger)
        rendering = RenderingLimit(options.renderingLimit)
        unsent = UnsentBytes(limit: options.unsentByteLimit, logger: logger)
        let plans = ListPlan.all(options, logger)
        self.plans = plans
        let observer = PipelineReporter(logger: logger)
        let boardLane = EventLoopLane(eventLoop, label: "board.main")
        @Sendable func makeSource(
            _ plan: ListPlan,
            hub: HubConfiguration,
            _ names: RowNames
        ) -> SourceList {
            SourceList(
                name: plan.name,
                hub: hub,
                lane: plan.name == "board" ? boardLane : nil,
                names: names,
                observer: observer
            )
        }
        func hub(_ plan: ListPlan) -> HubConfiguration {
            var hub = HubConfiguration()
            hub.name = "\(plan.name).hub"
            hub.minimumInterval = options.announcementInterval
            hub.heartbeat = options.heartbeat
            return hub
        }
        guard let cluster = options.cluster else {
            forwarder = nil
            let names = RowNames(last: BoardModel.initial.count)
            lists = plans.map { makeSource($0, hub: hub($0), names) }
            return
        }
        let forwarder = try EditForwarder(cluster, logger: logger)
        self.forwarder = forwarder
        lists = try plans.map { plan in
            try ReplicatedList(
                plan,
                hub: hub(plan),
                cluster: cluster,
                forwarder: plan.name == "board" ? forwarder : nil,
                logger: logger
            ) { names in
                // The log receives everything immediately. The intervals are those of readers.
                makeSource(plan, hub: HubConfiguration(), names)
            }
        }
    }

    func list(_ name: String) throws(RequestFault) -> any ServedList {
        guard let list = lists.first(where: { $0.name == name }) else { throw .notFound("list") }
        return list
    }

    /// Returns the services that refresh and close the lists. The last one shuts down first.
    func makeServices() async throws -> [any Service] {
        if let cluster = options.cluster {
            // A broken feed fails now, not when this server becomes the leader.
            for plan in plans where cluster.mayLead { _ = try await plan.feed?.state(nil) }
            let lists = lists.compactMap { $0 as? ReplicatedList }
            return [ReplicationService(lists: lists, logs: cluster.logs)]
        }
        var (closing, feeding): ([any Service], [any Service]) = ([], [])
        for (plan, list) in zip(plans, lists) {
            guard let feed = plan.feed, let list = list.source else { continue }
            try await list.show(try await feed.state(nil))
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

/// The options of a server. The defaults are those of the command.
package struct ServerOptions: Sendable {
    /// The address to listen on. By default only this machine can reach it.
    package var host = "127.0.0.1"
    /// The port; 0 selects a free one.
    package var port = 8080
    /// The time between two samples of the processes.
    package var interval = Duration.seconds(1)
    /// The folder of the list of files; `nil` for no such list.
    package var files: String?
    /// The time between two scans of that folder.
    package var filesInterval = Duration.seconds(10)
    /// The minimum time between two announcements of a list.
    package var announcementInterval = Duration.milliseconds(100)
    /// The time between two messages to a reader that has everything.
    package var heartbeat = Duration.seconds(10)
    /// The maximum number of connections, if the process may have enough descriptors.
    package var connections = 10_000
    /// The maximum number of answers of more than about 64 KB, such as whole lists, that are rendered
    /// at one time. It leaves one of the threads for edits and everything else.
    package var renderingLimit = max(1, System.coreCount - 1)
    /// The maximum number of bytes that wait for readers, for all connections together. A reader
    /// that stops inside a large answer has 64 to 128 KB, so this is enough for 2,000 of them. Beyond
    /// it, the connection that has accepted no bytes for the longest time is closed.
    package var unsentByteLimit = 256 << 20
    /// The time after which a connection that accepts no bytes is closed.
    package var writeTimeout = Duration.seconds(120)
    /// The time after which a connection is closed if it is idle or does not complete its request.
    package var idleTimeout = Duration.seconds(60)
    /// The time that requests have to finish on a graceful shutdown. Lists then have the same time.
    package var shutdownTimeout = Duration.seconds(5)
    /// The size of the kernel's send buffer for a connection, in bytes. It is small, because fewer
    /// and later updates serve a slow reader better. The kernel's default grows to megabytes.
    package var sendBuffer = 128 << 10
    /// The folder of the page's files; `nil` for `Page` in this package.
    package var page: String?
    /// The options for sharing lists with other servers; `nil` for a single server.
    package var cluster: ClusterOptions?

    /// Creates the default options.
    package init() {}
}

/// The options of a server in a group of servers that show the same lists.
package struct ClusterOptions: Sendable {
    /// The connection to the broker that stores the logs of the lists.
    package var logs: LogProvider
    /// Whether the server campaigns for leadership and makes the lists that it leads.
    package var mayLead = false
    /// Whether the server shows the files of the leader.
    package var followsFiles = false
    /// The folder with a journal for each list that the server may lead; `nil` for none.
    package var journal: String?
    /// The address at which other servers reach this one; `nil` for the address that it listens on.
    package var address: ServerAddress?
    /// The key of all records, which must be the same for all servers.
    package var key = StableHashKey.usual
    /// The time after which a silent leader is replaced.
    package var leaseDuration = Duration.seconds(2)
    /// The time that an edit may take to reach another server or to pass through the broker.
    package var editTimeout = Duration.seconds(10)

    /// Creates the options of a server that only follows.
    package init(logs: LogProvider) { self.logs = logs }
}

/// A connection to a broker that stores the logs of lists.
package struct LogProvider: Sendable {
    /// Returns a log. Its name consists of letters and hyphens.
    let log: @Sendable (_ name: String) throws -> any ReplicatedLog
    /// Closes the connection.
    let close: @Sendable () -> Void

    package init(
        log: @escaping @Sendable (_ name: String) throws -> any ReplicatedLog,
        close: @escaping @Sendable () -> Void
    ) {
        (self.log, self.close) = (log, close)
    }
}

/// The address of a server: `http://HOST:PORT`.
package struct ServerAddress: Hashable, Sendable, LosslessStringConvertible {
    /// The host's name or IP address, without brackets.
    package let host: String
    /// The port.
    package let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Creates an address, or returns `nil` if the text has anything but a host and a port.
    package init?(_ description: String) {
        guard let parts = URLComponents(string: description, encodingInvalidCharacters: false),
            let host = parts.host?.trimmingCharacters(in: ["[", "]"]), !host.isEmpty,
            let port = parts.port, (1...65_535).contains(port)
        else { return nil }
        self.init(host: host, port: port)
        guard self.description == description else { return nil }
    }

    /// The host and the port in the form of a request's `Host` field.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address as text.
    package var description: String { "http://\(authority)" }
}
