import CollectionReplication
import JournalSupport

/// The log of a collection in a Redis stream, whose entries are named by their positions. Snapshots and registers are in
/// hashes.
///
/// ``RedisConnection/log(named:)`` makes it. The package's README says what Redis promises for it, and what it does not.
public final class RedisLog: ReplicatedLog {
    // Keeps the connection open.
    let connection: RedisConnection
    let prefix: String
    /// The known beginning and end of the log.
    let known = Guarded(Known())

    init(_ connection: RedisConnection, _ collection: String) {
        self.connection = connection
        // The braces keep the keys of a collection on one server of a Redis Cluster.
        prefix = "\(connection.options.namespace):{\(collection)}:"
    }

    var stream: String { prefix + "log" }
    var snapshots: String { prefix + "snaps" }
    func snapshot(_ name: String) -> String { "\(prefix)snap:\(name)" }
    func register(_ register: LogRegister) -> String { prefix + register.rawValue }

    // MARK: Running scripts

    /// Runs a script on the main connection and reads its reply; -1 is that there is no log.
    private func run<Value: Sendable>(
        _ script: RedisScript,
        keys: [String] = [],
        _ arguments: [[UInt8]] = [],
        read: @escaping @Sendable (RedisReply) -> Result<Value, LogError>?,
        _ answer: @escaping LogAnswer<Value>
    ) {
        let command = RedisCommand(script: script, keys: [stream] + keys, arguments: arguments)
        connection.link.send(command) { answer(Self.value(of: $0, read)) }
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

    /// Makes an empty stream if there is none.
    public func create(_ answer: @escaping LogAnswer<Void>) {
        run(.create, read: Self.done, answer)
    }

    /// Adds the entry named by the next position, in one step with looking at the newest; a second attempt is recognized
    /// by the identifier, for as long as the record is there.
    public func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping LogAnswer<UInt64>
    ) {
        if let error = tooLarge(record) { return answer(.failure(error)) }
        let next = position &+ 1
        let arguments = [String(position), "\(next)-0", id].map(Self.bytes) + [record]
        let read: @Sendable (RedisReply) -> Result<UInt64, LogError>? = { reply in
            if reply.integer == 1 { return .success(next) }
            guard let last = reply.position else { return nil }
            let text = "The newest record in Redis is \(last)."
            return .failure(LogError(.conflict, text, last: last))
        }
        run(.append, arguments, read: read, answer)
    }

    /// Removes the entries before a name.
    public func purge(through position: UInt64, _ answer: @escaping LogAnswer<Void>) {
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

    // MARK: Chunks of snapshots

    /// Sets a field of the snapshot's hash.
    public func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping LogAnswer<Void>
    ) {
        if let fault = JournalNames.fault(ofChunk: index, of: snapshot) ?? tooLarge(chunk) {
            return answer(.failure(fault))
        }
        let arguments = [snapshot, String(index)].map(Self.bytes) + [chunk]
        run(.put, keys: [snapshots, self.snapshot(snapshot)], arguments, read: Self.done, answer)
    }

    /// Reads a field of the snapshot's hash.
    public func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping LogAnswer<[UInt8]?>
    ) {
        if let fault = JournalNames.fault(ofChunk: index, of: snapshot) {
            return answer(.failure(fault))
        }
        let (key, field) = (self.snapshot(snapshot), Self.bytes(String(index)))
        let read: @Sendable (RedisReply) -> Result<[UInt8]?, LogError>? = { reply in
            .success(reply.element(0) { $0.bytes })
        }
        run(.chunk, keys: [key], [field], read: read, answer)
    }

    /// Deletes the hashes of earlier snapshots.
    public func removeSnapshots(before name: String, _ answer: @escaping LogAnswer<Void>) {
        let arguments = [snapshot(""), name].map(Self.bytes)
        run(.removeSnapshots, keys: [snapshots], arguments, read: Self.done, answer)
    }

    // MARK: Registers

    /// Reads the register's hash.
    public func read(_ register: LogRegister, _ answer: @escaping LogAnswer<LogRegisterValue?>) {
        let read: @Sendable (RedisReply) -> Result<LogRegisterValue?, LogError>? = { reply in
            guard reply.count == 2 else { return nil }
            guard let bytes = reply.element(0, { $0.bytes }),
                let revision = reply.element(1, { $0.position })
            else { return .success(nil) }
            return .success(LogRegisterValue(bytes: bytes, revision: revision))
        }
        run(.readRegister, keys: [self.register(register)], read: read, answer)
    }

    /// Sets the register's hash in one step with comparing its revision.
    public func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping LogAnswer<UInt64>
    ) {
        if let error = tooLarge(bytes) { return answer(.failure(error)) }
        let read: @Sendable (RedisReply) -> Result<UInt64, LogError>? = { reply in
            guard let integer = reply.integer else { return nil }
            if integer > 0 { return .success(UInt64(integer)) }
            let text = "Another has set the register \(register.rawValue)."
            return .failure(LogError(.conflict, text))
        }
        let keys = [self.register(register), prefix + "revision"]
        let expected = Self.bytes(revision.map(String.init) ?? "")
        run(.setRegister, keys: keys, [expected, bytes], read: read, answer)
    }
}
