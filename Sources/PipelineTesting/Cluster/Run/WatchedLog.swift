import CollectionReplication

/// A member's connection, of which it is noted what records the member appends, when it changes something else that
/// others go by, and when it sets the lease.
final class WatchedLog: ReplicatedLog {
    private let base: MemoryLog
    private let noteRecord: @Sendable ([UInt8]) -> Void
    private let noteChange: @Sendable () -> Void
    private let noteLease: @Sendable () -> @Sendable () -> Void

    /// - Parameters:
    ///   - noteRecord: called with every record when it is to be appended.
    ///   - noteChange: called when the head is to be set, or records or snapshots are to be removed.
    ///   - noteLease: called when the lease is to be set; what it returns, when it is told that it was.
    init(
        _ base: MemoryLog,
        noteRecord: @escaping @Sendable ([UInt8]) -> Void,
        noteChange: @escaping @Sendable () -> Void,
        noteLease: @escaping @Sendable () -> @Sendable () -> Void
    ) {
        (self.base, self.noteRecord) = (base, noteRecord)
        (self.noteChange, self.noteLease) = (noteChange, noteLease)
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
        noteRecord(record)
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
        noteChange()
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
        noteChange()
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
        guard register == .lease else {
            if register == .head { noteChange() }
            return base.set(bytes, in: register, expecting: revision, answer)
        }
        let wasSet = noteLease()
        base.set(bytes, in: register, expecting: revision) { result in
            if case .success = result { wasSet() }
            answer(result)
        }
    }
}
