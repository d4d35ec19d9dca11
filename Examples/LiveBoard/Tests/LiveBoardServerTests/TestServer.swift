import CollectionPublishing
import CollectionReplication
import Foundation
import Logging
import NIOCore
import NIOPosix
import PipelineTesting
import ServiceLifecycle
import Synchronization
import Testing

@testable import LiveBoardServer

/// A server that listens on a free port.
struct TestServer: Sendable {
    let board: Board
    let port: Int
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// Options with short waiting times.
    static var options: ServerOptions {
        var options = ServerOptions()
        options.port = 0
        options.announcementInterval = .zero
        options.sendBuffer = 8 << 10
        return options
    }

    /// Starts a server.
    static func start(
        _ options: ServerOptions = options,
        log: any LogHandler = SwiftLogNoOpLogHandler()
    ) async throws -> TestServer {
        let logger = Logger(label: "test") { _ in log }
        let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
        let server = try await LiveBoardApplication(options, logger: logger) {
            continuation.yield($0)
        }
        let group = ServiceGroup(services: [server.application], logger: logger)
        let running = Task {
            defer { continuation.finish() }
            try await group.run()
        }
        let address = try #require(await addresses.first { _ in true })
        let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
        return TestServer(board: server.board, port: port, group: group, running: running)
    }

    /// Shuts the server down gracefully.
    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
    }

    /// Runs a server, calls `body`, and shuts the server down.
    static func run(
        _ options: ServerOptions = options,
        log: any LogHandler = SwiftLogNoOpLogHandler(),
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let server = try await start(options, log: log)
        do {
            try await body(server)
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }

    var cards: any ServedList {
        get throws { try board.list("board") }
    }

    // MARK: Requests

    struct Response: Sendable {
        var status = 0
        var fields: [String: String] = [:]
        var body = ""

        /// The code of a fault.
        var code: String? { body.firstMatch(of: /"code":"(\w+)"/).map { String($0.1) } }

        var version: PublishedVersion? {
            body.firstMatch(of: /"version":"([0-9a-f]+\.[0-9]+)"/).flatMap {
                PublishedVersion(String($0.1))
            }
        }

        var id: String? { body.firstMatch(of: /"id":"([^"]+)"/).map { String($0.1) } }
    }

    /// Sends bytes, and returns the response when the server closes the connection.
    func exchange(_ bytes: String) async throws -> Response {
        var parser = ResponseParser()
        try parser.read(try await text(bytes).utf8)
        parser.answer.body = String(decoding: parser.body, as: UTF8.self)
        return parser.answer
    }

    /// Sends bytes, and returns everything that arrives until the server closes the connection.
    func text(_ bytes: String) async throws -> String {
        try await withConnection { inbound, outbound in
            if !bytes.isEmpty { try await outbound.write(ByteBuffer(string: bytes)) }
            var text: [UInt8] = []
            for try await buffer in inbound { text += buffer.readableBytesView }
            return String(decoding: text, as: UTF8.self)
        }
    }

    func request(
        _ method: String,
        _ target: String,
        _ fields: [String] = [],
        body: String? = nil
    ) async throws -> Response {
        var lines = ["\(method) \(target) HTTP/1.1", "connection: close"] + fields
        if !fields.contains(where: { $0.hasPrefix("host:") }) { lines.append("host: localhost") }
        if let body { lines.append("content-length: \(body.utf8.count)") }
        return try await exchange("\(lines.joined(separator: "\r\n"))\r\n\r\n\(body ?? "")")
    }

    /// Edits the board.
    func edit(_ json: String, _ fields: [String] = []) async throws -> Response {
        try await request("POST", "/lists/board/edits", fields, body: json)
    }

    /// Fills the board with cards of about 500 bytes.
    func fill(cards: Int) async throws {
        let text = String(repeating: "x", count: 400)
        let texts = (0..<cards).map { "\(text) card number \($0)." }
        try await self.cards.source?.show(BoardModel(columns: [("todo", "To do", texts)]).state)
    }

    func rename(_ text: String, _ id: String = "c1") async throws -> Response {
        try await edit(#"{"edit":"rename","id":"\#(id)","text":"\#(text)"}"#)
    }

    func add(_ text: String) async throws -> Response {
        try await edit(#"{"edit":"add","section":"todo","text":"\#(text)"}"#)
    }

    // MARK: Connections

    typealias Inbound = NIOAsyncChannelInboundStream<ByteBuffer>
    typealias Outbound = NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// - Parameter receiveBuffer: The bytes of the kernel's receive buffer; `nil` for the default.
    func withConnection<Value: Sendable>(
        receiveBuffer: Int? = nil,
        _ body: (Inbound, Outbound) async throws -> Value
    ) async throws -> Value {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(
                .socketOption(.so_rcvbuf),
                value: .init(receiveBuffer)
            )
        }
        let channel = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { try await body($0, $1) }
    }

    /// Reads an answer to the last of 3,000 cards, and calls `body` with the number of bytes so far.
    func readCards(
        _ request: String,
        receiveBuffer: Int? = nil,
        _ body: (Int) async throws -> Void
    ) async throws {
        try await withConnection(receiveBuffer: receiveBuffer) { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var (tail, count) = ([UInt8](), 0)
            for try await buffer in inbound {
                tail = tail.suffix(100) + buffer.readableBytesView
                count += buffer.readableBytes
                try await body(count)
                if String(decoding: tail, as: UTF8.self).contains("card number 2999.") { return }
            }
            Issue.record("the connection was closed after \(count) bytes")
        }
    }

    /// Follows a list while `body` runs.
    func follow<Value: Sendable>(
        _ target: String = "/lists/board/updates",
        _ fields: [String] = [],
        receiveBuffer: Int? = nil,
        from replica: CollectionReplica = CollectionReplica(),
        _ body: (inout Follower) async throws -> Value
    ) async throws -> Value {
        try await withConnection(receiveBuffer: receiveBuffer) { inbound, outbound in
            let lines = ["GET \(target) HTTP/1.1", "host: localhost"] + fields + ["", ""]
            try await outbound.write(ByteBuffer(string: lines.joined(separator: "\r\n")))
            var follower = Follower(inbound, replica)
            return try await body(&follower)
        }
    }
}

/// A number that several tasks change.
final class Counter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .acquiring) }

    @discardableResult
    func add(_ change: Int) -> Int {
        number.add(change, ordering: .acquiringAndReleasing).newValue
    }
}

