import CollectionReplication

/// The calls of a log, awaited. A checked continuation also notices an answer that comes twice.
struct AwaitedLog: Sendable {
    let log: any ReplicatedLog

    init(_ log: any ReplicatedLog) { self.log = log }

    private func answer<Value: Sendable>(
        _ call: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            call { continuation.resume(with: $0.mapError { $0 }) }
        }
    }

    func create() async throws { try await answer { log.create($0) } }

    func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64
    ) async throws -> UInt64 {
        try await answer { log.append(record, id: id, after: position, $0) }
    }

    func read(
        from position: UInt64,
        records: Int = 1_000,
        bytes: Int = 1 << 20,
        wait: Duration = .milliseconds(200)
    ) async throws -> LogBatch {
        try await answer {
            log.read(
                from: position,
                limit: LogReadLimit(records: records, bytes: bytes),
                wait: wait,
                $0
            )
        }
    }

    func purge(through position: UInt64) async throws {
        try await answer { log.purge(through: position, $0) }
    }

    func put(_ chunk: [UInt8], at index: Int, of snapshot: String) async throws {
        try await answer { log.put(chunk, at: index, of: snapshot, $0) }
    }

    func chunk(at index: Int, of snapshot: String) async throws -> [UInt8]? {
        try await answer { log.chunk(at: index, of: snapshot, $0) }
    }

    func removeSnapshots(before name: String) async throws {
        try await answer { log.removeSnapshots(before: name, $0) }
    }

    func read(_ register: LogRegister) async throws -> LogRegisterValue? {
        try await answer { log.read(register, $0) }
    }

    func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?
    ) async throws -> UInt64 {
        try await answer { log.set(bytes, in: register, expecting: revision, $0) }
    }

    /// Appends records one after the other behind `position`.
    func fill(_ count: Int, after position: UInt64 = 0) async throws {
        for offset in 0..<UInt64(count) {
            let next = position + offset
            _ = try await append(record(next + 1), id: "r\(next + 1)", after: next)
        }
    }
}

/// What the tests append at a position.
func record(_ position: UInt64) -> [UInt8] { Array("record \(position)".utf8) }

/// The error of a call that must fail.
func failure(_ body: () async throws -> Void) async -> LogError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? LogError
    }
}
