import CollectionReplication

// What a member asks for; each call is one request.

extension MemoryLog: ReplicatedLog {
    // MARK: The log

    /// Makes the log where it is not there.
    public func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void) {
        send(answer) { [broker] in $0(broker.create()) }
    }

    /// Appends a record where the newest is at a position.
    public func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        send(isAppend: true, answer) { [broker] reply in
            let isIgnored = broker.faults?.happens(.expectationIsIgnored) ?? false
            let result = broker.perform { contents throws(LogError) in
                try contents.append(
                    record,
                    id: id,
                    after: isIgnored ? contents.last : position,
                    broker.configuration
                )
            }
            if case .success = result { broker.keepForFaults(record) }
            reply(result)
        }
    }

    /// Reads records from a position on, and waits for some where there are none.
    public func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        send(answer) { [self] reply in
            guard position > 0 else {
                return reply(.failure(LogError(.rejected, "there is no position 0 to read from")))
            }
            broker.read(from: position, limit: limit, wait: wait, for: self, reply)
        }
    }

    /// Removes all records up to and including that at a position.
    public func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.purge(through: position) }) }
    }

    // MARK: Snapshots

    /// Keeps a part of a snapshot.
    public func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        send(answer) { [broker] reply in
            reply(
                broker.perform { contents throws(LogError) in
                    try contents.put(chunk, at: index, of: snapshot, broker.configuration)
                }
            )
        }
    }

    /// Reads a part of a snapshot.
    public func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.chunk(at: index, of: snapshot) }) }
    }

    /// Removes all snapshots but some.
    public func removeSnapshots(
        before name: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.removeSnapshots(before: name) }) }
    }

    // MARK: Registers

    /// Reads a register.
    public func read(
        _ register: LogRegister,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.read(register) }) }
    }

    /// Sets a register where it is at a revision.
    public func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        send(answer) { [broker] reply in
            let isIgnored = broker.faults?.happens(.expectationIsIgnored) ?? false
            reply(
                broker.perform { contents throws(LogError) in
                    let found = contents.read(register)?.revision
                    return try contents.set(
                        bytes,
                        in: register,
                        expecting: isIgnored ? found : revision
                    )
                }
            )
        }
    }
}
