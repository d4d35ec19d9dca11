import CollectionReplication
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Passes edits on to the server that leads the board.
///
/// The leader keeps its address in a register beside the logs. The address may be old or wrong, so the server that
/// receives an edit checks whether it leads.
final class EditForwarder: Sendable {
    private let log: any ReplicatedLog
    private let options: ClusterOptions
    private let logger: Logger
    private let own: Mutex<ServerAddress?>
    private let announcing = Mutex<Task<Void, Never>?>(nil)

    /// Marks an edit that was passed on. It is not passed on again, because two servers could each take the other for
    /// the leader.
    static let mark = "LiveBoard-Forwarded"
    /// The time that an answer of the broker may take.
    private static let patience = Duration.seconds(2)

    init(_ options: ClusterOptions, logger: Logger) throws {
        log = try options.logs.log(named: "board-leader")
        own = Mutex(options.address)
        self.options = options
        self.logger = logger
    }

    // MARK: The address of the leader

    /// Notes the address that this server listens on, unless it was given another.
    func listens(at address: ServerAddress) { own.withLock { $0 = $0 ?? address } }

    /// Keeps the address of this server, which leads, in the register, also if the broker forgets it.
    func announce() {
        withdraw()
        let interval = options.leaseDuration
        let task = Task { [weak self] in
            while !Task.isCancelled {
                let isThere = await self?.put() ?? true
                try? await Task.sleep(for: isThere ? interval : interval / 10)
            }
        }
        announcing.withLock { $0 = task }
    }

    /// Stops that: this server no longer leads.
    func withdraw() {
        let task = announcing.withLock { task in
            defer { task = nil }
            return task
        }
        task?.cancel()
    }

    /// - Returns: whether the address is there.
    private func put() async -> Bool {
        guard let own = own.withLock({ $0 })?.description else { return false }
        do {
            let there = try await log.value(of: .head, within: Self.patience)
            if there?.bytes == Array(own.utf8) { return true }
            try await log.put(
                Array(own.utf8),
                in: .head,
                expecting: there?.revision,
                within: Self.patience
            )
            return true
        } catch {
            logger.info("the address of this server could not be announced: \(error)")
            return false
        }
    }

    // MARK: Edits

    struct Answer: Sendable {
        let status: Int
        let body: ByteBuffer
    }

    /// Forwards an edit to the leader, and waits for one if there is none.
    ///
    /// It is sent again only if it is known that it was not made: no server was there, or the server does not lead.
    ///
    /// - Throws: `RequestFault.noLeader` if the edit was not made, `unconfirmed` if that is not known.
    func forward(_ body: ByteBuffer) async throws -> Answer {
        let clock = ContinuousClock()
        let end = clock.now + options.editTimeout
        repeat {
            let value = try? await log.value(of: .head, within: Self.patience)
            let leader = value.flatMap { ServerAddress(String(decoding: $0.bytes, as: UTF8.self)) }
            if let leader, let channel = try? await connect(to: leader) {
                let answer: Answer
                do {
                    answer = try await exchange(body, leader, over: channel)
                } catch {
                    logger.notice("\(leader) did not answer an edit: \(error)")
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

    /// Sends an edit over a connection of its own: a client that keeps connections may send a request twice.
    private func exchange(
        _ body: ByteBuffer,
        _ leader: ServerAddress,
        over channel: Channel
    ) async throws -> Answer {
        // Later than the leader's own limit, so that its answer comes first.
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
                case .end: return Answer(status: status, body: answer)
                }
            }
            throw ChannelError.eof
        }
    }
}

extension ReplicatedLog {
    /// Returns the value of a register; `nil` if it was never set, or there is no such log yet.
    func value(
        of register: LogRegister,
        within timeout: Duration
    ) async throws -> LogRegisterValue? {
        do throws(LogError) {
            return try await answer(within: timeout) { self.read(register, $0) }
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
        if revision == nil { try await answer(within: timeout) { self.create($0) } }
        _ = try await answer(within: timeout) {
            self.set(bytes, in: register, expecting: revision, $0)
        }
    }

    /// Waits for an answer of the broker, which may not come.
    private func answer<Value: Sendable>(
        within timeout: Duration,
        _ ask: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
    ) async throws(LogError) -> Value {
        let (answers, continuation) = AsyncStream.makeStream(of: Result<Value, LogError>.self)
        ask { continuation.yield($0) }
        let timer = Task {
            try await Task.sleep(for: timeout)
            continuation.finish()
        }
        defer { timer.cancel() }
        guard let answer = await answers.first(where: { _ in true }) else {
            throw LogError(.unanswered, "no answer came in time")
        }
        return try answer.get()
    }
}
