extension UpdateJournal {
    /// Calls `body` with the base, and then with every update in order.
    ///
    /// Each update is validated again, from the shape that those before it made.
    ///
    /// Complexity: O(n) for n bytes; one record in memory at a time.
    ///
    /// - Throws: `damaged` where records cannot be read any more that could be when the journal was opened;
    ///   what `body` throws.
    public func replay(_ body: (JournalRecord) throws -> Void) throws {
        var walk = try JournalWalk(storage, before: byteCount, limits)
        try body(.base(walk.base))
        while let entry = try walk.next() { try body(.update(entry)) }
        try checkEnd(of: walk)
    }

    func checkEnd(of walk: JournalWalk) throws(JournalError) {
        guard walk.offset != byteCount else { return }
        throw JournalError(
            .damaged,
            "a record must follow record \(walk.sequence) at byte \(walk.offset), but is spoilt since it"
                + " was written",
            offset: walk.offset
        )
    }

    /// Puts a later state in place of the base and of the updates up to it. Those after it stay.
    ///
    /// The journal is then as if it had begun with that state. Whatever happens meanwhile, the storage holds
    /// the old journal or the new one.
    ///
    /// Complexity: O(n) for n bytes; what stays is in memory at once.
    ///
    /// - Parameter base: a state that the journal goes through, with the application's bytes of it.
    /// - Throws: `otherStart` where the journal has no such state: its number, its shape, or its digest where
    ///   both have one, is another; what the storage throws.
    public func truncate(behind base: JournalBase) throws(JournalError) {
        try checkUsable()
        var walk = try JournalWalk(storage, before: byteCount, limits)
        while walk.sequence < base.sequence, try walk.next() != nil {}
        let isSameDigest = walk.digest == nil || base.digest == nil || walk.digest == base.digest
        guard walk.sequence == base.sequence, walk.shape == base.shape, isSameDigest else {
            throw JournalError(
                .otherStart,
                "the base must be a state of \(baseSequence)...\(lastSequence) with shape \(walk.shape),"
                    + " but is \(base.sequence) with \(base.shape)"
            )
        }
        var base = base
        base.digest = base.digest ?? walk.digest
        var bytes = try Self.bytes(of: base, limits)
        while let entry = try walk.next() {
            let frame = JournalFrame(
                kind: .update,
                sequence: entry.sequence,
                durable: lastSequence,
                digest: entry.digest,
                value: entry.update.encodedAlone(),
                payload: entry.payload
            )
            // The records were short enough where they stood.
            guard let frameBytes = frame.bytes(at: bytes.count) else { throw Self.tooLarge }
            bytes += frameBytes
        }
        try checkEnd(of: walk)
        do {
            try storage.replaceAll(with: bytes)
        } catch {
            // Either may be there now.
            failure = error
            throw error
        }
        byteCount = bytes.count
        baseSequence = base.sequence
        syncedSequence = lastSequence
        if lastSequence == base.sequence { digest = base.digest }
    }
}
