import CollectionReplication
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// Passes edits on to the server that leads, and its answer back.
///
/// An edit is sent again only where it is known that it was not made: nobody was there, or the one who was there does not
/// lead. Where a connection ends before an answer, nobody is told that it was made or was not.
struct EditForwarder: Sendable {
    let address: LeaderAddress
    let path: String
    /// How long an edit waits for a leader, and for its answer.
    let timeout: Duration
    let logger: Logger

    /// Marks what was passed on, which is not passed on again.
    static let mark = "LiveBoard-Forwarded"
    /// How large an answer may be; it has some hundred bytes.
    private static let longestAnswer = 64 << 10
    private static let pause = Duration.milliseconds(100)

    /// An answer of the leader.
    struct Answer: Sendable {
        let status: Int
        let body: ByteBuffer
    }

    /// Passes an edit on, and waits meanwhile for a leader where there is none.
    ///
    /// - Throws: `RequestFault.noLeader` where it was not made, `unconfirmed` where that is not known.
    func forward(_ body: ByteBuffer) async throws -> Answer {
        let clock = ContinuousClock()
        let end = clock.now + timeout
        repeat {
            if let leader = await find(), let answer = try await attempt(body, leader) {
                return answer
            }
            try await clock.sleep(for: Self.pause)
        } while clock.now < end
        throw RequestFault.noLeader
    }

    private func find() async -> ServerAddress? {
        do {
            return try await address.find()
        } catch {
            logger.info("who leads could not be found out: \(error)")
            return nil
        }
    }

    /// The answer of a server; nil where it is not there, or does not lead, so that nothing was done.
    private func attempt(_ body: ByteBuffer, _ leader: ServerAddress) async throws -> Answer? {
        let channel: Exchange
        do {
            channel = try await connect(to: leader)
        } catch {
            logger.info("the leader could not be reached: \(error)", metadata: ["at": "\(leader)"])
            return nil
        }
        let answer: Answer
        do {
            answer = try await exchange(body, leader, over: channel)
        } catch {
            logger.notice("an edit was not answered: \(error)", metadata: ["at": "\(leader)"])
            throw RequestFault.unconfirmed
        }
        let says = RequestFault.noLeader.json
        if answer.status == RequestFault.noLeader.status, String(buffer: answer.body) == says {
            return nil
        }
        return answer
    }

    // MARK: One request

    private typealias Exchange = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private func connect(to leader: ServerAddress) async throws -> Exchange {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(1))
            .connect(host: leader.host, port: leader.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Exchange(wrappingChannelSynchronously: channel)
                }
            }
    }

    private func exchange(
        _ body: ByteBuffer,
        _ leader: ServerAddress,
        over channel: Exchange
    ) async throws -> Answer {
        // Longer than the leader may take, so that its own answer comes, whatever it is.
        let late = channel.channel.eventLoop.scheduleTask(
            in: TimeAmount(timeout) + .seconds(2)
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
                uri: path,
                headers: fields
            )
            try await outbound.write(.head(head))
            try await outbound.write(.body(.byteBuffer(body)))
            try await outbound.write(.end(nil))
            var status: Int?
            var answer = ByteBuffer()
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let bytes):
                    answer.writeImmutableBuffer(bytes)
                    guard answer.readableBytes <= Self.longestAnswer else {
                        throw RequestFault.tooLarge
                    }
                case .end:
                    if let status { return Answer(status: status, body: answer) }
                }
            }
            throw ChannelError.eof
        }
    }
}
