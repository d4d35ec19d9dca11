import Foundation
import Glibc

/// A kind of broker.
public enum BrokerKind: String, CaseIterable, Sendable {
    /// `nats-server` with JetStream.
    case nats
    /// `redis-server`.
    case redis

    /// The name of the server program.
    public var program: String { "\(rawValue)-server" }

    /// The path of the server program; `nil` if it is not installed.
    public var executablePath: String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin", "/usr/bin", "/usr/local/bin"])
            .map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    fileprivate func arguments(port: UInt16, store: String) -> [String] {
        switch self {
        case .nats: ["-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", store]
        case .redis:
            [
                "--bind", "127.0.0.1", "--port", "\(port)", "--dir", store, "--appendonly", "yes",
                "--appendfsync", "everysec", "--save", "", "--daemonize", "no",
            ]
        }
    }
}

/// A server on a free local port and a temporary store, which can be killed, frozen and restarted.
///
/// Use it from one thread at a time. Deinitialization ends the server and removes the folder.
public final class BrokerProcess {
    /// An error of a server or child process.
    public struct Failure: Error, CustomStringConvertible {
        /// A description of the error.
        public let description: String

        /// Creates an error.
        public init(description: String) { self.description = description }
    }

    /// The kind of the server.
    public let kind: BrokerKind
    /// The server's port on 127.0.0.1.
    public let port: UInt16

    private let words: [String]
    private let folder: URL
    private var process: ChildProcess?

    private var store: URL { folder.appendingPathComponent("store") }
    private var copy: URL { folder.appendingPathComponent("copy") }
    /// The server's log file.
    public var log: URL { folder.appendingPathComponent("log") }

    /// Starts a server and returns when it responds.
    ///
    /// - Parameters:
    ///   - kind: The kind of the server.
    ///   - extra: Additional command-line arguments of the server.
    public init(_ kind: BrokerKind, arguments extra: [String] = []) throws {
        guard let program = kind.executablePath else {
            throw Failure(description: "\(kind.program) is not installed")
        }
        self.kind = kind
        port = try Loopback.freePort()
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("broker-\(kind.rawValue)-\(UUID().uuidString)")
        let store = folder.appendingPathComponent("store")
        words = [program] + kind.arguments(port: port, store: store.path) + extra
        try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
        try start()
    }

    deinit { end() }

    /// Starts the server again with the same port and store.
    public func start() throws {
        process = try ChildProcess(words, log: log.path)
        for _ in 0..<1_000 {
            if isResponding() { return }
            guard isRunning else { break }
            usleep(10_000)
        }
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw Failure(description: "\(kind.program) does not start: \(text.suffix(500))")
    }

    /// Kills the server immediately with `SIGKILL`.
    public func kill() { end(SIGKILL) }

    /// Shuts the server down with `SIGTERM`.
    public func stop() { end(SIGTERM) }

    /// Suspends the server until ``resume()``.
    public func freeze() { process?.freeze() }

    /// Resumes a suspended server.
    public func resume() { process?.resume() }

