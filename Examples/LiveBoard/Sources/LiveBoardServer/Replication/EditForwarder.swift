import CollectionReplication
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A forwarder of edits to the server that leads the board.
///
/// The leader stores its address in a register next to the logs. The address may be outdated or
/// wrong, so a server that receives an edit checks whether it leads.
final class EditForwarder: Sendable {
    private let log: any ReplicatedLog
    private let options: ClusterOptions
    private let logger: Logger
    private let ownAddress: Mutex<ServerAddress?>
    private let announcing = Mutex<Task<Void, Never>?>(nil)

    /// The header field of a forwarded edit. Forwarding it again could form a loop of two servers.
    static let mark = "LiveBoard-Forwarded"
    /// The time limit for a response from the broker.
    private static let brokerTimeout = Duration.seconds(2)

    init(_ options: ClusterOptions, logger: Logger) throws {
        log = try options.logs.log("board-leader")
        ownAddress = Mutex(options.address)
        self.options = options
        self.logger = logger
    }

    // MARK: The address of the leader

    /// Records the address that this server listens on, unless the options have another one.
    func listens(at address: ServerAddress) { ownAddress.withLock { $0 = $0 ?? address } }

    /// Keeps the address of this server, the leader, in the register, even if the broker loses it.
    func announce() {
        withdraw()
        let interval = options.leaseDuration
        let task = Task { [weak self] in
            while !Task.isCancelled {
                let isAnnounced = await self?.writeAddress() ?? true
                try? await Task.sleep(for: isAnnounced ? interval : interval / 10)
            }
        }
        announcing.withLock { $0 = task }
    }

    /// Stops announcing the address, because this server no longer leads.
    func withdraw() {
        announcing.withLock { $0.take() }?.cancel()
    }

    /// Writes the address if it is missing, and returns whether the register has it.
    private func writeAddress() async -> Bool {
        guard let own = ownAddress.withLock({ $0 })?.description else { return false }
        do {
            let current = try await log.value(of: .head, within: Self.brokerTimeout)
            if current?.bytes == Array(own.utf8) { return true }
            try await log.put(
                Array(own.utf8),
                in: .head,
                expecting: current?.revision,
                within: Self.brokerTimeout
            )
            return true
        } catch {
            logger.info("the address of this server could not be announced: \(error)")
            return false
        }
    }

    // MARK: Edits

    typealias LeaderResponse = (status: Int, body: ByteBuffer)

    /// Forwards an edit to the leader, and waits for a leader if there is none.
    ///
    /// It sends an edit again only if it is certain that the edit was not made: no connection was
    /// possible, or the server does not lead.
    ///
    /// - Throws: `RequestFault.noLeader` if the edit was not made, or `unconfirmed` if that is
    ///   unknown.
    func forward(_ body: ByteBuffer) async throws -> LeaderResponse {
        let clock = ContinuousClock()
        let end = clock.now + options.editTimeout
        repeat {
            let value = try? await log.value(of: .head, within: Self.brokerTimeout)
            let leader = value.flatMap { ServerAddress(String(decoding: $0.bytes, as: UTF8.self)) }
            if let leader, let channel = try? await connect(to: leader) {
                let answer: LeaderResponse
                do {
                    answer = try await exchange(body, leader, over: channel)
                } catch {
                    logger.notice("\(leader) did not respond to an edit: \(error)")
                    throw RequestFault.unconfirmed
                }
                if !String(buffer: answer.body).contains("\"\(RequestFault.noLeader.code)\"") {
                    return answer
                }
            }
            try await clock.sleep(for: .milliseconds(100))
        } while clock.now < end
        throw RequestFault.noLeader
    }

    private typealias Channel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private func connect(to leader: ServerAddress) async throws -> Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(1))
            .connect(host: leader.host, port: leader.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Channel(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Sends an edit over a new connection, because a reused one may send a request twice.
    private func exchange(
        _ body: ByteBuffer,
        _ leader: ServerAddress,
        over channel: Channel
    ) async throws -> LeaderResponse {
        // Longer than the leader's own limit, so that its response arrives first.
        let late = channel.channel.eventLoop.scheduleTask(
            in: TimeAmount(options.editTimeout) + .seconds(2)
        ) { channel.channel.close(promise: nil) }
        defer { late.cancel() }
        return try await channel.executeThenClose { inbound, outbound in
            let fields: HTTPHeaders = [
                "Host": leader.authority, "Connection": "close", Self.mark: "1",
                "Content-Type": "application/json", "Content-Length": "\(body.readableBytes)",
            ]
            let head = HTTPRequestHead(
                version: .http1_1,
                method: .POST,
                uri: "/lists/board/edits",
                headers: fields
            )
            try await outbound.write(.head(head))
            try await outbound.write(.body(.byteBuffer(body)))
            try await outbound.write(.end(nil))
            var (status, answer) = (0, ByteBuffer())
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let bytes): answer.writeImmutableBuffer(bytes)
                case .end: return (status, answer)
                }
            }
            throw ChannelError.eof
        }
    }
}

extension ReplicatedLog {
    /// Returns the value of a register, or `nil` if it was never set or the log is missing.
    func value(
        of register: LogRegister,
        within timeout: Duration
    ) async throws -> LogRegisterValue? {
        do throws(LogError) {
            return try await response(within: timeout) { self.read(register, $0) }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
    }

    /// Sets a register unless it was set after `revision`, and creates the log if it is missing.
    fileprivate func put(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        within timeout: Duration
    ) async throws {
        if revision == nil { try await response(within: timeout) { self.create($0) } }
        _ = try await response(within: timeout) {
            self.set(bytes, in: register, expecting: revision, $0)
        }
    }

    /// Waits for a response from the broker, but not longer than `timeout`.
    private func response<Value: Sendable>(
        within timeout: Duration,
        _ request: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
    ) async throws(LogError) -> Value {
        let response = await firstValue(within: timeout, request)
        guard let response else { throw LogError(.unanswered, "no response arrived in time") }
        return try response.get()
    }
}
