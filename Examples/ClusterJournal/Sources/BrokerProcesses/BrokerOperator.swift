import Glibc

/// What an operator does to a broker by hand, over a plain socket.
public struct BrokerOperator {
    private let broker: BrokerProcess

    /// Makes the operator of a server.
    public init(_ broker: BrokerProcess) { self.broker = broker }

    /// Deletes the log of a collection and all that belongs to it.
    public func deleteLog(_ collection: String = "board") throws {
        switch broker.kind {
        case .nats:
            for stream in ["log", "kept"] {
                try call("STREAM.DELETE.cp_\(collection)_\(stream)")
            }
        case .redis: try run("DEL cp:{\(collection)}:log")
        }
    }

    /// Removes the oldest records but so many, as a ceiling of the broker would.
    public func trimLog(to count: Int, _ collection: String = "board") throws {
        switch broker.kind {
        case .nats: try call("STREAM.PURGE.cp_\(collection)_log", "{\"keep\":\(count)}")
        case .redis: try run("XTRIM cp:{\(collection)}:log MAXLEN \(count)")
        }
    }

    /// Makes the stream of NATS beside a log, as plain as an operator might: without direct reading.
    public func makePlainKeptStream(_ collection: String = "board") throws {
        let subjects = ["head", "lease", "request", "snap.>"].map { "\"cp.\(collection).\($0)\"" }
        let name = "cp_\(collection)_kept"
        try call(
            "STREAM.CREATE.\(name)",
            "{\"name\":\"\(name)\",\"subjects\":[\(subjects.joined(separator: ","))],"
                + "\"storage\":\"file\",\"retention\":\"limits\",\"num_replicas\":1,"
                + "\"max_msgs_per_subject\":1}"
        )
    }

    private func call(_ call: String, _ body: String = "") throws {
        try run(
            "CONNECT {\"verbose\":false}\r\nSUB answer 1\r\n"
                + "PUB $JS.API.\(call) answer \(body.utf8.count)\r\n\(body)",
            until: "MSG answer"
        )
    }

    /// Sends lines, and waits for what the answer holds.
    private func run(_ text: String, until expected: String = "\r\n") throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, length)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = broker.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(text: "no connection") }
        let bytes = Array("\(text)\r\n".utf8)
        guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(text: "not sent")
        }
        var answer = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !answer.contains(expected) {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failure(text: "no answer: \(answer)") }
            answer += String(decoding: buffer[..<count], as: UTF8.self)
        }
        if answer.hasPrefix("-") || answer.contains("\"error\"") { throw Failure(text: answer) }
    }

    /// What the server answered, where it did not do it.
    private struct Failure: Error {
        var text: String
    }
}
