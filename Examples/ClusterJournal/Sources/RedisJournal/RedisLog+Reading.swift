import CollectionReplication
import Dispatch
import JournalSupport

// Reading. A script reads older records; it bounds the bytes and says where the log begins and ends. A reader at the end,
// as all followers are, waits by the server's own call, which costs the server much less.

extension RedisLog {
    /// The known beginning and end of the log.
    struct Known {
        /// The newest known position: a read that goes on from it waits without looking first.
        var last: UInt64?
        var first: UInt64 = 1
        var heardAt: DispatchTime?
        /// The size of the largest record of the last batch, from which the next number of records is guessed.
        var recordByteCount = 16 << 10
    }

    /// The most records that a waiting read asks for, because the server bounds only their number.
    private static let waitedCount = 64

    /// Reads the records that are there. If the log ends right before the position, it waits, on a connection of its own.
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
            let result = heard(Self.value(of: reply) { Self.batch($0, from: position) })
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

    /// Notes what a script said of where the log begins and ends.
    private func heard(_ result: Result<LogBatch, LogError>) -> Result<LogBatch, LogError> {
        if case .success(let batch) = result {
            note(batch)
            known.withLock { ($0.first, $0.heardAt) = (batch.first, .now()) }
        }
        return result
    }

    /// Notes where a batch ended, and how large its records are.
    private func note(_ batch: LogBatch) {
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
        guard let link = connection.takeReader() else {
            let text = "No further read may wait at Redis, or the connection is closed."
            return answer(.failure(LogError(.unavailable, text)))
        }
        let size = known.withLock { $0.recordByteCount }
        let count = max(1, min(limit.records, limit.bytes / max(1, size), Self.waitedCount))
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
            case .success(nil): return look(from: position, limit, over: link, answer)
            case .success(let batch?):
                connection.giveBack(link)
                note(batch)
                answer(.success(batch))
            case .failure(let error):
                connection.giveBack(link)
                answer(.failure(error))
            }
        }
    }

    /// Reads by the script after all: either nothing came, and only the script notices a server that went back to an
    /// earlier state, or so much came that there may be more.
    private func look(
        from position: UInt64,
        _ limit: LogReadLimit,
        over link: RedisLink,
        _ answer: @escaping LogAnswer<LogBatch>
    ) {
        link.send(command(reading: position, limit)) { [self] reply in
            connection.giveBack(link)
            answer(heard(Self.value(of: reply) { Self.batch($0, from: position) }))
        }
    }

    /// Returns where the log began a second ago at most. If the answer is older, it also asks for a newer one, without
    /// waiting for it.
    private func first() -> UInt64 {
        let (first, isOld) = known.withLock { known in
            let now = DispatchTime.now()
            let isOld = known.heardAt.map { $0 + .seconds(1) < now } ?? true
            if isOld { known.heardAt = now }
            return (known.first, isOld)
        }
        if isOld {
            let ends = command(reading: 1, LogReadLimit(records: 0, bytes: 1))
            connection.link.send(ends) { [known] reply in
                let result = Self.value(of: reply) { Self.batch($0, from: 1) }
                if case .success(let batch) = result { known.withLock { $0.first = batch.first } }
            }
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
    /// without a batch means that nothing came, or as much as was asked for, so that the newest position is not known.
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
