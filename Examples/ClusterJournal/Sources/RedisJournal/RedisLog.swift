import CollectionReplication
import Dispatch
import JournalSupport

/// The log of a collection in a Redis stream; hashes store snapshots and registers.
///
/// ``RedisConnection/log(named:)`` creates it. See `BrokerBehavior.md` for what Redis guarantees.
public final class RedisLog: ReplicatedLog {
    // Retained to keep the connection open.
    private let connection: RedisConnection
    let prefix: String
    private let known = LockedValue(KnownEnd())
    private let firstPosition = FirstPosition()

    init(_ connection: RedisConnection, _ collection: String) {
        self.connection = connection
        // The braces keep all keys of a collection on one node of a Redis Cluster.
        prefix = "\(connection.options.namespace):{\(collection)}:"
    }

    var stream: String { prefix + "log" }
    var snapshots: String { prefix + "snaps" }
    func snapshot(_ name: String) -> String { "\(prefix)snap:\(name)" }
    func register(_ register: LogRegister) -> String { prefix + register.rawValue }

    // MARK: Running scripts

    /// Runs a script on the main connection and converts its reply; -1 means a missing log.
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
        answer.flatMap { reply in
            if let text = reply.error { return .failure(.redis(text)) }
            if reply.integer == -1 {
                return .failure(LogError(.missing, "Redis has no log of this collection."))
            }
            return read(reply)
                ?? .failure(LogError(.unavailable, "Redis sent an unreadable reply."))
        }
    }

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func done(_ reply: RedisReply) -> Result<Void, LogError>? {
        reply.integer == 1 ? .success(()) : nil
    }

    func tooLarge(_ bytes: [UInt8]) -> LogError? {
        let limit = connection.options.byteLimit
        if bytes.count <= limit { return nil }
        return LogError(.rejected, "Expected at most \(limit) bytes, found \(bytes.count).")
    }

    // MARK: Records

    /// Creates an empty stream if none exists.
    public func create(_ answer: @escaping LogAnswer<Void>) {
        run(.create, read: Self.done, answer)
    }

    /// Compares positions and adds an entry atomically. A retry finds the identifier in its entry.
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

    /// Removes the entries through a position.
    public func purge(through position: UInt64, _ answer: @escaping LogAnswer<Void>) {
        guard position < .max else {
            return answer(.failure(LogError(.rejected, "Expected a position below \(UInt64.max).")))
        }
        let (known, firstPosition) = (known, firstPosition)
        run(.purge, [Self.bytes("\(position + 1)-0")], read: Self.done) { result in
            if case .success = result {
                let last = known.withLock { $0.last ?? 0 }
                firstPosition.notePurge(through: min(position, last))
            }
            answer(result)
        }
    }

    // MARK: Chunks of snapshots

    /// Stores a chunk as a field of the snapshot's hash.
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

    /// Reads a chunk from the snapshot's hash.
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

    /// Compares the register's revision and sets its hash atomically.
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
            let text = "Another writer has set the register \(register.rawValue)."
            return .failure(LogError(.conflict, text))
        }
        let keys = [self.register(register), prefix + "revision"]
        let expected = Self.bytes(revision.map(String.init) ?? "")
        run(.setRegister, keys: keys, [expected, bytes], read: read, answer)
    }
}

// Reading. A script reads older records, bounds the bytes and returns the first and last positions.
// A reader at the end, like every follower, waits with `XREAD`, which costs the server much less.

extension RedisLog {
    /// The known end of the log.
    fileprivate struct KnownEnd {
        /// The newest known position. A read that continues from it waits immediately.
        var last: UInt64?
        /// The size of the last batch's largest record, to choose the next read's record count.
        var recordByteCount = 16 << 10
    }

    /// The maximum number of records of a waiting read, because `XREAD` bounds only their number.
    private static let blockingReadLimit = 64

