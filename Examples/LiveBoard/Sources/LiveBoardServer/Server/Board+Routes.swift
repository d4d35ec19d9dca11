import CollectionPublishing
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

extension Board {
    func makeRouter() -> Router<BoardContext> {
        let example = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = options.page ?? example.appendingPathComponent("Page").path
        // A browser may cache a file, but must revalidate it for each use.
        let cache = CacheControl([(MediaType(type: .any), [CacheControl.Value.noCache])])
        let router = Router(context: BoardContext.self)
        router.addMiddleware {
            TracingMiddleware()
            LogRequestsMiddleware(.debug)
            GuardMiddleware(host: options.host, faults: faults)
            FileMiddleware(page, cacheControl: cache, searchForIndexHtml: true)
            FileMiddleware(page, urlBasePath: "/assets", cacheControl: cache)
        }
        router.get("/assets/:name") { request, context in
            let script = BrowserScript.named(try context.parameters.require("name"))
            // On this error, `FileMiddleware` looks for a file of the page.
            guard let script else { throw RequestFault.notFound("script") }
            let isKnown = request.headers[.ifNoneMatch]?.contains(script.entityTag) == true
            var fields: HTTPFields = [.eTag: script.entityTag, .cacheControl: "no-cache"]
            if isKnown { return Response(status: .notModified, headers: fields) }
            fields[.contentType] = script.contentType
            let body = ResponseBody(byteBuffer: ByteBuffer(bytes: script.bytes))
            return Response(status: .ok, headers: fields, body: body)
        }
        router.get("/lists") { [self] _, _ in
            plans.map {
                ListDescription(name: $0.name, title: $0.title, editable: $0.name == "board")
            }
        }
        router.get("/lists/:name/updates") { [self] request, context in
            try follow(try list(of: context), request, context)
        }
        router.get("/lists/:name/snapshot") { [self] _, context in
            snapshotResponse(try list(of: context).streams.hub.snapshot)
        }
        router.post("/lists/:name/window") { [self] request, context in
            let list = try list(of: context)
            let wanted = try await request.decode(as: RequestedWindow.self, context: context)
            guard let window = try wanted.published() else {
                throw RequestFault.badValue("row or anchor", "given")
            }
            let connection = try request.uri.queryParameters.require("connection")
            try list.streams.setWindow(window, of: connection)
            return HTTPResponse.Status.noContent
        }
        router.post("/lists/:name/edits") { [self] request, context in
            let list = try list(of: context)
            guard list.name == "board" else { throw RequestFault.notEditable }
            return try await editResponse(request, context, of: list)
        }
        router.get("/health") { [self] _, _ in
            let health = Health(lists: lists.map { .init($0) })
            let isOK = health.lists.allSatisfy(\.isCurrent)
            return EditedResponse(status: isOK ? .ok : .serviceUnavailable, response: health)
        }
        return router
    }

    private struct ListDescription: ResponseEncodable {
        let name: String
        let title: String
        let editable: Bool
    }

    /// The state of the lists for load balancers and operators.
    private struct Health: ResponseEncodable {
        struct List: Encodable {
            let name: String
            let role: String
            let isCurrent: Bool
            let version: String
            let connections: Int

            init(_ list: any ServedList) {
                name = list.name
                role = list.role
                isCurrent = list.isCurrent
                version = list.streams.hub.snapshot.version.description
                connections = list.streams.count
            }
        }

        let lists: [List]
    }

    /// Returns the list that the URL names.
    private func list(of context: BoardContext) throws -> any ServedList {
        let name = try context.parameters.require("name")
        return try list(name.removingPercentEncoding ?? name)
    }

