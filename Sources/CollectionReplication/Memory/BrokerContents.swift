/// The data that a broker stores for one log: its records, snapshots and registers.
///
/// A value type: a copy is the broker's storage at one moment, which ``MemoryBroker/restore(_:)``
/// can bring back.
public struct BrokerContents: Sendable {
    /// The records by position; a purged record leaves no trace.
    private var records: [UInt64: [UInt8]] = [:]
    /// The position of the oldest record; the position after the newest one if there are no
    /// records.
    private(set) var first: UInt64 = 1
    private(set) var last: UInt64 = 0
    private var byteCount = 0
    private var snapshots: [String: [Int: [UInt8]]] = [:]
    private var registers: [LogRegister: LogRegisterValue] = [:]
    /// The latest revision of any register, so that each value has its own.
    private var revision: UInt64 = 0
    /// The positions of earlier appends, for repeated attempts, and the attempts in order.
    private var remembered: [Attempt: UInt64] = [:]
    private var attempts: [Attempt] = []

    private struct Attempt: Hashable {
        let id: String
        let position: UInt64
    }

    init() {}

    /// The records, oldest first.
    public var log: [[UInt8]] { (first..<last + 1).compactMap { records[$0] } }

    /// The names of the snapshots with at least one chunk, in alphabetical order.
    public var snapshotNames: [String] { snapshots.keys.sorted() }

    // MARK: Log

    mutating func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ configuration: MemoryBrokerConfiguration
    ) throws(LogError) -> UInt64 {
        guard record.count <= configuration.recordByteLimit else {
            throw LogError(
                .rejected,
                "expected at most \(configuration.recordByteLimit) bytes, found \(record.count)"
            )
        }
        let attempt = Attempt(id: id, position: position)
        if let earlier = remembered[attempt] { return earlier }
        guard position == last else {
            throw LogError(
                .conflict,
                "expected the newest record at position \(position), found it at \(last)",
                last: last
            )
        }
        add(record, configuration)
        remember(attempt, configuration)
        return last
    }

    private mutating func remember(_ attempt: Attempt, _ configuration: MemoryBrokerConfiguration) {
        remembered[attempt] = last
        attempts.append(attempt)
        guard attempts.count > configuration.rememberedAppends else { return }
        remembered[attempts.removeFirst()] = nil
    }

    /// Appends a record, whatever position was expected.
    mutating func add(_ record: [UInt8], _ configuration: MemoryBrokerConfiguration) {
        last += 1
        records[last] = record
        byteCount += record.count
        // The newest record always fits.
        while byteCount > configuration.logByteLimit, first < last { removeFirst() }
    }

    /// Returns the response to a read; `nil` if the read must wait.
    func read(from position: UInt64, limit: LogReadLimit) -> LogBatch? {
        let start = max(position, first)
        guard start <= last else {
            // Written to avoid overflow at the greatest position.
            return position > last && position - last > 1 ? emptyBatch(at: position) : nil
        }
        var batch = emptyBatch(at: start)
        var byteCount = 0
        for position in start...last {
            guard let record = records[position] else { break }
            batch.records.append(record)
            byteCount += record.count
            if batch.records.count >= limit.records || byteCount >= limit.bytes { break }
        }
        return batch
    }

    func emptyBatch(at position: UInt64) -> LogBatch {
        LogBatch(start: position, records: [], first: first, last: last)
    }

    mutating func purge(through position: UInt64) {
        while first <= min(position, last) { removeFirst() }
    }

    private mutating func removeFirst() {
        byteCount -= records.removeValue(forKey: first)?.count ?? 0
        first += 1
    }

    /// Forgets earlier appends, as brokers do after some minutes.
    mutating func forgetAppends() { (remembered, attempts) = ([:], []) }

    // MARK: Snapshots

    mutating func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ configuration: MemoryBrokerConfiguration
    ) throws(LogError) {
        guard chunk.count <= configuration.recordByteLimit else {
            throw LogError(
                .rejected,
                "expected at most \(configuration.recordByteLimit) bytes, found \(chunk.count)"
            )
        }
        guard index >= 0 else { throw LogError(.rejected, "expected an index from 0") }
        guard (1...100).contains(snapshot.utf8.count), snapshot.utf8.allSatisfy(\.isOfName) else {
            throw LogError(
                .rejected,
                "expected 1 to 100 letters, digits and hyphens as a name, found '\(snapshot)'"
            )
        }
        snapshots[snapshot, default: [:]][index] = chunk
    }

    func chunk(at index: Int, of snapshot: String) -> [UInt8]? { snapshots[snapshot]?[index] }

    mutating func removeSnapshots(before name: String) {
        snapshots = snapshots.filter { !$0.key.utf8.lexicographicallyPrecedes(name.utf8) }
    }

    /// Loses one chunk of a snapshot; the same number always selects the same chunk.
    mutating func loseChunk(_ number: Int) {
        let names = snapshotNames
        guard !names.isEmpty else { return }
        let name = names[number % names.count]
        guard let indexes = snapshots[name]?.keys.sorted(), !indexes.isEmpty else { return }
        snapshots[name]?[indexes[number / names.count % indexes.count]] = nil
    }

    // MARK: Registers

    func read(_ register: LogRegister) -> LogRegisterValue? { registers[register] }

    mutating func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting expected: UInt64?
    ) throws(LogError) -> UInt64 {
        let found = registers[register]?.revision
        guard found == expected else {
            throw LogError(
                .conflict,
                "expected \(register) at revision \(name(expected)), found \(name(found))"
            )
        }
        revision += 1
        registers[register] = LogRegisterValue(bytes: bytes, revision: revision)
        return revision
    }

    private func name(_ revision: UInt64?) -> String { revision.map { "\($0)" } ?? "none" }
}

extension UInt8 {
    /// Whether the character may occur in the name of a snapshot.
    fileprivate var isOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
