import Foundation
import Glibc

/// A server of one's own on a free port of this machine, with its store in a temporary folder: it can be killed, stopped,
/// started again, and given an older store.
///
/// One thread at a time uses it. Ending it ends the server and removes the folder.
public final class BrokerProcess {
    /// Why there is no server.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public let description: String
    }

    /// Which server.
    public let kind: BrokerKind
    /// Where it listens, on 127.0.0.1.
    public let port: UInt16

    private let program: String
    private let extra: [String]
    private let folder: URL
    private var process: ChildProcess?

    private var store: URL { folder.appendingPathComponent("store") }
    /// What the server writes about itself.
    public var log: URL { folder.appendingPathComponent("log") }
    private var copy: URL { folder.appendingPathComponent("copy") }

    /// Starts a server, and returns when it answers.
    ///
    /// - Parameters:
    ///   - kind: which server.
    ///   - extra: further arguments of the server.
    ///   - place: the folder to make its own folder in; one for temporary files where it is left out.
    public init(_ kind: BrokerKind, arguments extra: [String] = [], in place: URL? = nil) throws {
        guard let program = kind.installed else {
            throw Failure(description: "\(kind.program) is not installed")
        }
        self.kind = kind
        self.program = program
        self.extra = extra
        port = try Self.freePort()
        folder = (place ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("broker-\(kind.rawValue)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
        try start()
    }

    deinit { end() }

    /// Starts the server again on the same port and store.
    public func start() throws {
        let arguments = kind.arguments(port: port, store: store.path, extra: extra)
        process = try ChildProcess([program] + arguments, log: log.path)
        for _ in 0..<1_000 {
            if answers() { return }
            guard isRunning else { break }
            usleep(10_000)
        }
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw Failure(description: "\(kind.program) does not start: \(text.suffix(500))")
    }

    /// Ends the server at once, as `kill -9`.
    public func kill() { end(SIGKILL) }

    /// Ends the server in its own way.
    public func stop() { end(SIGTERM) }

    /// Lets the server do nothing until ``resume()``.
    public func freeze() { process?.freeze() }

    /// Lets a frozen server go on.
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

    /// Whether the server has not ended, also not by itself.
    public var isRunning: Bool { process.map { !$0.hasEnded() } ?? false }

    // MARK: Ports

    private static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        guard let port = Loopback.bind(socket) else {
            throw Failure(description: "there is no free port")
        }
        return port
    }

    /// Whether the server says what it is, or answers that it is there.
    private func answers() -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(
            socket,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &patience,
            socklen_t(MemoryLayout<timeval>.size)
        )
        guard Loopback.connect(socket, to: port) else { return false }
        // Redis says nothing by itself, and says that it is loading while it does; NATS greets.
        if kind == .redis { _ = Glibc.send(socket, "PING\r\n", 6, Int32(MSG_NOSIGNAL)) }
        var byte: UInt8 = 0
        guard recv(socket, &byte, 1, 0) == 1 else { return false }
        var text = [UInt8](repeating: 0, count: 7)
        guard kind == .redis else { return true }
        guard recv(socket, &text, text.count, 0) > 0 else { return false }
        // Also where a password is asked for first.
        return !text.starts(with: Array("LOADING".utf8))
    }
}
