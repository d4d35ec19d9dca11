import CollectionChanges
import Testing

/// What a journal does not write, and what it says of storages that hold none.
@Suite struct JournalRefusalTests {
    private func base(_ writer: JournalWriter) -> JournalBase {
        JournalBase(shape: writer.shape)
    }

    @Test func ofTwoJournalsOnOneStorageTheOneThatIsBehindWritesNothing() throws {
        var writer = JournalWriter(seed: 13)
        let storage = MemoryJournalStorage()
        let first = try UpdateJournal(creatingIn: storage, base: base(writer))
        let second = try UpdateJournal(opening: storage)
        let update = try writer.next()
        try second.append(update)
        let bytes = storage.bytes
        for call in [
            { _ = try first.append(update) }, { try first.sync() },
            { try first.truncate(behind: JournalBase(shape: [3, 2])) },
        ] {
            let error = #expect(throws: JournalError.self) { try call() }
            #expect(error?.code == .inUse)
            #expect(error?.message.contains("but has \(bytes.count)") == true)
        }
        #expect(storage.bytes == bytes)
        try second.append(try writer.next())
        #expect(try UpdateJournal(opening: storage).lastSequence == 2)
    }

    @Test func whatCouldNotBeReadBackIsNotWritten() throws {
        let storage = MemoryJournalStorage()
        var limits = ShapeLimits()
        limits.items = 3
        let tooMany = #expect(throws: JournalError.self) {
            try UpdateJournal(
                creatingIn: storage,
                base: JournalBase(shape: [4]),
                limits: limits
            )
        }
        #expect(tooMany?.code == .unreadable && storage.bytes.isEmpty)
        let journal = try UpdateJournal(
            creatingIn: storage,
            base: JournalBase(shape: [3]),
            limits: limits
        )
        let bytes = storage.bytes
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [path(0, 0)])
        let update = try changes.validated(from: [3], to: [4])
        let error = #expect(throws: JournalError.self) { try journal.append(update) }
        #expect(error?.code == .unreadable)
        #expect(storage.bytes == bytes && journal.shape == [3] && journal.lastSequence == 0)
    }

    @Test func noBytesAreNoJournalAndOthersAreNoBase() throws {
        let cases: [([UInt8], JournalError.Code)] = [([], .empty), ([0], .noBase)]
        for (bytes, code) in cases {
            let error = #expect(throws: JournalError.self) {
                try UpdateJournal(opening: MemoryJournalStorage(bytes))
            }
            #expect(error?.code == code)
        }
    }

    @Test func theDigestOutlastsTruncating() throws {
        let digest = StateDigest(low: 1, high: 2)
        for given in [nil, digest] {
            var writer = JournalWriter(seed: 14)
            let storage = MemoryJournalStorage()
            let journal = try UpdateJournal(creatingIn: storage, base: base(writer))
            try journal.append(try writer.next(), digest: digest)
            let state = JournalBase(sequence: 1, shape: writer.shape, digest: given)
            try journal.truncate(behind: state)
            #expect(journal.digest == digest)
            #expect(try UpdateJournal(opening: storage).digest == digest)
        }
        // And one that is told only then is known from then on.
        var writer = JournalWriter(seed: 15)
        let journal = try UpdateJournal(creatingIn: MemoryJournalStorage(), base: base(writer))
        try journal.append(try writer.next())
        try journal.truncate(
            behind: JournalBase(sequence: 1, shape: writer.shape, digest: digest)
        )
        #expect(journal.digest == digest)
    }
}
