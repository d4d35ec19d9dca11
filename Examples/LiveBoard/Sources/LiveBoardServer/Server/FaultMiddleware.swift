import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers what went wrong with a fitting status and JSON, counts it, and gives every answer the headers that keep a
/// page safe.
struct FaultMiddleware<Context: RequestContext>: RouterMiddleware {
    let board: Board

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            try Requests.checkHost(request.head.authority, board.options)
            response = try await next(request, context)
        } catch let fault as RequestFault {
            response = answer(fault)
        } catch let error as HTTPError where error.status == .notFound {
            response = answer(Self.missing(request))
        } catch let error as HTTPError {
            response = answer(
                RequestFault(
                    status: error.status.code,
                    code: "refused",
                    message: error.status.reasonPhrase
                )
            )
        } catch {
            context.logger.error("a request failed", metadata: ["error": "\(error)"])
            response = answer(
                RequestFault(status: 500, code: "failed", message: "the server could not do this")
            )
        }
        response.headers[.contentSecurityPolicy] = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
            connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[HTTPField.Name("Referrer-Policy")!] = "no-referrer"
        response.headers[HTTPField.Name("Cross-Origin-Resource-Policy")!] = "same-origin"
        return response
    }

    private func answer(_ fault: RequestFault) -> Response {
        board.meters.refused(fault.code)
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        if let allowed = fault.allowed { headers[.allow] = allowed }
        return Response(
            status: HTTPResponse.Status(code: fault.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: fault.json))
        )
    }

    /// No route: another method of one that there is, or no such address.
    private static func missing(_ request: Request) -> RequestFault {
        guard let path = try? RequestTarget(request.head.path ?? "/").path else {
            return .unreadable("an address must be encoded in percents")
        }
        switch (path.first ?? "", path.count, path.last ?? "") {
        case ("", 0, _), ("assets", 2, _), ("lists", 1, _), ("lists", 3, "updates"),
            ("lists", 3, "snapshot"), ("health", 1, _), ("metrics", 1, _):
            return request.method == .get ? .notFound("address") : .methodNotAllowed("GET")
        case ("lists", 3, "window"), ("lists", 3, "edits"):
            return request.method == .post ? .notFound("address") : .methodNotAllowed("POST")
        default: return .notFound("address")
        }
    }
}
