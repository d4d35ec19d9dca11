import HTTPTypes
import Hummingbird
import NIOCore

/// What requests must be, whatever they ask for.
enum Requests {
    /// How many bytes a body may have: an edit has some hundred.
    static let longestBody = 16 << 10

    /// A server that listens on this machine alone answers for its names alone: a page elsewhere may have a name that
    /// leads here, and would read what is shown.
    static func checkHost(_ host: String?, _ options: ServerOptions) throws(RequestFault) {
        let own = ["127.0.0.1", "localhost", "::1"]
        guard own.contains(options.host), let host else { return }
        // A port is after the last colon, unless that is within brackets.
        var name = host[...]
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            name = host[..<colon]
        }
        let bare = name.hasPrefix("[") ? name.dropFirst().dropLast() : name
        guard own.contains(bare.lowercased()) else { throw .otherHost }
    }

    /// What changes something may come from our own page, or from a program.
    static func checkSite(_ request: Request) throws(RequestFault) {
        if let site = request.headers[HTTPField.Name("Sec-Fetch-Site")!] {
            guard ["same-origin", "none"].contains(site) else { throw .crossSite }
        }
        if let origin = request.headers[.origin] {
            let host = request.head.authority ?? ""
            guard !host.isEmpty, ["http://\(host)", "https://\(host)"].contains(origin) else {
                throw .crossSite
            }
        }
    }

    /// The body of a request that has JSON.
    static func json(_ request: Request) async throws -> ByteBuffer {
        let type = request.headers[.contentType]?.split(separator: ";").first
        guard type?.filter({ !$0.isWhitespace }).lowercased() == "application/json" else {
            throw RequestFault.notJSON
        }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > longestBody {
            throw RequestFault.tooLarge
        }
        do {
            return try await request.body.collect(upTo: longestBody)
        } catch is NIOTooManyBytesError {
            throw RequestFault.tooLarge
        }
    }
}
