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
        // A browser may keep a file, and asks each time whether it is still the same.
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
            // What is no script may be a file of the page.
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
            try follow(try list(of: context), request)
        }
        router.get("/lists/:name/snapshot") { [self] _, context in
            Self.answer(try list(of: context).streams.hub.snapshot)
        }
        router.post("/lists/:name/window") { [self] request, context in
            let list = try list(of: context)
            let window = try await request.decode(as: RequestedWindow.self, context: context)
            let connection = try request.uri.queryParameters.require("connection")
            try list.streams.setWindow(window, of: connection)
            return HTTPResponse.Status.noContent
        }
        router.post("/lists/:name/edits") { [self] request, context in
            let list = try list(of: context)
            guard list.name == "board" else { throw RequestFault.notEditable }
            return try await answerEdit(request, context, of: list)
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

    /// What a balancer and an operator want to know. The pipelines' own numbers are in the metrics.
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

    /// The list that an address names.
    private func list(of context: BoardContext) throws -> any ServedList {
        let name = try context.parameters.require("name")
        return try list(name.removingPercentEncoding ?? name)
    }

    /// Everything that is announced, as a message.
    private static func answer(_ snapshot: PublishedSnapshot) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                var text = try MessageWriter(.reset(snapshot, .joined))
                while let chunk = try text.next() {
                    try await writer.write(ByteBuffer(bytes: chunk))
                }
                try await writer.finish(nil)
            }
        )
    }

    // MARK: Streams

    /// Answers with server-sent events until the reader or the server goes.
    private func follow(_ list: any ServedList, _ request: Request) throws -> Response {
        let stream = try StreamRequest(request)
        let body = ResponseBody { [faults] writer in
            let (name, events) = try list.streams.add(stream)
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
                        for try await chunk in events {
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
        /// From this version on, every state that a reader receives has the edit.
        let version: String
        /// The card.
        let id: String
    }

    /// Makes an edit, or passes it on, and answers when it is deployed.
    private func answerEdit(
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
        let made = try await make(edit, of: list)
        return try EditAnswer(version: "\(made.version)", id: made.id)
            .response(from: request, context: context)
    }

    /// Makes an edit of the board, and returns when it is deployed.
    func make(
        _ edit: BoardEdit,
        of list: any ServedList
    ) async throws -> (version: PublishedVersion, id: String) {
        let card = Mutex("")
        do {
            // The span travels with the edit, so that the pipeline's steps appear beneath the request's.
            let trace = SubmissionTrace("board edit")
            let version = try await list.change(context: trace) { source, changes in
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
}
