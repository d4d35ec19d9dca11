import Foundation
import Testing

/// Starts the program in the folder of the tests, and returns it with its output.
func start(_ arguments: [String]) throws -> (Process, output: FileHandle) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("orders")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    return (process, pipe.fileHandleForReading)
}

/// A running server, which is killed when it is released.
final class Server {
    let process: Process
    private let output: FileHandle
    private let port: UInt16

    init(_ arguments: String...) throws {
        (process, output) = try start(["--port", "0"] + arguments)
        var text = ""
        while true {
            let data = output.availableData
            text += String(decoding: data, as: UTF8.self)
            if let match = text.firstMatch(of: /listening on [0-9.]+:(\d+)\n/) {
                port = try #require(UInt16(match.1))
                return
            }
            try #require(!data.isEmpty, "the program ended: \(text)")
        }
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    struct Response {
        let head: String
        let body: String
        /// The version after a change.
        var version: Substring { body.firstMatch(of: /"version":"([^"]*)"/)?.1 ?? "none" }
        var status: Int { Int(head.split(separator: " ")[1]) ?? 0 }
    }

    /// Sends a request, and returns the response.
    func request(
        _ method: String,
        _ path: String,
        _ body: String = "",
        field: String = "Accept: */*"
    ) throws -> Response {
        let connection = try Connection(port)
        connection.send(
            """
            \(method) \(path) HTTP/1.1\r
            Host: localhost\r
            Connection: close\r
            \(field)\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
        )
        while connection.receivesMore() {}
        let end = try #require(connection.text.range(of: "\r\n\r\n"), "\(connection.text)")
        return Response(
            head: String(connection.text[..<end.lowerBound]),
            body: String(connection.text[end.upperBound...])
        )
    }

    /// Returns the connection of a new reader.
    func follow(_ query: String = "", from version: Substring = "") throws -> Connection {
        let connection = try Connection(port)
        connection.send(
            """
            GET /orders/events\(query) HTTP/1.1\r
            Host: localhost\r
            Last-Event-ID: \(version)\r
            \r

            """
        )
        return connection
    }
}

/// A connection to the server, with a timeout of 30 seconds.
final class Connection {
    private let descriptor: Int32
    private var bytes = Data()

    init(_ port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// The text received so far.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func send(_ text: String) {
        let count = text.utf8.count
        #expect(Foundation.send(descriptor, text, count, Int32(MSG_NOSIGNAL)) == count)
    }

    /// Receives more; returns `false` at the end.
    func receivesMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { bytes += buffer[..<count] }
        return count > 0
    }

    /// Waits until the connection has received a text.
    func receive(_ expected: String) throws {
        while bytes.range(of: Data(expected.utf8)) == nil {
            try #require(receivesMore(), "'\(expected)' is not in: \(text)")
        }
    }
}
