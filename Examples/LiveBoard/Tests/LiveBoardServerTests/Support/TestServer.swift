import CollectionPublishing
import Foundation
import LiveBoardClient
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import LiveBoardServer

/// A server that really listens, on a port of its own.
struct TestServer: Sendable {
    let board: Board
    let port: Int

    /// Options that make waiting short.
    static var options: ServerOptions {
        var options = ServerOptions()
        options.port = 0
        options.announcementInterval = .zero
        options.searchLinger = .milliseconds(50)
        options.sendBuffer = 8 << 10
        return options
    }

    /// Runs a server, calls `body`, and shuts the server down in order.
    static func run(
        _ options: ServerOptions = options,
        metrics: TextMetrics? = nil,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
        let server = try await LiveBoardApplication(options, metrics: metrics, logger: logger) {
            continuation.yield($0)
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server.application],
                logger: logger
            )
        )
        async let running: Void = group.run()
        let address = try #require(await addresses.first { _ in true })
        let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(TestServer(board: server.board, port: port)))
        } catch {
            outcome = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running
        try outcome.get()
    }

    /// The board of a server that is the only one.
    var cards: LiveList {
        guard let list = try? board.list("board").source else { fatalError("there is no board") }
        return list
    }

    // MARK: Requests

    struct Answer: Sendable {
        let status: Int
        let fields: [String: String]
        let body: String

        /// The code of a fault.
        var code: String? {
            body.firstMatch(of: /"error":\{"code":"(\w+)"/).map { String($0.1) }
        }
    }

    /// Sends bytes, and reads until the server closes.
    func exchange(_ bytes: String) async throws -> Answer {
        try await withConnection { inbound, outbound in
            if !bytes.isEmpty { try await outbound.write(ByteBuffer(string: bytes)) }
            var text = ""
            for try await buffer in inbound { text += String(buffer: buffer) }
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
            let lines = parts.first?.split(separator: "\r\n") ?? []
            let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            var fields: [String: String] = [:]
            for line in lines.dropFirst() {
                let pair = line.split(separator: ":", maxSplits: 1)
                guard pair.count == 2 else { continue }
                fields[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
            }
            let body = parts.count > 1 ? String(parts[1]) : ""
            return Answer(status: status ?? 0, fields: fields, body: body)
        }
    }

    func request(
        _ method: String,
        _ target: String,
        _ fields: [String] = [],
        body: String? = nil
    ) async throws -> Answer {
        var lines = ["\(method) \(target) HTTP/1.1", "connection: close"]
        if !fields.contains(where: { $0.hasPrefix("host:") }) {
            lines.append("host: 127.0.0.1:\(port)")
        }
        if let body {
            lines.append("content-length: \(body.utf8.count)")
            if !fields.contains(where: { $0.hasPrefix("content-type:") }) {
                lines.append("content-type: application/json")
            }
        }
        let head = (lines + fields).joined(separator: "\r\n")
        return try await exchange("\(head)\r\n\r\n\(body ?? "")")
    }

    /// Edits the board; returns the answer.
    func edit(_ json: String, _ fields: [String] = []) async throws -> Answer {
        try await request("POST", "/lists/board/edits", fields, body: json)
    }

    // MARK: Connections

    typealias Inbound = NIOAsyncChannelInboundStream<ByteBuffer>
    typealias Outbound = NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// - Parameter receiveBuffer: how many bytes the machine may keep for it; nil for as many as usual.
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
        return try await channel.executeThenClose { inbound, outbound in
            try await body(inbound, outbound)
        }
    }

    /// Follows a list as long as `body` runs.
    func follow<Value: Sendable>(
        _ target: String,
        _ fields: [String] = [],
        receiveBuffer: Int? = nil,
        _ body: (inout Follower) async throws -> Value
    ) async throws -> Value {
        try await withConnection(receiveBuffer: receiveBuffer) { inbound, outbound in
            let lines = ["GET \(target) HTTP/1.1", "host: 127.0.0.1:\(port)"] + fields
            try await outbound.write(
                ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n")
            )
            var follower = Follower(inbound)
            return try await body(&follower)
        }
    }
}

/// Who follows a list: reads events, and keeps a replica that checks each.
struct Follower {
    private var iterator: TestServer.Inbound.AsyncIterator
    private(set) var reader = EventReader()
    private(set) var replica: CollectionReplica
    private var events: ArraySlice<EventReader.Event> = []
    /// What the first event says.
    private(set) var connection = ""
    /// How many messages of each kind have come.
    private(set) var counts: [String: Int] = [:]

    init(_ inbound: TestServer.Inbound, replica: CollectionReplica = CollectionReplica()) {
        iterator = inbound.makeAsyncIterator()
        self.replica = replica
    }

    /// Goes on from what another connection was told.
    mutating func take(_ replica: CollectionReplica) { self.replica = replica }

    /// The next event; nil at the end of the connection.
    mutating func next() async throws -> EventReader.Event? {
        while events.isEmpty {
            guard let buffer = try await iterator.next() else { return nil }
            events = try reader.read(buffer.readableBytesView)[...]
        }
        return events.popFirst()
    }

    /// Reads one message and takes it in; false at the end.
    mutating func step() async throws -> Bool {
        guard let event = try await next() else { return false }
        if event.type == "connection" {
            connection = event.data.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
            return try await step()
        }
        let wire = try JSONDecoder().decode(WireMessage.self, from: Data(event.data.utf8))
        #expect(event.id == "\(wire.version)")
        let kind = event.data.firstMatch(of: /"(\w+)"/).map { String($0.1) } ?? ""
        counts[kind, default: 0] += 1
        try replica.apply(wire)
        return true
    }

    /// Reads until what is there fits.
    mutating func read(
        until isReached: (CollectionReplica) -> Bool
    ) async throws {
        while !isReached(replica) {
            guard try await step() else {
                throw EventReader.Fault(description: "the stream ended at \(replica.state.shape)")
            }
        }
    }

    /// Reads until it is where a version is, or beyond.
    mutating func read(to number: Int) async throws {
        try await read { $0.version.map { $0.number >= number } ?? false }
    }

    /// The rows as text.
    var rows: [[String]] {
        (0..<replica.state.numberOfSections).map { section in
            replica.state.items(inSection: section).map { item in
                String(decoding: item.payload?.bytes ?? [], as: UTF8.self)
            }
        }
    }
}
