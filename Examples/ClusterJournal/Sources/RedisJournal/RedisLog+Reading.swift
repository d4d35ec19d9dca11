import CollectionReplication
import Dispatch
import JournalSupport

// Reading. What was appended long ago is read by a script, which bounds the bytes and says where the log begins and ends.
// Who reads on at the end, as all who follow do, waits by the server's own call, which costs the server much less.

extension RedisLog {
    /// What was heard of where the log begins and ends.
    struct Known {
        /// The newest position, once it was heard of: who reads on from it can wait without looking first.
        var last: UInt64?
        var first: UInt64 = 1
        var heardAt: DispatchTime?
        /// The largest record of the last that were read, by which is guessed how many are asked for at once.
        var recordByteCount = 16 << 10
    }

    /// How many records are asked for at once where nothing but their number can be bounded.
    private static let waitedCount = 64

    /// Reads what is there; where that is nothing and the log ends right before, waits, on a connection of its own.
    public func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        let position = max(1, position)
        if position - 1 == known.withLock({ $0.last }) {
            return self.wait(from: position, limit, wait, answer)
        }
        let command = command(reading: position, limit)
        connection.link.send([
            (
                command,
                { @Sendable [self] reply in
                    let result = heard(Self.value(of: reply) { Self.batch($0, from: position) })
                    if case .success(let batch) = result, batch.records.isEmpty,
                        batch.last + 1 == position
                    {
                        return self.wait(from: position, limit, wait, answer)
                    }
                    answer(result)
                }
            )
        ])
    }

    private func command(reading position: UInt64, _ limit: LogReadLimit) -> RedisCommand {
        let arguments = [
            "\(position)-0", String(max(0, limit.records)), String(max(1, limit.bytes)),
        ]
        return command(.read, [], arguments.map(Self.bytes))
    }

    /// Notes what a script said of where the log begins and ends.
    private func heard(_ result: Result<LogBatch, LogError>) -> Result<LogBatch, LogError> {
        if case .success(let batch) = result {
            known.withLock {
                $0.last = batch.last
                $0.first = batch.first
                $0.heardAt = .now()
                if let largest = batch.records.map(\.count).max() { $0.recordByteCount = largest }
            }
        }
        return result
    }

    // MARK: Waiting

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
        let size = known.withLock { $0.recordByteCount }
        let count = max(1, min(limit.records, limit.bytes / max(1, size), Self.waitedCount))
        var waiting = RedisCommand("XREAD", "COUNT", String(count), "BLOCK")
        let rest = [
            String(wait.wholeMilliseconds), "STREAMS", stream,
            "\(position - 1)-18446744073709551615",
        ]
        waiting.words += rest.map(Self.bytes)
        link.send(
            [
                (
                    waiting,
                    { @Sendable [self] reply in
                        let first = first()
                        let result = Self.value(of: reply) {
                            Self.entries($0, from: position, limit, count, first: first)
                        }
                        if case .success(nil) = result {
                            return look(from: position, limit, over: link, answer)
                        }
                        connection.giveBack(link)
                        answer(result.map { waited($0, position) })
                    }
                )
            ],
            waiting: wait
        )
    }

    /// Notes where the records ended that were waited for.
    private func waited(_ batch: LogBatch?, _ position: UInt64) -> LogBatch {
        // Only called with a batch; what nobody gives is none.
        let batch = batch ?? LogBatch(start: position, records: [], first: 1, last: position - 1)
        known.withLock {
            $0.last = batch.last
            if let largest = batch.records.map(\.count).max() { $0.recordByteCount = largest }
        }
        return batch
    }

    /// Reads by the script after all: nothing came, and a server that went back to an earlier state says only now where
    /// it is; or so much that more may be there.
    private func look(
        from position: UInt64,
        _ limit: LogReadLimit,
        over link: RedisLink,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        link.send([
            (
                command(reading: position, limit),
                { @Sendable [self] reply in
                    connection.giveBack(link)
                    answer(heard(Self.value(of: reply) { Self.batch($0, from: position) }))
                }
            )
        ])
    }

    /// Where the log begins, a second ago at most; asks once more beside, not before, where that is longer ago.
    private func first() -> UInt64 {
        let (first, isOld) = known.withLock { known in
            let now = DispatchTime.now()
            let isOld = known.heardAt.map { $0 + .seconds(1) < now } ?? true
            if isOld { known.heardAt = now }
            return (known.first, isOld)
        }
        if isOld {
            let ends = command(reading: 1, LogReadLimit(records: 0, bytes: 1))
            connection.link.send([
                (
                    ends,
                    { @Sendable [known] reply in
                        let result = Self.value(of: reply) { Self.batch($0, from: 1) }
                        guard case .success(let batch) = result else { return }
                        known.withLock { $0.first = batch.first }
                    }
                )
            ])
        }
        return first
    }

    // MARK: What is replied

    /// The reply of the script: where the log begins and ends, then names and records.
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

    /// The reply of the server's own call, of one stream: names, and fields of which the last is the record. Success
    /// without a batch where nothing came, or as much as was asked for: then the newest is not known.
    private static func entries(
        _ reply: RedisReply,
        from position: UInt64,
        _ limit: LogReadLimit,
        _ asked: Int,
        first: UInt64
    ) -> Result<LogBatch?, LogError>? {
        if reply.isNothing { return .success(nil) }
        return reply.element(0) { stream in
            stream.element(1) { entries -> Result<LogBatch?, LogError>? in
                guard let count = entries.count, count > 0 else { return nil }
                if count >= asked { return .success(nil) }
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
    /// Adds a record if it is the next; false for an entry of another's making, which ends the neighbours.
    fileprivate mutating func append(_ record: [UInt8], at place: UInt64) -> Bool {
        if records.isEmpty { start = place }
        guard place == start + UInt64(records.count) else { return false }
        records.append(record)
        return true
    }
}
