import Foundation
import Glibc

/// A kind of broker.
public enum BrokerKind: String, CaseIterable, Sendable {
    /// `nats-server` with JetStream.
    case nats
    /// `redis-server`.
    case redis

    /// The name of the server's program.
    public var program: String { "\(rawValue)-server" }

    /// The path of the server's program; `nil` if it is not installed.
    public var installed: String? {
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

/// A server on a free port of this machine, with its store in a temporary folder. It can be killed, stopped, started again,
/// and given an older store.
///
/// One thread at a time uses it. Ending it ends the server and removes the folder.
public final class BrokerProcess {
    /// Why there is no server, or no process.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public let description: String

        /// Makes a failure.
        public init(description: String) { self.description = description }
    }

    /// The kind of the server.
    public let kind: BrokerKind
    /// The port that the server listens on, at 127.0.0.1.
    public let port: UInt16

    private let words: [String]
    private let folder: URL
    private var process: ChildProcess?

    private var store: URL { folder.appendingPathComponent("store") }
    private var copy: URL { folder.appendingPathComponent("copy") }
    /// The file of the server's own messages.
    public var log: URL { folder.appendingPathComponent("log") }

    /// Starts a server, and returns when it answers.
    ///
    /// - Parameters:
    ///   - kind: the kind of the server.
    ///   - extra: further arguments of the server.
    public init(_ kind: BrokerKind, arguments extra: [String] = []) throws {
        guard let program = kind.installed else {
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

    /// Starts the server again on the same port and store.
    public func start() throws {
        process = try ChildProcess(words, log: log.path)
        for _ in 0..<1_000 {
            if answers() { return }
            guard isRunning else { break }
            usleep(10_000)
        }
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw Failure(description: "\(kind.program) does not start: \(text.suffix(500))")
    }

    /// Ends the server immediately, as `kill -9` does.
    public func kill() { end(SIGKILL) }

    /// Ends the server in its own way.
    public func stop() { end(SIGTERM) }

    /// Stops the server until ``resume()``.
    public func freeze() { process?.freeze() }

    /// Lets a stopped server go on.
    public func resume() { process?.resume() }

    /// Keeps a copy of the store as it is; the server must have been ended.
    public func keepStore() throws {
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: store, to: copy)
    }

    /// Puts the kept copy in place of the store; the server must have been ended.
    public func replaceStore() throws {
        try FileManager.default.removeItem(at: store)
        try FileManager.default.copyItem(at: copy, to: store)
    }

    /// Ends the server and removes its folder.
    public func end() {
        end(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    private func end(_ signal: Int32) {
        process?.end(signal)
        process = nil
    }

    /// Whether the server has been started and has not ended.
    public var isRunning: Bool { process.map { !$0.hasEnded() } ?? false }

    /// Whether the server greets, or answers that it is there.
    private func answers() -> Bool {
        guard let socket = Loopback.connect(to: port, patience: 1) else { return false }
        defer { close(socket) }
        // Redis says nothing by itself, and says that it is loading while it does; NATS greets.
        if kind == .redis { _ = send(socket, "PING\r\n", 6, Int32(MSG_NOSIGNAL)) }
        var text = [UInt8](repeating: 0, count: 8)
        // A password that Redis asks for first is an answer too.
        return recv(socket, &text, text.count, 0) > 0 && !text.starts(with: Array("-LOADING".utf8))
    }
}

/// TCP sockets of this machine, which child processes do not inherit.
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

    /// Returns a connected socket, which waits so many seconds for an answer; `nil` if nobody listens.
    static func connect(to port: UInt16, patience: Int) -> Int32? {
        let socket = makeSocket()
        var patience = timeval(tv_sec: patience, tv_usec: 0)
        let (level, size) = (SOL_SOCKET, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, level, SO_RCVTIMEO, &patience, size)
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