    /// Returns existing records. At the end of the log, waits on a separate connection.
    public func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping LogAnswer<LogBatch>
    ) {
        let position = max(1, position)
        if position - 1 == known.withLock({ $0.last }) {
            return self.wait(from: position, limit, wait, answer)
        }
        connection.link.send(command(reading: position, limit)) { [self] reply in
            let result = noteBounds(Self.value(of: reply) { Self.batch($0, from: position) })
            if case .success(let batch) = result, batch.records.isEmpty, batch.last + 1 == position
            {
                return self.wait(from: position, limit, wait, answer)
            }
            answer(result)
        }
    }

    private func command(reading position: UInt64, _ limit: LogReadLimit) -> RedisCommand {
        let limits = [max(0, limit.records), max(1, limit.bytes)].map { String($0) }
        let arguments = (["\(position)-0"] + limits).map(Self.bytes)
        return RedisCommand(script: .read, keys: [stream], arguments: arguments)
    }

    /// Records the first and last positions that a script returned.
    private func noteBounds(_ result: Result<LogBatch, LogError>) -> Result<LogBatch, LogError> {
        if case .success(let batch) = result {
            noteEnd(batch)
            firstPosition.note(batch.first)
        }
        return result
    }

    /// Records the end of a batch and the size of its largest record.
    private func noteEnd(_ batch: LogBatch) {
        known.withLock {
            $0.last = batch.last
            if let largest = batch.records.map(\.count).max() { $0.recordByteCount = largest }
        }
    }

    // MARK: Waiting

    private func wait(
        from position: UInt64,
        _ limit: LogReadLimit,
        _ wait: Duration,
        _ answer: @escaping LogAnswer<LogBatch>
    ) {
        guard let link = connection.borrowReader() else {
            let text = "No further read may wait at Redis, or the connection is closed."
            return answer(.failure(LogError(.unavailable, text)))
        }
        let size = known.withLock { $0.recordByteCount }
        let count = max(1, min(limit.records, limit.bytes / max(1, size), Self.blockingReadLimit))
        let waiting = RedisCommand(
            ["XREAD", "COUNT", String(count), "BLOCK", String(wait.wholeMilliseconds), "STREAMS"]
                + [stream, "\(position - 1)-18446744073709551615"]
        )
        link.send(waiting, waiting: wait) { [self] reply in
            let first = first()
            let result = Self.value(of: reply) {
                Self.entries($0, from: position, limit, count, first: first)
            }
            switch result {
            case .success(nil): return readByScript(from: position, limit, over: link, answer)
            case .success(let batch?):
                connection.returnReader(link)
                noteEnd(batch)
                answer(.success(batch))
            case .failure(let error):
                connection.returnReader(link)
                answer(.failure(error))
            }
        }
    }

    /// Reads with the script if `XREAD` returned nothing, because only the script detects a
    /// rolled-back server, or so many records that more may exist.
    private func readByScript(
        from position: UInt64,
        _ limit: LogReadLimit,
        over link: RedisLink,
        _ answer: @escaping LogAnswer<LogBatch>
    ) {
        link.send(command(reading: position, limit)) { [self] reply in
            connection.returnReader(link)
            answer(noteBounds(Self.value(of: reply) { Self.batch($0, from: position) }))
        }
    }

    /// Returns the known first position, and refreshes it if it is older than a second.
    private func first() -> UInt64 {
        firstPosition.known {
            let ends = command(reading: 1, LogReadLimit(records: 0, bytes: 1))
            connection.link.send(ends) { [firstPosition] reply in
                let result = Self.value(of: reply) { Self.batch($0, from: 1) }
                if case .success(let batch) = result { firstPosition.note(batch.first) }
            }
        }
    }

    // MARK: Parsing replies

    /// Parses the script's reply: the first and last positions, then entry IDs and records.
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
            guard batch.append(record, at: place) else { break }
        }
        return .success(batch)
    }

    /// Parses the `XREAD` reply for one stream: entry IDs, and fields whose last value is the
    /// record. Returns success without a batch if nothing arrived or the requested count was
    /// reached; the newest position is then unknown.
    private static func entries(
        _ reply: RedisReply,
        from position: UInt64,
        _ limit: LogReadLimit,
        _ requested: Int,
        first: UInt64
    ) -> Result<LogBatch?, LogError>? {
        if reply.isNil { return .success(nil) }
        return reply.element(0) { stream in
            stream.element(1) { entries -> Result<LogBatch?, LogError>? in
                guard let count = entries.count, count > 0 else { return nil }
                if count >= requested { return .success(nil) }
                var batch = LogBatch(start: position, records: [], first: first, last: 0)
                var bytes = 0
                for index in 0..<count {
                    let place = entries.element(index) { $0.element(0) { $0.position } }
                    let record = entries.element(index) { entry in
                        entry.element(1) { fields in
                            fields.element((fields.count ?? 0) - 1) { $0.bytes }
                        }
                    }
                    guard let place, let record else { return nil }
                    bytes += record.count
                    if index > 0, bytes > limit.bytes { return .success(nil) }
                    guard batch.append(record, at: place) else { break }
                }
                batch.last = batch.start + UInt64(batch.records.count) - 1
                batch.first = min(batch.first, batch.start)
                return .success(batch)
            }
        }
    }
}

extension LogBatch {
    /// Appends a record if it is the next; returns `false` otherwise, which ends the batch.
    fileprivate mutating func append(_ record: [UInt8], at place: UInt64) -> Bool {
        if records.isEmpty { start = place }
        guard place == start + UInt64(records.count) else { return false }
        records.append(record)
        return true
    }
}
