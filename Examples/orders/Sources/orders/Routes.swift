import CollectionPublishing
import GRDB
import HTTPTypes
import Hummingbird

extension OrderStore {
    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/") { _, _ in file(PackageResources.page_html, "text/html; charset=utf-8") }
        router.get("/live-list.js") { request, context in
            let script = BrowserScript.bundle
            return try await request.ifNoneMatch(eTag: script.entityTag, context: context) {
                file(script.bytes, script.contentType)
            }
        }
        router.get("/orders/events") { [self] request, context in
            let query = try request.uri.decodeQuery(as: Fields.self, context: context)
            let orders = try orders(containing: query.search?.lowercased() ?? "")
            let window = query.rows.map { PublishedWindow.rows(query.first ?? 0, count: $0) }
            let lastEventID = request.headers[HTTPField.Name("Last-Event-ID")!]
            let chunks = try orders.list.events(lastEventID: lastEventID, window: window)
                .map { [orders] chunk in withExtendedLifetime(orders) { ByteBuffer(bytes: chunk) } }
            let fields = EventStream.headers.map { HTTPField(name: .init($0)!, value: $1) }
            return Response(status: .ok, headers: .init(fields), body: .init(asyncSequence: chunks))
        }
        router.post("/orders") { [self] request, context in
            let new = try await request.decode(as: Fields.self, context: context)
            let values: SQL = "\(new.customer), \(new.totalCents)"
            return try await change("INSERT INTO orders (customer, total_cents) VALUES (\(values))")
        }
        router.put("/orders/:id/state") { [self] request, context in
            let id = context.parameters.get("id")
            let new = try await request.decode(as: Fields.self, context: context)
            return try await change("UPDATE orders SET state = \(new.state) WHERE id = \(id)")
        }
        router.delete("/orders/:id") { [self] _, context in
            try await change("DELETE FROM orders WHERE id = \(context.parameters.get("id"))")
        }
        router.get("/health") { [self] _, _ in
            let health = all.list.health
            let problem = feed.failure?.description ?? health.failure?.message
            let status: HTTPResponse.Status = problem == nil ? .ok : .serviceUnavailable
            return EditedResponse(status: status, response: problem ?? "ok")
        }
        return router
    }

    private struct Fields: Decodable {
        let customer: String?
        let totalCents: Int?
        let state: String?
        let search: String?
        let first: Int?
        let rows: Int?
    }

    /// Makes a change, and returns the version at which every reader sees it.
    private func change(_ sql: SQL) async throws -> [String: String] {
        do {
            let request: SQLRequest<Int64> = "\(sql) RETURNING id"
            guard let id = try await database.write({ try request.fetchOne($0) }) else {
                throw HTTPError(.notFound, message: "there is no such order")
            }
            try await feed.caughtUp()
            return ["id": "\(id)", "version": "\(try await all.list.apply(all.rows.state))"]
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw HTTPError(.badRequest, message: error.message ?? "\(error)")
        }
    }
}

private func file(_ bytes: [UInt8], _ type: String) -> Response {
    let body = ByteBuffer(bytes: bytes)
    return Response(status: .ok, headers: [.contentType: type], body: .init(byteBuffer: body))
}
