import CollectionChanges

/// What a leader writes down before it appends: a snapshot, and the records since.
///
/// Each part has its length before it, and its hash at its end; records follow on each other by hash. So what is torn or
/// damaged is found like anything else that extends no chain, and all before it counts.
///
/// Threading: blocks; used on one lane of its own.
final class RecordJournal {
    private let storage: any JournalStorage
    private let isSynced: Bool
    private var byteCount = 0

    /// What was read of it.
    struct Restored: Sendable {
        let chain: LogChain
        /// The last record of each of the last leaderships, that of the chain last.
        let ancestors: [ChainPosition]
        /// How many bytes could not be read any more.
        let bytesCut: Int
    }

    init(_ storage: any JournalStorage, isSynced: Bool) {
        self.storage = storage
        self.isSynced = isSynced
    }

    /// Reads everything, and drops what cannot be read; nil where nothing can.
    ///
    /// Complexity: O(n) for n bytes; one part in memory at a time.
    func restore(
        key: StableHashKey,
        limits: ShapeLimits
    ) throws(JournalError) -> Restored? {
        let size = try storage.byteCount()
        guard let (base, start) = try part(at: 0, before: size),
            let snapshot = try? SnapshotForm(decoding: base, key: key, limits: limits)
        else { return nil }
        var chain = LogChain(snapshot, key: key, limits: limits)
        var ancestors = snapshot.ancestors
        ancestors.remember(chain.position)
        var offset = start
        while let (bytes, next) = try part(at: offset, before: size) {
            guard let record = try? LogRecord(decoding: bytes, key: key),
                case .extended = chain.take(record)
            else { break }
            offset = next
        }
        if offset < size { try storage.truncate(to: offset) }
        // What was read may be in memory only.
        try storage.sync()
        byteCount = offset
        ancestors.remember(chain.position)
        return Restored(chain: chain, ancestors: ancestors, bytesCut: size - offset)
    }

    /// Begins anew with a snapshot, durably.
    func rebase(_ snapshot: [UInt8]) throws(JournalError) {
        let bytes = Self.framed(snapshot)
        try storage.replaceAll(with: bytes)
        byteCount = bytes.count
    }

    /// Appends records, durably where it is synced.
    func append(_ records: [[UInt8]]) throws(JournalError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.reduce(0) { $0 + $1.count + 4 })
        for record in records { bytes += Self.framed(record) }
        do throws(JournalError) {
            try storage.append(bytes)
        } catch {
            // A part may be there, behind which nothing may follow.
            try storage.truncate(to: byteCount)
            throw error
        }
        byteCount += bytes.count
        if isSynced { try storage.sync() }
    }

    private static func framed(_ bytes: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: bytes.count + 4)
        writer.fixed(UInt32(clamping: bytes.count))
        writer.raw(bytes)
        return writer.bytes
    }

    /// The part that begins at an offset, and where the next one does; nil where none is whole.
    private func part(at offset: Int, before end: Int) throws(JournalError) -> ([UInt8], Int)? {
        guard end - offset >= 4 else { return nil }
        let head = try storage.read(offset..<offset + 4)
        let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= end - offset - 4 else { return nil }
        let next = offset + 4 + length
        return (try storage.read(offset + 4..<next), next)
    }
}