/// The end of a request's first line, and its host.
let local = " HTTP/1.1\r\nhost: localhost\r\n"
/// Requests whose answers have the whole board.
let largeAnswers = ["snapshot", "updates"].map { "GET /lists/board/\($0)\(local)\r\n" }

/// A connection that reads nothing by itself.
struct RawConnection {
    private let channel: any Channel

    /// Connects, and sends a request. The receive buffer is small.
    init(to port: Int, _ request: String = "") throws {
        channel = try ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .connect(host: "127.0.0.1", port: port).wait()
        try channel.writeAndFlush(ByteBuffer(string: request)).wait()
    }

    /// Closes the connection, with a reset if the server must not receive an orderly end.
    func close(resets: Bool = false) {
        let reset = linger(l_onoff: 1, l_linger: 0)
        if resets { _ = (channel as! any SocketOptionProvider).setSoLinger(reset) }
        channel.close(promise: nil)
    }
}

/// A reader of a list with a replica that checks every message.
struct Follower {
    struct Ended: Error {}

    private var iterator: TestServer.Inbound.AsyncIterator
    private(set) var parser = ResponseParser()
    private(set) var replica: CollectionReplica
    /// The name of the connection, from the first event.
    private(set) var connection = ""
    /// The number of messages of each kind.
    private(set) var counts: [String: Int] = [:]

    init(_ inbound: TestServer.Inbound, _ replica: CollectionReplica) {
        iterator = inbound.makeAsyncIterator()
        self.replica = replica
    }

    /// Reads one event and applies it. Returns `false` at the end of the connection.
    mutating func step() async throws -> Bool {
        while true {
            if let event = parser.nextEvent() {
                try apply(event)
                return true
            }
            guard let buffer = try await iterator.next() else { return false }
            try parser.read(buffer.readableBytesView)
        }
    }

    private mutating func apply(_ event: [String: String]) throws {
        let data = event["data", default: ""]
        if event["event"] == "connection" {
            connection = data.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
            return
        }
        let wire = try JSONDecoder().decode(WireMessage.self, from: Data(data.utf8))
        #expect(event["id"] == "\(wire.version)")
        counts[data.firstMatch(of: /"(\w+)"/).map { String($0.1) } ?? "", default: 0] += 1
        try replica.apply(wire)
    }

    mutating func read(until isReached: (CollectionReplica) -> Bool) async throws {
        while !isReached(replica) {
            guard try await step() else { throw Ended() }
        }
    }

    /// Reads until the replica has a version.
    mutating func read(to version: PublishedVersion?) async throws {
        let version = try #require(version)
        try await read { replica in
            replica.version.map { $0.handle == version.handle && $0.number >= version.number }
                ?? false
        }
    }
}

