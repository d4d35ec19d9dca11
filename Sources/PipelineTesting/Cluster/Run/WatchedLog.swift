import CollectionReplication

/// A member's connection, of which every record is noted that the member appends.
final class WatchedLog: ReplicatedLog {
    private let base: MemoryLog
    private let note: @Sendable ([UInt8]) -> Void

    init(_ base: MemoryLog, note: @escaping @Sendable ([UInt8]) -> Void) {
        (self.base, self.note) = (base, note)
    }

    func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void) {
        base.create(answer)
    }

    func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        note(record)
        base.append(record, id: id, after: position, answer)
    }

    func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        base.read(from: position, limit: limit, wait: wait, answer)
    }

    func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        base.purge(through: position, answer)
    }

    func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        base.put(chunk, at: index, of: snapshot, answer)
    }

    func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    ) {
        base.chunk(at: index, of: snapshot, answer)
    }

    func removeSnapshots(
        before name: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        base.removeSnapshots(before: name, answer)
    }

    func read(
        _ register: LogRegister,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        base.read(register, answer)
    }

    func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        base.set(bytes, in: register, expecting: revision, answer)
    }
}
