import CollectionChanges
import TestSupport

/// A storage that records its calls, in which any call can be made to fail, and whose machine may
/// lose power at any time.
final class StagedStorage: JournalStorage {
    enum Call: Hashable {
        case count, read, append, truncate, replace, sync
    }

    /// A call that fails.
    struct Fault {
        var call: Call
        /// The number of bytes that are appended anyway, never including the last one.
        var kept = 0
    }

    /// The effect of a write, as far as it happened.
    enum Write {
        case append([UInt8])
        case truncate(Int)
        case replace([UInt8])
        case sync
    }

    private(set) var bytes: [UInt8]
    /// The bytes that survive any loss of power.
    private(set) var durable: [UInt8]
    private(set) var calls: [Call] = []
    private(set) var writes: [Write] = []
    /// The next calls that fail, in order.
    var faults: [Fault] = []

    init(_ bytes: [UInt8] = []) { (self.bytes, durable) = (bytes, bytes) }

    static func error(_ call: Call) -> JournalError {
        JournalError(.storage, "\(call) fails", systemError: 5, path: "staged")
    }

    private func fault(_ call: Call) -> Fault? {
        calls.append(call)
        return faults.first?.call == call ? faults.removeFirst() : nil
    }

    func byteCount() throws(JournalError) -> Int {
        if fault(.count) != nil { throw Self.error(.count) }
        return bytes.count
    }

    func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] {
        if fault(.read) != nil { throw Self.error(.read) }
        return try MemoryJournalStorage(bytes).read(range)
    }

    func append(_ more: [UInt8]) throws(JournalError) {
        let fault = fault(.append)
        let part = fault.map { Array(more.dropLast().prefix($0.kept)) } ?? more
        bytes += part
        writes.append(.append(part))
        if fault != nil { throw Self.error(.append) }
    }

    func truncate(to byteCount: Int) throws(JournalError) {
        if fault(.truncate) != nil { throw Self.error(.truncate) }
        bytes.removeLast(bytes.count - byteCount)
        writes.append(.truncate(byteCount))
    }

    func replaceAll(with other: [UInt8]) throws(JournalError) {
        if fault(.replace) != nil { throw Self.error(.replace) }
        (bytes, durable) = (other, other)
        writes.append(.replace(other))
    }

    func sync() throws(JournalError) {
        if fault(.sync) != nil { throw Self.error(.sync) }
        durable = bytes
        writes.append(.sync)
    }

    // MARK: Changes by others

    func change(_ body: (inout [UInt8]) -> Void) { body(&bytes) }
}

/// A record in comparable form.
struct ObservedRecord: Equatable {
    var sequence: UInt64
    var update: ObservedUpdate?
    var shape: HierarchyShape
    var digest: StateDigest?
    var payload: [UInt8]

    init(_ base: JournalBase) {
        (sequence, shape, digest) = (base.sequence, base.shape, base.digest)
        payload = base.payload
    }

    init(
        _ sequence: UInt64,
        _ update: ValidatedChangeSet,
        _ digest: StateDigest?,
        _ payload: [UInt8]
    ) {
        (self.sequence, shape) = (sequence, update.newShape)
        (self.update, self.digest, self.payload) = (ObservedUpdate(update), digest, payload)
    }
}

extension UpdateJournal {
    /// Returns the records in order, the base first.
    func records() throws -> [ObservedRecord] {
        var records: [ObservedRecord] = []
        try replay { record in
            switch record {
            case .base(let base): records.append(ObservedRecord(base))
            case .update(let entry):
                records.append(
                    ObservedRecord(entry.sequence, entry.update, entry.digest, entry.payload)
                )
            }
        }
        return records
    }
}

/// Draws the input of journals: updates of every kind, each from the shape of the previous one.
struct JournalDraws {
    var random: SeededNumbers

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    mutating func update(from shape: HierarchyShape) throws -> ValidatedChangeSet {
        let draw = RandomUpdate(from: shape, &random, rate: 0.3)
        return try draw.changes.validated(from: shape, to: draw.newShape)
    }

    mutating func digest() -> StateDigest? {
        random.isTrue(oneIn: 2) ? StateDigest(low: random.next(), high: 1) : nil
    }

    /// Returns a payload that sometimes looks like the start of a record.
    mutating func payload() -> [UInt8] {
        let marker: [UInt8] = random.isTrue(oneIn: 3) ? [0x43, 0x50, 0x4A, 0x31] : []
        return marker + (0..<random.next(below: 5)).map { UInt8($0) }
    }
}

/// Returns the journal error that `body` throws, or `nil`.
func failure<Result>(of body: @autoclosure () throws -> Result) -> JournalError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? JournalError
    }
}
