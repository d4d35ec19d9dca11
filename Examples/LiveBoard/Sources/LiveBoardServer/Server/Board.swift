import CollectionPublishing
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
    let processes: LiveList
    let cards: LiveList
    let files: LiveList?
    let churn: LiveList?
    let searches: SearchLists
    let connections = Connections()
    let limits: ConnectionLimits
    let meters: ServerMeters
    let streaming: StreamSurroundings
    let assets: Assets

    private let lastCard = Mutex(BoardModel.initial.count)

    /// - Parameter eventLoop: the main lane of the cards.
    init(_ options: ServerOptions, on eventLoop: any EventLoop, logger: Logger) {
        self.options = options
        self.logger = logger
        let surroundings = ListSurroundings(
            announcementInterval: options.announcementInterval,
            heartbeat: options.heartbeat,
            observer: PipelineReporter(logger: logger)
        )
        processes = LiveList(name: "processes", title: "Processes", surroundings: surroundings)
        cards = LiveList(
            name: "board",
            title: "Board",
            surroundings: surroundings,
            lane: EventLoopLane(eventLoop, label: "board.main")
        )
        files = options.files.map { _ in
            LiveList(name: "files", title: "Files", surroundings: surroundings)
        }
        churn = options.churn.map { _ in
            LiveList(name: "churn", title: "Churn", surroundings: surroundings)
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

    /// The lists that have names, in the order in which a page shows them.
    var lists: [LiveList] { [processes, cards] + [files, churn].compactMap { $0 } }

    func list(_ name: String) throws(RequestFault) -> LiveList {
        guard let list = lists.first(where: { $0.name == name }) else { throw .notFound("list") }
        return list
    }

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

    /// Does an edit of the board, and returns when it is deployed.
    ///
    /// - Returns: the version from which on every state has it, and the card.
    func edit(
        _ edit: BoardEdit,
        context: (any Sendable)?
    ) async throws -> (version: PublishedVersion, id: String) {
        let card = Mutex("")
        let result: UpdateResult
        do throws(UpdateError) {
            result = try await cards.edit(context: context) { [self] source, changes in
                var model = BoardModel(source.state)
                do throws(BoardFault) {
                    let made = try model.apply(edit, newID: makeCardID())
                    card.withLock { $0 = made.id }
                    source.state = model.state
                    for operation in made.changes.operations { changes.record(operation) }
                } catch {
                    // Nothing has changed: the board and its list agree.
                    throw Withdrawal(error)
                }
            }
        } catch {
            if let fault = error.underlyingError as? BoardFault {
                throw RequestFault.conflict(fault)
            }
            if [.closed, .cancelled].contains(error.code) { throw RequestFault.shuttingDown }
            throw error
        }
        let number = result.generation ?? cards.controller.visibleMap.generation
        let handle = cards.hub.snapshot.version.handle
        return (PublishedVersion(handle: handle, number: number), card.withLock { $0 })
    }

    private func makeCardID() -> String {
        let number = lastCard.withLock { number in
            number += 1
            return number
        }
        return "c\(number)"
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
}
