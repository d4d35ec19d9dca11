import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// The reason why a request is refused: a status, a code that programs can rely on, and a sentence.
struct RequestFault: HTTPResponseError, Equatable {
    let status: HTTPResponse.Status
    let code: String
    let message: String

    static func notFound(_ what: String) -> RequestFault {
        RequestFault(status: .notFound, code: "notFound", message: "there is no such \(what)")
    }

    static func badValue(_ name: String, _ expected: String) -> RequestFault {
        RequestFault(
            status: .badRequest,
            code: "badValue",
            message: "\(name) must be \(expected)"
        )
    }

    static func tooLarge(_ limit: Int) -> RequestFault {
        RequestFault(
            status: .contentTooLarge,
            code: "tooLarge",
            message: "the body must have at most \(limit) bytes"
        )
    }

    static func conflict(_ fault: BoardFault) -> RequestFault {
        RequestFault(status: .conflict, code: fault.code, message: fault.message)
    }

    static let notEditable = RequestFault(
        status: .forbidden,
        code: "notEditable",
        message: "only the board can be edited"
    )
    static let notWindowed = RequestFault(
        status: .conflict,
        code: "notWindowed",
        message: "that connection follows the whole list"
    )
    static let crossSite = RequestFault(
        status: .forbidden,
        code: "crossSite",
        message: "pages of other sites must not do this"
    )
    static let otherHost = RequestFault(
        status: .misdirectedRequest,
        code: "otherHost",
        message: "this server does not answer for that host"
    )
    static let shuttingDown = RequestFault(
        status: .serviceUnavailable,
        code: "shuttingDown",
        message: "the server is shutting down"
    )
    static let noLeader = RequestFault(
        status: .serviceUnavailable,
        code: "noLeader",
        message: "no server leads this list now: try again"
    )
    static let unconfirmed = RequestFault(
        status: .gatewayTimeout,
        code: "unconfirmed",
        message: "it is not known whether this was done"
    )

    private struct Body: ResponseEncodable {
        struct Fault: Encodable {
            let code: String
            let message: String
        }

        let error: Fault
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let body = Body(error: .init(code: code, message: message))
        var response = try body.response(from: request, context: context)
        response.status = status
        return response
    }
}

/// The context of a request: JSON with sorted keys, small bodies, and the connection, to close it.
struct BoardContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// An edit has some hundred bytes.
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

/// Refuses requests that other sites caused a browser to make, logs unexpected errors, and adds the headers that keep
/// the page safe.
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
            // Hummingbird answers it, and closes the connection.
            throw error
        } catch {
            // A client that went away in the middle of its request is nobody's mistake, and is not answered.
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

    /// A server that only this machine can reach answers only for this machine's names. Otherwise a page elsewhere,
    /// whose name leads here, could read the lists.
    private func checkHost(_ request: Request) throws(RequestFault) {
        // The first `Host` field became the authority.
        guard let authority = request.head.authority,
            !request.headers.contains(HTTPField.Name("Host")!)
        else { throw .badValue("host", "there once") }
        let own = ["127.0.0.1", "localhost", "::1"]
        guard own.contains(host) else { return }
        // The port is behind the last colon, unless that is inside the brackets of an address.
        var name = authority[...]
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            name = authority[..<colon]
        }
        let bare = name.hasPrefix("[") ? name.dropFirst().dropLast() : name
        guard own.contains(bare.lowercased()) else { throw .otherHost }
    }

    /// A body that is too large is refused before it comes.
    private func checkLength(_ request: Request, atMost limit: Int) throws(RequestFault) {
        guard let length = request.headers[.contentLength] else { return }
        guard let count = Int(length), count <= limit else { throw .tooLarge(limit) }
    }

    /// Changes may come from our own page, or from a program.
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
