import CollectionPublishing
import CollectionReplication
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// Everything that a server has: its lists, what is searched in them, and what all connections share.
final class Board: Sendable {
    let options: ServerOptions
    let logger: Logger
    /// The lists that have names, in the order in which a page shows them.
    let lists: [any NamedList]
    /// What makes those that are made here; nil for what is only followed.
    let plans: [ListPlan]
    let searches: SearchLists
    let connections = Connections()
    let limits: ConnectionLimits
    let meters: ServerMeters
    let streaming: StreamSurroundings
    let assets: Assets

    /// Where edits go that this server cannot do; nil where it is the only one.
    let forwarder: EditForwarder?
    /// Where other servers find the one that leads the board.
    let leaderAddress: LeaderAddress?

    /// - Parameter eventLoop: the main lane of the cards.
    /// - Throws: where a list's log cannot have its name.
    init(_ options: ServerOptions, on eventLoop: any EventLoop, logger: Logger) throws {
        self.options = options
        self.logger = logger
        let surroundings = ListSurroundings(
            announcementInterval: options.announcementInterval,
            heartbeat: options.heartbeat,
            observer: PipelineReporter(logger: logger)
        )
        plans = ListPlan.all(options, logger)
        let lane = EventLoopLane(eventLoop, label: "board.main")
        if let cluster = options.cluster {
            let address = LeaderAddress(
                log: try cluster.logs.log(named: "board-leader"),
                own: cluster.address,
                interval: cluster.leaseDuration,
                logger: logger
            )
            leaderAddress = address
            forwarder = EditForwarder(
                address: address,
                path: "/lists/board/edits",
                timeout: cluster.editTimeout,
                logger: logger
            )
            // What goes into a log goes at once; readers are told as often as they are told anything.
            var unread = surroundings
            (unread.announcementInterval, unread.heartbeat) = (.zero, nil)
            lists = try plans.map { [unread] plan in
                let isBoard = plan.name == "board"
                return try ReplicatedList(
                    plan,
                    surroundings,
                    cluster: cluster,
                    address: isBoard ? address : nil,
                    logger: logger
                ) { names in
                    plan.makeList(unread, lane: isBoard ? lane : nil, names)
                }
            }
        } else {
            (leaderAddress, forwarder) = (nil, nil)
            let names = RowNames(last: BoardModel.initial.count)
            lists = plans.map { plan in
                plan.makeList(surroundings, lane: plan.name == "board" ? lane : nil, names)
            }
        }
        searches = SearchLists(
            surroundings: surroundings,
            limit: options.searches,
            linger: options.searchLinger
        )
        limits = ConnectionLimits(
            all: options.connections,
            perAddress: options.connectionsPerAddress
        )
        meters = ServerMeters(logger: logger)
        streaming = StreamSurroundings(
            connections: connections,
            meters: meters,
            writeTimeout: TimeAmount(options.writeTimeout)
        )
        assets = Assets(page: options.page, logger: logger)
    }

    func list(_ name: String) throws(RequestFault) -> any NamedList {
        guard let list = lists.first(where: { $0.name == name }) else { throw .notFound("list") }
        return list
    }

    /// Whether a list is the board, which is edited.
    func isEditable(_ list: any NamedList) -> Bool { list.name == "board" }

    var writeTimeout: TimeAmount { TimeAmount(options.writeTimeout) }
    var requestTimeout: TimeAmount { TimeAmount(options.requestTimeout) }
    /// How long a connection may be idle between two requests.
    let idleTimeout = Duration.seconds(60)

    /// How large the fields of a request may be.
    let decoderLimits: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8 << 10
        limits.maxHeaderListSize = 16 << 10
        limits.maxHeaderFieldCount = 100
        return limits
    }()

    // MARK: Streams

    /// The list that a request wants to follow; nil where it is another request, or is to be answered with a fault, which
    /// the router does.
    func stream(for head: HTTPRequestHead) -> OpenStream? {
        guard head.method == .GET, head.version == .http1_1 else { return nil }
        let headers = head.headers
        do throws(RequestFault) {
            try Requests.checkHost(headers.first(name: "host"), options)
            guard
                let request = try StreamRequest(
                    target: RequestTarget(head.uri),
                    lastEventID: headers.first(name: "last-event-id"),
                    acceptEncoding: headers.first(name: "accept-encoding")
                )
            else { return nil }
            return try open(request)
        } catch {
            return nil
        }
    }

    /// Finds the list of a request, or makes that of a search.
    func open(_ request: StreamRequest) throws(RequestFault) -> OpenStream {
        let base = try list(request.list)
        let lease = try request.query.map { query throws(RequestFault) in
            try searches.join(base, query)
        }
        return OpenStream(
            list: lease?.list ?? base,
            lease: lease,
            from: request.from,
            window: request.window,
            isCompressed: request.isCompressed
        )
    }

    // MARK: Edits

    /// Does an edit of the board, and returns when readers are shown it.
    ///
    /// - Returns: the version from which on every state has it, and the card.
    func edit(
        _ edit: BoardEdit,
        of list: any NamedList,
        context: (any Sendable)?
    ) async throws -> (version: PublishedVersion, id: String) {
        let card = Mutex("")
        do {
            let version = try await list.change(context: context) { source, changes in
                var model = BoardModel(source.state)
                do throws(BoardFault) {
                    let made = try model.apply(edit, newID: source.makeName())
                    card.withLock { $0 = made.id }
                    source.state = model.state
                    for operation in made.changes.operations { changes.record(operation) }
                } catch {
                    // Nothing has changed: the board and its list agree.
                    throw Withdrawal(error)
                }
            }
            return (version, card.withLock { $0 })
        } catch let error as UpdateError {
            if let fault = error.underlyingError as? BoardFault {
                throw RequestFault.conflict(fault)
            }
            if [.closed, .cancelled].contains(error.code) { throw RequestFault.shuttingDown }
            throw error
        }
    }

    /// How everything is.
    func health() async -> HealthReport {
        await HealthReport(
            lists: lists,
            searches: searches.count,
            connections: limits.count,
            streams: connections.count
        )
    }

    /// Sets the numbers of replicated lists that change all the time.
    func measureReplication() {
        for list in lists {
            guard let list = list as? ReplicatedList else { continue }
            list.reporter.measure(list.replica.status)
        }
    }
}