    /// Copies the store. The server must not be running.
    public func copyStore() throws {
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: store, to: copy)
    }

    /// Replaces the store with its copy. The server must not be running.
    public func restoreStore() throws {
        try FileManager.default.removeItem(at: store)
        try FileManager.default.copyItem(at: copy, to: store)
    }

    /// Kills the server and removes its folder.
    public func end() {
        end(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    private func end(_ signal: Int32) {
        process?.end(signal)
        process = nil
    }

    /// Whether the server is running.
    public var isRunning: Bool { process.map { !$0.hasEnded() } ?? false }

    /// Whether the server sends a greeting or an answer.
    private func isResponding() -> Bool {
        guard let socket = Loopback.connect(to: port, timeoutSeconds: 1) else { return false }
        defer { close(socket) }
        // NATS sends a greeting. Redis answers a ping, and reports loading with an error.
        if kind == .redis { _ = send(socket, "PING\r\n", 6, Int32(MSG_NOSIGNAL)) }
        var text = [UInt8](repeating: 0, count: 8)
        // A Redis error that demands a password counts as an answer.
        return recv(socket, &text, text.count, 0) > 0 && !text.starts(with: Array("-LOADING".utf8))
    }
}

/// TCP sockets on the loopback interface; child processes do not inherit them.
enum Loopback {
    static func freePort() throws -> UInt16 {
        let socket = makeSocket()
        defer { close(socket) }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var bound = sockaddr_in()
        let isBound = withAddress(0) { Glibc.bind(socket, $0, length) } == 0
        let found = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
        }
        guard isBound, found == 0 else {
            throw BrokerProcess.Failure(description: "there is no free port")
        }
        return UInt16(bigEndian: bound.sin_port)
    }

    /// Returns a connected socket with a receive timeout; `nil` if the port refuses the connection.
    static func connect(to port: UInt16, timeoutSeconds: Int) -> Int32? {
        let socket = makeSocket()
        var timeoutSeconds = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        let (level, size) = (SOL_SOCKET, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, level, SO_RCVTIMEO, &timeoutSeconds, size)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        if withAddress(port, { Glibc.connect(socket, $0, length) }) == 0 { return socket }
        close(socket)
        return nil
    }

    private static func makeSocket() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    private static func withAddress(
        _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}

/// A child process that can be suspended, resumed and ended.
///
/// Use it from one thread at a time.
public final class ChildProcess {
    private let identifier: pid_t
    private var isAlive = true
    /// A description of how the process ended, if it ended by itself.
    public private(set) var ending: String?

    /// Starts a program.
    ///
    /// Resets blocked signals, which Foundation's child processes would inherit.
    ///
    /// - Parameters:
    ///   - words: The program's path and its arguments.
    ///   - output: The file descriptor of the standard output; `log` by default.
    ///   - log: The path of the file to which the standard error is appended.
    public init(_ words: [String], output: Int32? = nil, log: String) throws {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        )
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&files, output ?? 2, 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, words[0], &files, &attributes, &arguments, environ)
        guard code == 0 else {
            throw BrokerProcess.Failure(
                description: "Cannot run \(words[0]): \(String(cString: strerror(code)))"
            )
        }
        identifier = process
    }

    /// Ends the process, even if it is suspended, and waits for its exit.
    public func end(_ signal: Int32 = SIGKILL) {
        guard isAlive else { return }
        kill(identifier, signal)
        kill(identifier, SIGCONT)
        waitpid(identifier, nil, 0)
        isAlive = false
    }

    /// Suspends the process until ``resume()``.
    public func freeze() {
        guard isAlive else { return }
        kill(identifier, SIGSTOP)
        // The process stops only some time after the signal.
        waitpid(identifier, nil, WUNTRACED)
    }

    /// Resumes a suspended process.
    public func resume() { if isAlive { kill(identifier, SIGCONT) } }

    /// Returns whether the process has ended.
    public func hasEnded() -> Bool {
        var status: Int32 = 0
        if isAlive, waitpid(identifier, &status, WNOHANG) != 0 {
            isAlive = false
            // The layout of the wait status: the signal, or the exit code in the next byte.
            let signal = status & 0x7f
            ending = signal == 0 ? "with the code \(status >> 8)" : "by the signal \(signal)"
        }
        return !isAlive
    }
}

/// An operator that changes a broker's contents over a plain socket.
public struct BrokerOperator {
    private let broker: BrokerProcess

    /// Creates an operator of a server.
    public init(_ broker: BrokerProcess) { self.broker = broker }

    /// Deletes the log of a collection and everything that belongs to it.
    public func deleteLog(_ collection: String = "board") throws {
        switch broker.kind {
        case .nats:
            for stream in ["log", "kept"] {
                try call("STREAM.DELETE.cp_\(collection)_\(stream)")
            }
        case .redis: try run("DEL cp:{\(collection)}:log")
        }
    }

    /// Removes all records except the given number of newest ones, as a broker's limit would.
    public func trimLog(to count: Int, _ collection: String = "board") throws {
        switch broker.kind {
        case .nats: try call("STREAM.PURGE.cp_\(collection)_log", "{\"keep\":\(count)}")
        case .redis: try run("XTRIM cp:{\(collection)}:log MAXLEN \(count)")
        }
    }

    /// Creates the second NATS stream of a log without direct reads, as an operator might.
    public func makeStreamWithoutDirectReads(_ collection: String = "board") throws {
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

    /// Sends lines and waits until the answer contains the expected text.
    private func run(_ text: String, until expected: String = "\r\n") throws {
        guard let socket = Loopback.connect(to: broker.port, timeoutSeconds: 5) else {
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
