import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// The reason why a request is rejected: a status, a stable code for programs, and a message.
struct RequestFault: HTTPResponseError, Equatable {
    let status: HTTPResponse.Status
    let code: String
    let message: String

    private init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    static func notFound(_ what: String) -> RequestFault {
        RequestFault(.notFound, "notFound", "there is no such \(what)")
    }
    static func badValue(_ name: String, _ expected: String) -> RequestFault {
        RequestFault(.badRequest, "badValue", "\(name) must be \(expected)")
    }
    static func tooLarge(_ limit: Int) -> RequestFault {
        RequestFault(.contentTooLarge, "tooLarge", "the body must have at most \(limit) bytes")
    }
    static func gone(_ noun: String, _ id: String) -> RequestFault {
        RequestFault(.conflict, "gone", "the \(noun) \(id.prefix(40)) no longer exists")
    }
    static let full = Self(
        .conflict,
        "full",
        "the board can have at most \(BoardModel.limit) cards"
    )
    static let notEditable = Self(.forbidden, "notEditable", "only the board can be edited")
    static let notWindowed = Self(.conflict, "notWindowed", "that connection has no window")
    static let crossSite = Self(.forbidden, "crossSite", "pages of other sites are not allowed")
    static let otherHost = Self(.misdirectedRequest, "otherHost", "that host is not served here")
    static let shuttingDown = Self(.serviceUnavailable, "shuttingDown", "the server is stopping")
    static let noLeader = Self(.serviceUnavailable, "noLeader", "no server leads: try again")
    static let unconfirmed = Self(.gatewayTimeout, "unconfirmed", "the edit may have been made")

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try ["error": ["code": code, "message": message]]
            .response(from: request, context: context)
        response.status = status
        return response
    }
}

/// The context of a request: JSON with sorted keys, a limit for bodies, and the connection.
struct BoardContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The maximum number of bytes in a body. An edit has a few hundred.
    let maxUploadSize = 16 << 10

    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    var responseEncoder: JSONEncoder { Self.encoder }
}

/// Middleware that rejects cross-site requests, logs unexpected errors, and adds security headers.
struct GuardMiddleware: RouterMiddleware {
    typealias Context = BoardContext

    /// The address that the server listens on.
    let host: String
    let faults: FaultLog

    func handle(
        _ request: Request,
        context: BoardContext,
        next: (Request, BoardContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            try checkHost(request)
            try checkLength(request, atMost: context.maxUploadSize)
            if request.method != .get { try checkSite(request) }
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        } catch let error as HTTPParserError {
            // Hummingbird responds to it and closes the connection.
            throw error
        } catch {
            // A client that disconnects during its request is not an error, and gets no response.
            guard context.channel.isActive, !(error is IOError), !(error is ChannelError) else {
                throw error
            }
            faults.log(.error, "\(request.method) \(request.uri.path) failed: \(error)")
            response = Response(status: .internalServerError)
        }
        response.headers[.contentSecurityPolicy] = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
            connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }

    /// Rejects foreign host names if only this machine can reach the server. Otherwise a page of
    /// another site, whose name resolves to this machine, could read the lists.
    private func checkHost(_ request: Request) throws(RequestFault) {
        // Hummingbird made the first `Host` field the authority.
        guard let authority = request.head.authority,
            !request.headers.contains(HTTPField.Name("Host")!)
        else { throw .badValue("host", "given exactly once") }
        let localNames = ["127.0.0.1", "localhost", "::1"]
        guard localNames.contains(host) else { return }
        // The port follows the last colon, unless the colon is inside the brackets of an address.
        var name = authority[...]
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            name = authority[..<colon]
        }
        let bare = name.hasPrefix("[") ? name.dropFirst().dropLast() : name
        guard localNames.contains(bare.lowercased()) else { throw .otherHost }
    }

    /// Rejects a body that is too large before it arrives.
    private func checkLength(_ request: Request, atMost limit: Int) throws(RequestFault) {
        guard let length = request.headers[.contentLength] else { return }
        guard let count = Int(length), count <= limit else { throw .tooLarge(limit) }
    }

    /// Accepts changes only from the server's own page and from programs.
    private func checkSite(_ request: Request) throws(RequestFault) {
        if let site = request.headers[HTTPField.Name("Sec-Fetch-Site")!] {
            guard ["same-origin", "none"].contains(site) else { throw .crossSite }
        }
        if let origin = request.headers[.origin] {
            let host = request.head.authority ?? ""
            guard ["http://\(host)", "https://\(host)"].contains(origin) else { throw .crossSite }
        }
    }
}
