/// What a broker keeps of one log: its records, the snapshots beside it and its registers.
///
/// A value: a copy is what the broker's disk was at a moment, which ``MemoryBroker/restore(_:)`` puts back.
public struct BrokerContents: Sendable {
    /// By position; what is purged leaves no trace.
    private var records: [UInt64: [UInt8]] = [:]
    /// The position of the oldest record; where there is none, the one after the newest.
    private(set) var first: UInt64 = 1
    private(set) var last: UInt64 = 0
    private var byteCount = 0
    private var snapshots: [String: [Int: [UInt8]]] = [:]
    private var registers: [LogRegister: LogRegisterValue] = [:]
    /// Of all registers together, so that each setting has its own.
    private var revision: UInt64 = 0
    /// The appends that a second attempt is told of, by what is the same in each attempt; and in their order.
    private var remembered: [Attempt: UInt64] = [:]
    private var attempts: [Attempt] = []

    private struct Attempt: Hashable {
        let id: String
        let position: UInt64
    }

    init() {}

    /// The records, oldest first.
    public var log: [[UInt8]] { (first..<last + 1).compactMap { records[$0] } }

    /// The names of the snapshots of which there is a part, in the order of the alphabet.
    public var snapshotNames: [String] { snapshots.keys.sorted() }

    // MARK: The log

    mutating func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ configuration: MemoryBrokerConfiguration
    ) throws(LogError) -> UInt64 {
        guard record.count <= configuration.recordByteLimit else {
            throw LogError(
                .rejected,
                "a record has \(record.count) bytes, and \(configuration.recordByteLimit) are the limit"
            )
        }
        let attempt = Attempt(id: id, position: position)
        if let earlier = remembered[attempt] { return earlier }
        guard position == last else {
            throw LogError(
                .conflict,
                "the newest record is expected at \(position), and is at \(last)",
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

    /// Appends whatever is expected.
    mutating func add(_ record: [UInt8], _ configuration: MemoryBrokerConfiguration) {
        last += 1
        records[last] = record
        byteCount += record.count
        // The newest always fits.
        while byteCount > configuration.logByteLimit, first < last { removeFirst() }
    }

    /// What a read is answered; nil where there is nothing to answer it with yet.
    func read(from position: UInt64, limit: LogReadLimit) -> LogBatch? {
        let start = max(position, first)
        guard start <= last else {
            // The numbers end where this would overflow.
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

    /// Forgets which appends there were, as brokers do after some minutes.
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
                "a part has \(chunk.count) bytes, and \(configuration.recordByteLimit) are the limit"
            )
        }
        guard index >= 0 else { throw LogError(.rejected, "there is no part \(index)") }
        guard (1...100).contains(snapshot.utf8.count), snapshot.utf8.allSatisfy(\.isOfName) else {
            throw LogError(
                .rejected,
                "the name of a snapshot is 1 to 100 letters, digits and hyphens, not '\(snapshot)'"
            )
        }
        snapshots[snapshot, default: [:]][index] = chunk
    }

    func chunk(at index: Int, of snapshot: String) -> [UInt8]? { snapshots[snapshot]?[index] }

    mutating func removeSnapshots(before name: String) {
        snapshots = snapshots.filter { !$0.key.utf8.lexicographicallyPrecedes(name.utf8) }
    }

    /// Loses a part of a snapshot, the same one for the same number.
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
                "\(register) is expected at revision \(name(expected)), and is at \(name(found))"
            )
        }
        revision += 1
        registers[register] = LogRegisterValue(bytes: bytes, revision: revision)
        return revision
    }

    private func name(_ revision: UInt64?) -> String { revision.map { "\($0)" } ?? "none" }
}

extension UInt8 {
    /// Whether a snapshot's name may have it.
    fileprivate var isOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
