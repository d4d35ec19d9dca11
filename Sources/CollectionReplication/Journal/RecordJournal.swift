import CollectionChanges

/// What a leader writes down before it appends: a snapshot, and the records since.
///
/// Each is a frame of the format that ``UpdateJournal`` has: with the snapshot as the base, and a record as an update's
/// value. Whatever follows the first frame that is torn or damaged, or whose record extends no chain, is cut: the log
/// has it, or it was lost.
///
/// Errors: after one nobody knows what the storage holds. The journal is then let go of, and another one restores what
/// is there.
///
/// Threading: blocks; used on one lane of its own.
final class RecordJournal {
    private let storage: any JournalStorage
    private let isSynced: Bool
    private var byteCount = 0
    /// The number of the last frame.
    private var sequence: UInt64 = 0

    /// What a journal held.
    struct Restored: Sendable {
        let chain: LogChain
        /// The last record of each of the last leaderships, that of the chain last.
        let ancestors: [ChainPosition]
        /// How many bytes were cut, which could not be read.
        let bytesCut: Int
    }

    init(_ storage: any JournalStorage, isSynced: Bool) {
        self.storage = storage
        self.isSynced = isSynced
    }

    /// Reads everything, and cuts what cannot be read; nil if nothing can.
    ///
    /// Complexity: O(n) for n bytes; one frame in memory at a time.
    func restore(
        key: StableHashKey,
        limits: ShapeLimits
    ) throws(JournalError) -> Restored? {
        let size = try storage.byteCount()
        guard let (base, start) = try storage.frame(at: 0, before: size), base.kind == .base,
            let snapshot = try? SnapshotForm(decoding: base.value, key: key, limits: limits)
        else { return nil }
        var chain = LogChain(snapshot, key: key, limits: limits)
        var ancestors = snapshot.ancestors
        ancestors.remember(chain.position)
        (byteCount, sequence) = (start, base.sequence)
        while let (frame, next) = try storage.frame(at: byteCount, before: size) {
            guard frame.kind == .update, frame.sequence == sequence &+ 1,
                let record = try? LogRecord(decoding: frame.value, key: key),
                case .extended = chain.take(record)
            else { break }
            (byteCount, sequence) = (next, frame.sequence)
        }
        if byteCount < size { try storage.truncate(to: byteCount) }
        // What was read may be in memory only.
        try storage.sync()
        ancestors.remember(chain.position)
        return Restored(chain: chain, ancestors: ancestors, bytesCut: size - byteCount)
    }

    /// Begins anew with a snapshot, durably.
    func rebase(_ snapshot: [UInt8]) throws(JournalError) {
        let frame = JournalFrame(kind: .base, sequence: 0, durable: 0, value: snapshot)
        let bytes = try Self.bytes(of: frame, at: 0)
        try storage.replaceAll(with: bytes)
        (byteCount, sequence) = (bytes.count, 0)
    }

    /// Appends records, durably if the journal is synced.
    func append(_ records: [[UInt8]]) throws(JournalError) {
        var bytes: [UInt8] = []
        for (index, record) in records.enumerated() {
            let frame = JournalFrame(
                kind: .update,
                sequence: sequence + UInt64(index) + 1,
                durable: sequence,
                value: record
            )
            bytes += try Self.bytes(of: frame, at: byteCount + bytes.count)
        }
        try storage.append(bytes)
        if isSynced { try storage.sync() }
        byteCount += bytes.count
        sequence += UInt64(records.count)
    }

    private static func bytes(
        of frame: JournalFrame,
        at offset: Int
    ) throws(JournalError) -> [UInt8] {
        guard let bytes = frame.bytes(at: offset) else { throw UpdateJournal.tooLarge }
        return bytes
    }
}