extension PublishedState {
    /// The rows as text.
    var rows: [String] {
        (0..<numberOfSections).flatMap { section in
            items(inSection: section).map { item in
                String(decoding: item.payload?.bytes ?? [], as: UTF8.self)
            }
        }
    }
}

/// An incremental parser of an HTTP/1.1 response: head, chunks, and server-sent events.
struct ResponseParser {
    var answer = TestServer.Response()
    private(set) var body: [UInt8] = []
    private var raw: [UInt8] = []

    mutating func read(_ bytes: some Sequence<UInt8>) throws {
        raw += bytes
        if answer.status == 0 {
            guard let end = raw.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            let lines = String(decoding: raw[..<end.lowerBound], as: UTF8.self)
                .split(separator: "\r\n")
            raw.removeFirst(end.upperBound)
            answer.status = try #require(Int(lines[0].split(separator: " ")[1]))
            for line in lines.dropFirst() {
                let pair = line.split(separator: ":", maxSplits: 1)
                answer.fields[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
            }
        }
        guard answer.fields["transfer-encoding"] == "chunked" else {
            body += raw
            raw = []
            return
        }
        while let end = raw.firstRange(of: Array("\r\n".utf8)) {
            let digits = String(decoding: raw[..<end.lowerBound], as: UTF8.self)
            let count = try #require(Int(digits, radix: 16))
            guard raw.count >= end.upperBound + count + 2 else { return }
            body += raw[end.upperBound..<(end.upperBound + count)]
            raw.removeFirst(end.upperBound + count + 2)
        }
    }

    /// Removes the first complete event that is not a comment, and returns its fields.
    mutating func nextEvent() -> [String: String]? {
        guard let end = body.firstRange(of: Array("\n\n".utf8)) else { return nil }
        let lines = String(decoding: body[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
        body.removeFirst(end.upperBound)
        if lines.allSatisfy({ $0.hasPrefix(":") || $0.hasPrefix("retry:") }) { return nextEvent() }
        let pairs = lines.map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }
}

/// Servers in one process that share lists through brokers in memory, one for each log.
final class TestCluster: Sendable {
    /// A server, and its connections to the brokers.
    struct Member: Sendable {
        let server: TestServer
        let logs: MemoryLogs

        /// Waits until the server leads the board.
        func waitUntilLeading() async throws {
            while try server.cards.source == nil { try await Task.sleep(for: .milliseconds(2)) }
        }
    }

    private let brokers = Mutex<[String: MemoryBroker]>([:])
    private let members = Mutex<[Member]>([])

    /// Calls `body`, and shuts down the servers that it has started.
    static func run(_ body: (TestCluster) async throws -> Void) async throws {
        let cluster = TestCluster()
        var failure: (any Error)?
        do { try await body(cluster) } catch { failure = error }
        for member in cluster.members.withLock({ $0 }) { try await member.server.stop() }
        if let failure { throw failure }
    }

    /// Starts a server.
    func start(
        mayLead: Bool = false,
        _ change: (inout ClusterOptions) -> Void = { _ in }
    ) async throws -> Member {
        let logs = MemoryLogs(self)
        var cluster = ClusterOptions(logs: LogProvider(log: logs.log, close: logs.close))
        cluster.mayLead = mayLead
        cluster.leaseDuration = .milliseconds(400)
        cluster.editTimeout = .seconds(5)
        change(&cluster)
        var options = TestServer.options
        options.cluster = cluster
        let member = Member(server: try await TestServer.start(options), logs: logs)
        members.withLock { $0.append(member) }
        return member
    }

    fileprivate func broker(_ name: String) -> MemoryBroker {
        brokers.withLock { brokers in
            let broker = brokers[name] ?? MemoryBroker(environment: DispatchEnvironment())
            brokers[name] = broker
            return broker
        }
    }
}

/// The connections of one server to the brokers.
final class MemoryLogs: Sendable {
    private let cluster: TestCluster
    private let logs = Mutex<[MemoryLog]>([])

    init(_ cluster: TestCluster) { self.cluster = cluster }

    func log(_ name: String) -> any ReplicatedLog {
        let log = cluster.broker(name).makeLog(label: name)
        logs.withLock { $0.append(log) }
        return log
    }

    func close() { for log in logs.withLock({ $0 }) { log.close() } }

    func cutOff(_ directions: MemoryLog.Directions = .both) {
        for log in logs.withLock({ $0 }) { log.cutOff(directions) }
    }

    func reconnect() { for log in logs.withLock({ $0 }) { log.reconnect() } }
}
