/// Goes through the records of a storage, as far as they are whole and follow from each other.
struct JournalWalk {
    private let storage: any JournalStorage
    private let end: Int
    private let limits: ShapeLimits

    /// The record that the journal begins with.
    let base: JournalBase

    /// Where the next record must begin.
    private(set) var offset: Int

    /// The number of the last record.
    private(set) var sequence: UInt64

    /// The outline after the last record.
    private(set) var shape: HierarchyShape

    /// The digest after the last record.
    private(set) var digest: StateDigest?

    /// Why the next record is none although its checksums are right.
    private(set) var misfit: String?

    /// Reads the base.
    init(
        _ storage: any JournalStorage,
        before end: Int,
        _ limits: ShapeLimits
    ) throws(JournalError) {
        if end == 0 {
            throw JournalError(.empty, "the storage has no bytes, so there is no journal in it yet")
        }
        guard let (frame, next) = try storage.frame(at: 0, before: end), frame.kind == .base,
            let shape = try? HierarchyShape(decoding: frame.value, limits: limits)
        else {
            throw JournalError(
                .noBase,
                "the \(end) bytes must begin with a journal's base, but do not",
                offset: 0
            )
        }
        self.storage = storage
        self.end = end
        self.limits = limits
        base = JournalBase(
            sequence: frame.sequence,
            shape: shape,
            digest: frame.digest,
            payload: frame.payload
        )
        offset = next
        sequence = frame.sequence
        self.shape = shape
        digest = frame.digest
    }

    /// The next update, or nil where there is none that is whole and fits.
    mutating func next() throws(JournalError) -> JournalEntry? {
        guard let (frame, next) = try storage.frame(at: offset, before: end) else { return nil }
        guard frame.kind == .update, sequence < .max, frame.sequence == sequence + 1 else {
            misfit = "record \(frame.sequence) follows record \(sequence)"
            return nil
        }
        let update: ValidatedChangeSet
        do {
            update = try ValidatedChangeSet(decoding: frame.value, from: shape, limits: limits)
        } catch {
            misfit = "record \(frame.sequence) does not follow from those before: \(error.message)"
            return nil
        }
        offset = next
        sequence = frame.sequence
        shape = update.newShape
        digest = frame.digest
        return JournalEntry(
            sequence: sequence,
            update: update,
            digest: frame.digest,
            payload: frame.payload
        )
    }
}
