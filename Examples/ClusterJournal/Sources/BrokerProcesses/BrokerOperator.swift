import Glibc

/// An operator, which changes what a broker holds over a plain socket.
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

    /// Removes all but so many of the newest records, as a limit of the broker would.
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
        guard let socket = Loopback.connect(to: broker.port, patience: 5) else {
            throw BrokerProcess.Failure(description: "no connection")
        }
        defer { close(socket) }
        let bytes = Array("\(text)\r\n".utf8)
        guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw BrokerProcess.Failure(description: "not sent")
        }
        var answer = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !answer.contains(expected) {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else {
                throw BrokerProcess.Failure(description: "no answer: \(answer)")
            }
            answer += String(decoding: buffer[..<count], as: UTF8.self)
        }
        if answer.hasPrefix("-") || answer.contains("\"error\"") {
            throw BrokerProcess.Failure(description: answer)
        }
    }
}
