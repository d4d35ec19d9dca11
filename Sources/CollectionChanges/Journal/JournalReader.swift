/// A reader that iterates over the records of a storage as long as they are complete and each
/// continues the previous one.
struct JournalReader {
    private let storage: any JournalStorage
    private let end: Int
    private let limits: ShapeLimits

    /// The base of the journal.
    let base: JournalBase

    /// The offset at which the next record must begin.
    private(set) var offset: Int

    /// The number of the last record that was read.
    private(set) var sequence: UInt64

    /// The shape after the last record that was read.
    private(set) var shape: HierarchyShape

    /// The digest after the last record that was read.
    private(set) var digest: StateDigest?

    /// The reason why the next record was not accepted although its checksums are correct;
    /// otherwise `nil`.
    private(set) var mismatchReason: String?

    /// Creates a reader and reads the base.
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

    /// Returns the next update, or `nil` if no complete record that continues the previous one
    /// follows.
    mutating func next() throws(JournalError) -> JournalEntry? {
        guard let (frame, next) = try storage.frame(at: offset, before: end) else { return nil }
        guard frame.kind == .update, sequence < .max, frame.sequence == sequence + 1 else {
            mismatchReason = "record \(frame.sequence) follows record \(sequence)"
            return nil
        }
        let update: ValidatedChangeSet
        do {
            update = try ValidatedChangeSet(decoding: frame.value, from: shape, limits: limits)
        } catch {
            mismatchReason =
                "record \(frame.sequence) does not continue record \(sequence): \(error.message)"
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

// Reads records from a storage with unverified contents.

extension JournalStorage {
    /// Returns the complete record at `offset` and the offset of the next one, or `nil` if there is
    /// no complete record.
    package func frame(
        at offset: Int,
        before end: Int
    ) throws(JournalError) -> (frame: JournalFrame, end: Int)? {
        let bodyStart = offset + JournalFrame.headLength
        guard bodyStart <= end else { return nil }
        let bytes = try read(offset..<bodyStart)
        guard let head = JournalFrame.Head(bytes[...], at: offset),
            head.bodyLength <= end - bodyStart
        else { return nil }
        let bodyEnd = bodyStart + head.bodyLength
        let body = try read(bodyStart..<bodyEnd)
        return JournalFrame(head, body: body).map { ($0, bodyEnd) }
    }

    /// Returns the highest record number that any record after `offset` reports as durable, or
    /// `nil` if no complete record follows.
    ///
    /// Complexity: O(n) for n bytes, plus the bodies of at most a thousand incomplete records,
    /// which only an adversary could add.
    func durableSequence(reportedAfter offset: Int, before end: Int) throws(JournalError) -> UInt64?
    {
        var durable: UInt64?
        var position = offset + 1
        var attempts = 0
        while attempts < 1_000, let found = try marker(from: position, before: end) {
            if let (frame, next) = try frame(at: found, before: end) {
                durable = max(durable ?? 0, frame.durable)
                position = next
            } else {
                attempts += 1
                position = found + 1
            }
        }
        return durable
    }

    /// Returns the first offset from `start` on that has a head with a correct checksum.
    private func marker(from start: Int, before end: Int) throws(JournalError) -> Int? {
        let length = JournalFrame.headLength
        var chunkStart = start
        while end - chunkStart >= length {
            let chunk = try read(chunkStart..<min(end, chunkStart + 65_536))
            // Consecutive chunks overlap by one byte less than a head.
            for index in 0...(chunk.count - length) where chunk[index] == JournalFrame.marker[0] {
                let bytes = chunk[index..<(index + length)]
                if JournalFrame.Head(bytes, at: chunkStart + index) != nil {
                    return chunkStart + index
                }
            }
            chunkStart += chunk.count - length + 1
        }
        return nil
    }
}
