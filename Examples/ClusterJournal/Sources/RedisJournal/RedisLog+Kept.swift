import CollectionReplication
import JournalSupport

// What is kept beside the records: chunks of snapshots, and the registers.

extension RedisLog {
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

    /// Deletes the hashes of earlier snapshots.
    public func removeSnapshots(
        before name: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        run(
            .removeSnapshots,
            keys: [snapshots],
            [snapshot(""), name].map(Self.bytes),
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
