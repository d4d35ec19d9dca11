import CollectionReplication
import JournalSupport

/// The log of a collection in a Redis stream, whose entries are named by their positions; snapshots and registers in
/// hashes beside.
///
/// Made by ``RedisConnection/log(named:)``. What Redis promises for it, and what it does not, is in the package's README.
public final class RedisLog: ReplicatedLog {
    // Keeps the connection open.
    let connection: RedisConnection
    let prefix: String
    /// What was heard of where the log begins and ends.
    let known = Guarded(Known())

    init(_ connection: RedisConnection, _ collection: String) {
        self.connection = connection
        // The braces keep a collection together where keys are spread.
        prefix = "\(connection.options.namespace):{\(collection)}:"
    }

    var stream: String { prefix + "log" }
    var snapshots: String { prefix + "snaps" }
    func snapshot(_ name: String) -> String { "\(prefix)snap:\(name)" }
    func register(_ register: LogRegister) -> String { prefix + register.rawValue }

    // MARK: Running scripts

    /// Runs a script on the main connection and reads its reply; -1 is that there is no log.
    func run<Value: Sendable>(
        _ script: RedisScript,
        keys: [String] = [],
        _ arguments: [[UInt8]] = [],
        read: @escaping @Sendable (RedisReply) -> Result<Value, LogError>?,
        _ answer: @escaping @Sendable (Result<Value, LogError>) -> Void
    ) {
        let command = command(script, keys, arguments)
        connection.link.send([
            (command, { @Sendable reply in answer(Self.value(of: reply, read)) })
        ])
    }

    func command(
        _ script: RedisScript,
        _ keys: [String],
        _ arguments: [[UInt8]]
    ) -> RedisCommand {
        RedisCommand(script: script, keys: [stream] + keys, arguments: arguments)
    }

    static func value<Value>(
        of answer: RedisAnswer,
        _ read: (RedisReply) -> Result<Value, LogError>?
    ) -> Result<Value, LogError> {
        switch answer {
        case .failure(let error): return .failure(error)
        case .reply(let reply):
            if let text = reply.error { return .failure(.redis(text)) }
            if reply.integer == -1 {
                return .failure(LogError(.missing, "Redis has no log of this collection."))
            }
            return read(reply)
                ?? .failure(LogError(.unavailable, "Redis replies what cannot be read."))
        }
    }

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func done(_ reply: RedisReply) -> Result<Void, LogError>? {
        reply.integer == 1 ? .success(()) : nil
    }

    func tooLarge(_ bytes: [UInt8]) -> LogError? {
        let limit = connection.options.byteLimit
        if bytes.count <= limit { return nil }
        return LogError(.rejected, "\(bytes.count) bytes are more than the limit of \(limit).")
    }

    // MARK: Records

    /// Makes an empty stream where there is none.
    public func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void) {
        run(.create, read: Self.done, answer)
    }

    /// Adds the entry named by the next position, in one step with looking at the newest; a second attempt is recognized
    /// by the identifier, for as long as the record is there.
    public func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        if let error = tooLarge(record) { return answer(.failure(error)) }
        let next = position &+ 1
        let arguments = [
            Self.bytes(String(position)), Self.bytes("\(next)-0"), Self.bytes(id), record,
        ]
        run(
            .append,
            arguments,
            read: { reply in
                if reply.integer == 1 { return .success(next) }
                guard let last = reply.position else { return nil }
                return .failure(
                    LogError(.conflict, "The newest record in Redis is \(last).", last: last)
                )
            },
            answer
        )
    }

    /// Removes the entries before a name.
    public func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        guard position < .max else {
            return answer(.failure(LogError(.rejected, "There is no position \(position).")))
        }
        let known = known
        run(.purge, [Self.bytes("\(position + 1)-0")], read: Self.done) { result in
            if case .success = result {
                known.withLock { $0.first = max($0.first, min(position, $0.last ?? 0) + 1) }
            }
            answer(result)
        }
    }
}
