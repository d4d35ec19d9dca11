import CollectionPublishing
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Tracing

// What is answered by Hummingbird; who follows a list is served by a `StreamConnection` before it comes here.

extension Board {
    func makeRouter(metrics: TextMetrics?) -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.addMiddleware {
            TracingMiddleware()
            FaultMiddleware(board: self)
        }
        router.get("/") { [self] request, _ in try answer("index.html", to: request) }
        router.get("/assets/:name") { [self] request, context in
            try answer(try context.parameters.require("name"), to: request)
        }
        router.get("/lists") { [self] _, _ in
            try Self.json(
                lists.map { list in
                    ListDescription(
                        name: list.name,
                        title: list.title,
                        editable: isEditable(list)
                    )
                }
            )
        }
        router.get("/lists/:name/updates") { [self] request, _ in try refuseStream(request) }
        router.get("/lists/:name/snapshot") { [self] _, context in
            let list = try list(try context.parameters.require("name"))
            return Self.text(try await list.snapshotText(), type: "application/json")
        }
        router.post("/lists/:name/window") { [self] request, context in
            try await moveWindow(request, of: try context.parameters.require("name"))
        }
        router.post("/lists/:name/edits") { [self] request, context in
            try await answerEdit(request, of: try context.parameters.require("name"))
        }
        router.get("/health") { [self] _, _ in
            let report = await health()
            return try Self.json(report, status: report.status == "ok" ? .ok : .serviceUnavailable)
        }
        router.get("/metrics") { [self] _, _ in
            measureReplication()
            return Self.text(metrics?.text ?? "", type: "text/plain; version=0.0.4; charset=utf-8")
        }
        return router
    }

    private struct ListDescription: Encodable {
        let name: String
        let title: String
        let editable: Bool
    }

    // MARK: Files

    private func answer(_ name: String, to request: Request) throws -> Response {
        let asset = try assets.asset(name)
        // It may be kept, and is asked about each time.
        var headers: HTTPFields = [
            .contentType: asset.type, .eTag: asset.tag, .cacheControl: "no-cache",
        ]
        let known = request.headers[.ifNoneMatch]?.split(separator: ",").map {
            $0.filter { !$0.isWhitespace }
        }
        if known?.contains(where: { $0 == asset.tag || $0 == "*" || $0 == "W/\(asset.tag)" })
            == true
        {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes))
        )
    }

    // MARK: Streams

    /// A request to follow a list comes here where it cannot be served: why is found out again.
    private func refuseStream(_ request: Request) throws -> Response {
        let read = try StreamRequest(
            target: RequestTarget(request.head.path ?? "/"),
            lastEventID: request.headers[HTTPField.Name("Last-Event-ID")!],
            acceptEncoding: request.headers[.acceptEncoding]
        )
        if let read { _ = try open(read) }
        // HTTP/1.0, or behind another request that was not answered yet.
        throw RequestFault.wrongProtocol
    }

    private func moveWindow(_ request: Request, of name: String) async throws -> Response {
        try Requests.checkSite(request)
        _ = try list(name)
        let values = try RequestTarget(request.head.path ?? "/").values(among: ["connection"])
        guard let id = ConnectionID(values["connection"] ?? "") else {
            throw RequestFault.badValue("connection", "32 hexadecimal digits")
        }
        let body = try await Requests.json(request)
        let window = try Self.decoded(RequestedWindow.self, body)
        guard let connection = connections.connection(id) else {
            throw RequestFault.notFound("connection")
        }
        try await connection.setWindow(window)
        return Response(status: .noContent)
    }

    // MARK: Edits

    private struct EditAnswer: Encodable {
        let version: String
        let id: String
    }

    /// The request waits until its edit is shown: then every state that a reader is given from that version on has it.
    private func answerEdit(_ request: Request, of name: String) async throws -> Response {
        try Requests.checkSite(request)
        let list = try list(name)
        guard isEditable(list) else {
            throw RequestFault(status: 403, code: "notEditable", message: "this list is no board")
        }
        let body = try await Requests.json(request)
        let edit = try Self.decoded(BoardEdit.self, body)
        if list.source == nil, let forwarder {
            // What was passed on is not passed on again: two servers could each take the other for the leader.
            let isForwarded = request.headers[HTTPField.Name(EditForwarder.mark)!] != nil
            if isForwarded { throw RequestFault.noLeader }
            let answer = try await forwarder.forward(body)
            var response = Self.text(String(buffer: answer.body), type: "application/json")
            response.status = HTTPResponse.Status(code: answer.status)
            return response
        }
        // The span goes along, so that the pipeline's steps are seen beneath the request's.
        let made = try await self.edit(edit, of: list, context: SubmissionTrace("board edit"))
        return try Self.json(EditAnswer(version: "\(made.version)", id: made.id))
    }

    // MARK: Bodies

    private static func decoded<Value: Decodable>(
        _ type: Value.Type,
        _ body: ByteBuffer
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch let fault as RequestFault {
            throw fault
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            throw RequestFault.unreadable(context.debugDescription)
        } catch DecodingError.keyNotFound(let key, _) {
            throw RequestFault.unreadable("\(key.stringValue) is missing")
        } catch DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context)
        {
            let name = context.codingPath.last?.stringValue ?? "the body"
            throw RequestFault.unreadable("\(name) is of another type")
        } catch {
            throw RequestFault.unreadable("the body must be JSON")
        }
    }

    private static func json(
        _ value: some Encodable,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        var response = text(
            String(decoding: try encoder.encode(value), as: UTF8.self),
            type: "application/json"
        )
        response.status = status
        return response
    }

    private static func text(_ text: String, type: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
