import CollectionReplication
import JournalSupport

/// The log of a collection in a Redis stream, whose entries are named by their positions; snapshots and registers in
/// hashes beside.
///
/// Made by ``RedisConnection/log(of:)``. What Redis promises for it, and what it does not, is in the package's README.
public final class RedisLog: ReplicatedLog {
    // Keeps the connection open.
    let connection: RedisConnection
    private let prefix: String
    /// The newest position that was heard of: who reads on from it can wait without looking first.
    private let known = Guarded<UInt64>(0)

    init(_ connection: RedisConnection, _ collection: String) {
        self.connection = connection
        // The braces keep a collection together where keys are spread.
        prefix = "\(connection.options.namespace):{\(collection)}:"
    }

    private var stream: String { prefix + "log" }
    private var snapshots: String { prefix + "snaps" }
    private func snapshot(_ name: String) -> String { "\(prefix)snap:\(name)" }
    private func register(_ register: LogRegister) -> String { prefix + register.rawValue }

    // MARK: Running scripts

    /// Runs a script on the main connection and reads its reply; -1 is that there is no log.
    private func run<Value: Sendable>(
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

    private func command(
        _ script: RedisScript,
        _ keys: [String],
        _ arguments: [[UInt8]]
    ) -> RedisCommand {
        RedisCommand(script: script, keys: [stream] + keys, arguments: arguments)
    }

    private static func value<Value>(
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

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func done(_ reply: RedisReply) -> Result<Void, LogError>? {
        reply.integer == 1 ? .success(()) : nil
    }

    private func tooLarge(_ bytes: [UInt8]) -> LogError? {
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
        run(.purge, [Self.bytes("\(position + 1)-0")], read: Self.done, answer)
    }

    /// Reads what is there; where that is nothing and the log ends right before, waits on a connection of its own, on
    /// which the same is asked behind the waiting.
    public func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        let position = max(1, position)
        if position == known.withLock({ $0 }) + 1 {
            return self.wait(from: position, limit, wait, answer)
        }
        let command = command(reading: position, limit)
        connection.link.send([
            (
                command,
                { @Sendable [self] reply in
                    let result = Self.value(of: reply) { Self.batch($0, from: position) }
                    if case .success(let batch) = result {
                        known.withLock { $0 = batch.last }
                        if batch.records.isEmpty, batch.last + 1 == position {
                            return self.wait(from: position, limit, wait, answer)
                        }
                    }
                    answer(result)
                }
            )
        ])
    }

    private func command(reading position: UInt64, _ limit: LogReadLimit) -> RedisCommand {
        let arguments = [
            "\(position)-0", String(max(1, limit.records)), String(max(1, limit.bytes)),
        ]
        return command(.read, [], arguments.map(Self.bytes))
    }

    private func wait(
        from position: UInt64,
        _ limit: LogReadLimit,
        _ wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        guard let link = connection.takeReader() else {
            let text = "No further read may wait at Redis, or the connection is closed."
            return answer(.failure(LogError(.unavailable, text)))
        }
        let waiting = RedisCommand(
            "XREAD",
            "COUNT",
            "1",
            "BLOCK",
            String(wait.wholeMilliseconds),
            "STREAMS",
            stream,
            "\(position - 1)-18446744073709551615"
        )
        link.send(
            [
                // Only wakes; what there is then, and where the log begins and ends, is asked behind it.
                (waiting, { @Sendable _ in }),
                (
                    command(reading: position, limit),
                    { @Sendable [self] reply in
                        let result = Self.value(of: reply) { Self.batch($0, from: position) }
                        if case .success(let batch) = result { known.withLock { $0 = batch.last } }
                        connection.giveBack(link)
                        answer(result)
                    }
                ),
            ],
            waiting: wait
        )
    }

    private static func batch(
        _ reply: RedisReply,
        from position: UInt64
    ) -> Result<LogBatch, LogError>? {
        guard let count = reply.count, let last = reply.element(1, { $0.position }) else {
            return nil
        }
        let first = reply.element(0) { $0.position } ?? last + 1
        var batch = LogBatch(start: position, records: [], first: first, last: last)
        for index in stride(from: 2, to: count - 1, by: 2) {
            guard let place = reply.element(index, { $0.position }),
                let record = reply.element(index + 1, { $0.bytes })
            else { return nil }
            if batch.records.isEmpty { batch.start = place }
            // An entry of another's making ends the neighbours.
            guard place == batch.start + UInt64(batch.records.count) else { break }
            batch.records.append(record)
        }
        return .success(batch)
    }

    // MARK: Snapshots

    /// Sets a field of the snapshot's hash.
    public func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        let fault =
            JournalNames.fault(ofSnapshot: snapshot) ?? JournalNames.fault(ofChunk: index)
            ?? tooLarge(chunk)
        if let fault { return answer(.failure(fault)) }
        run(
            .put,
            keys: [snapshots, self.snapshot(snapshot)],
            [Self.bytes(snapshot), Self.bytes(String(index)), chunk],
            read: Self.done,
            answer
        )
    }

    /// Reads a field of the snapshot's hash.
    public func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    ) {
        let fault =
            JournalNames.fault(ofSnapshot: snapshot) ?? JournalNames.fault(ofChunk: index)
        if let fault { return answer(.failure(fault)) }
        run(
            .chunk,
            keys: [self.snapshot(snapshot)],
            [Self.bytes(String(index))],
            read: { .success($0.element(0) { $0.bytes }) },
            answer
        )
    }

    /// Deletes the hashes of the other snapshots.
    public func removeSnapshots(
        keeping names: [String],
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        run(
            .removeSnapshots,
            keys: [snapshots],
            ([snapshot("")] + names).map(Self.bytes),
            read: Self.done,
            answer
        )
    }

    // MARK: Registers

    /// Reads the register's hash.
    public func read(
        _ register: LogRegister,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        run(
            .readRegister,
            keys: [self.register(register)],
            read: { reply in
                guard reply.count == 2 else { return nil }
                guard let bytes = reply.element(0, { $0.bytes }),
                    let revision = reply.element(1, { $0.position })
                else { return .success(nil) }
                return .success(LogRegisterValue(bytes: bytes, revision: revision))
            },
            answer
        )
    }

    /// Sets the register's hash in one step with comparing its revision.
    public func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        if let error = tooLarge(bytes) { return answer(.failure(error)) }
        run(
            .setRegister,
            keys: [self.register(register), prefix + "revision"],
            [Self.bytes(revision.map(String.init) ?? ""), bytes],
            read: { reply in
                guard let integer = reply.integer else { return nil }
                if integer > 0 { return .success(UInt64(integer)) }
                return .failure(
                    LogError(.conflict, "The register \(register.rawValue) was set by another.")
                )
            },
            answer
        )
    }
}