    /// Returns a response with everything that is announced, as one message.
    private func snapshotResponse(_ snapshot: PublishedSnapshot) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody { [rendering] writer in
                var text = try MessageWriter(.reset(snapshot, .joined))
                while let chunk = try await rendering.turn({ try text.next() }) {
                    try await writer.write(ByteBuffer(bytes: chunk))
                }
                try await writer.finish(nil)
            }
        )
    }

    // MARK: Streams

    /// Returns a stream of server-sent events, which ends when the reader or the server ends it.
    private func follow(
        _ list: any ServedList,
        _ request: Request,
        _ context: BoardContext
    ) throws -> Response {
        let query = request.uri
        let version =
            request.headers[HTTPField.Name("Last-Event-ID")!]
            ?? query.queryParameters["from"].map(String.init)
        guard let wanted = try? query.decodeQuery(as: RequestedWindow.self, context: context) else {
            throw RequestFault.badValue("row, rows, anchor, before and after", "numbers")
        }
        let window = try wanted.published()
        let body = ResponseBody { [faults, rendering] writer in
            let (name, events) = try list.streams.add(version, window)
            defer { list.streams.remove(name) }
            try await withGracefulShutdownHandler {
                try await request.body.consumeWithInboundCloseHandler { _ in
                    await cancelWhenGracefulShutdown { await list.loaded() }
                    try await writer.write(
                        ByteBuffer(
                            string: "event: connection\ndata: {\"connection\":\"\(name)\"}\n\n"
                        )
                    )
                    do {
                        var (iterator, isAtEnd) = (events.makeAsyncIterator(), true)
                        // A turn is only for the rest of an event, because the next event may be
                        // far in the future.
                        while let chunk = isAtEnd
                            ? try await iterator.next()
                            : try await rendering.turn({ try await iterator.next() })
                        {
                            isAtEnd = chunk.suffix(2).elementsEqual("\n\n".utf8)
                            try await writer.write(ByteBuffer(bytes: chunk))
                        }
                    } catch let error as WireError {
                        faults.log(.error, "\(list.name) could not be sent: \(error)")
                        throw error
                    }
                } onInboundClosed: {
                    events.end()
                }
            } onGracefulShutdown: {
                events.end()
            }
            try await writer.finish(nil)
        }
        var headers = HTTPFields()
        for (name, value) in EventStream.headers { headers[HTTPField.Name(name)!] = value }
        return Response(status: .ok, headers: headers, body: body)
    }

    // MARK: Edits

    private struct EditAnswer: ResponseEncodable {
        /// The version that contains the edit, as do all later ones.
        let version: String
        /// The name of the card.
        let id: String
    }

    /// Makes or forwards an edit, and responds after its deployment.
    private func editResponse(
        _ request: Request,
        _ context: BoardContext,
        of list: any ServedList
    ) async throws -> Response {
        var request = request
        let body = try await request.collectBody(upTo: context.maxUploadSize)
        let edit = try await request.decode(as: BoardEdit.self, context: context)
        let isForwarded = request.headers[HTTPField.Name(EditForwarder.mark)!] != nil
        if list.source == nil, let forwarder, !isForwarded {
            let answer = try await forwarder.forward(body)
            return Response(
                status: .init(code: answer.status),
                headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: answer.body)
            )
        }
        let made = try await list.make(edit)
        return try EditAnswer(version: "\(made.version)", id: made.id)
            .response(from: request, context: context)
    }
}

/// The rows of a list that a reader requests, in a query or in JSON. Headers and items have one flat
/// order, from 0.
struct RequestedWindow: Decodable {
    private let row, rows, anchor, before, after: Int?
    private let version: String?

    /// The maximum number of rows in a window, of which the hub keeps a copy for each connection.
    /// The page requests at most 2,000.
    static let largest = 2000

    /// Returns the window in the form that the hub accepts; `nil` for the whole list.
    ///
    /// A window with an `anchor` follows the row at that number in `version`. If the hub no longer
    /// knows that version, it uses the newest one.
    func published() throws(RequestFault) -> PublishedWindow? {
        func number(
            _ value: Int?,
            _ name: String,
            _ range: ClosedRange<Int>
        ) throws(RequestFault) -> Int {
            if let value, range.contains(value) { return value }
            throw .badValue(name, "from \(range.lowerBound) to \(range.upperBound)")
        }
        let places = 0...Int(Int32.max)
        switch (row ?? rows, anchor ?? before ?? after) {
        case (nil, nil): return nil
        case (_, nil):
            return .rows(
                try number(row, "row", places),
                count: try number(rows, "rows", 1...Self.largest)
            )
        case (nil, _):
            guard let version = version.flatMap({ PublishedVersion($0) }) else {
                throw .badValue("version", "a version, such as 00c0ffee00c0ffee.12")
            }
            return .around(
                row: try number(anchor, "anchor", places),
                at: version,
                before: try number(before, "before", 0...(Self.largest / 2)),
                after: try number(after, "after", 0...(Self.largest / 2 - 1))
            )
        default: throw .badValue("row", "left out if an anchor is given")
        }
    }
}

/// The connections that follow a hub, by name.
final class ListStreams: Sendable {
    let hub: UpdateHub
    private let connections = Mutex<[String: EventStream]>([:])

    init(hub: UpdateHub) { self.hub = hub }

    /// The number of connections that follow the list.
    var count: Int { connections.withLock { $0.count } }

    /// Adds a connection. The caller must remove it with ``remove(_:)``.
    ///
    /// - Returns: An unguessable name for the connection, and its events.
    func add(
        _ lastEventID: String?,
        _ window: PublishedWindow?
    ) throws(HubError) -> (name: String, events: EventStream) {
        let events = try hub.events(lastEventID: lastEventID, window: window)
        let name = UUID().uuidString
        connections.withLock { $0[name] = events }
        return (name, events)
    }

    func remove(_ name: String) {
        connections.withLock { $0.removeValue(forKey: name) }?.end()
    }

    /// Changes the window of a connection.
    func setWindow(_ window: PublishedWindow, of name: String) throws {
        guard let events = connections.withLock({ $0[name] }) else {
            throw RequestFault.notFound("connection")
        }
        do throws(HubError) {
            try events.setWindow(window)
        } catch {
            throw error.code == .notWindowed ? RequestFault.notWindowed : error
        }
    }
}
