import CollectionChanges
import TestSupport
import Testing

/// What was appended comes back, whatever happened to the storage, as far as it was promised.
@Suite struct JournalTests: JournalWriting {
    @Test func theChecksumIsTheStandardOne() throws {
        // The check value of the polynomial is in the head of a record whose body is "123456789".
        let storage = MemoryJournalStorage()
        _ = try UpdateJournal(creatingIn: storage)
        #expect(storage.bytes.prefix(6) == [0x43, 0x50, 0x4A, 0x31, 1, 0])
        var value: UInt32 = .max
        for byte in storage.bytes[36...] {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x82F6_3B78 }
        }
        let found = storage.bytes[28..<32].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        #expect(found == ~value)
    }

    @Test func whatWasAppendedIsReplayed() throws {
        for syncing in [JournalSyncing.always, .every(3), .never] {
            var writer = JournalWriter(seed: 1)
            let storage = MemoryJournalStorage()
            let journal = try UpdateJournal(
                creatingIn: storage,
                base: base(writer),
                syncing: syncing
            )
            let noted = try fill(journal, &writer, 50)
            #expect(try Array(records(journal).dropFirst()) == noted)
            let reopened = try UpdateJournal(opening: storage)
            #expect(reopened.recovery.finding == .whole)
            #expect(reopened.lastSequence == 50 && reopened.shape == writer.shape)
            #expect(reopened.digest == noted.last?.digest)
            #expect(try Array(records(reopened).dropFirst()) == noted)
        }
    }

    // MARK: Damage

    @Test func noFlippedBitPassesUnnoticed() throws {
        var writer = JournalWriter(seed: 4)
        let storage = MemoryJournalStorage()
        let journal = try UpdateJournal(creatingIn: storage, base: base(writer))
        _ = try fill(journal, &writer, 6)
        let whole = try records(journal)
        for position in storage.bytes.indices {
            for bit in 0..<8 {
                var image = storage.bytes
                image[position] ^= 1 << UInt8(bit)
                let place = "byte \(position), bit \(bit)"
                do {
                    let survivor = try UpdateJournal(opening: MemoryJournalStorage(image))
                    let found = try records(survivor)
                    #expect(survivor.recovery.finding == .tornTail, "\(place)")
                    // Damage in the last record looks like a torn end.
                    #expect(found == Array(whole.dropLast()), "\(place)")
                } catch let error as JournalError {
                    #expect(error.code == .damaged || error.code == .noBase, "\(place)")
                }
            }
        }
    }

    @Test func anyBytesAreAJournalOrAnError() throws {
        var writer = JournalWriter(seed: 5)
        let storage = MemoryJournalStorage()
        _ = try fill(try UpdateJournal(creatingIn: storage, base: base(writer)), &writer, 6)
        let whole = try records(try UpdateJournal(opening: storage))
        for seed in UInt64(0)..<Effort.number(3_000, usually: 300) {
            var mutilation = Mutilation(seed: seed)
            let image = MemoryJournalStorage(mutilation.spoil(storage.bytes))
            guard
                let survivor = try? UpdateJournal(opening: image, cutting: .everythingAfterDamage)
            else { continue }
            let found = try records(survivor)
            #expect(found == Array(whole.prefix(found.count)), "seed \(seed)")
        }
    }

    @Test func recordsInsideAPayloadAreNone() throws {
        var writer = JournalWriter(seed: 10)
        let inner = MemoryJournalStorage()
        let journal = try UpdateJournal(creatingIn: inner, base: base(writer))
        _ = try fill(journal, &writer, 3)
        let storage = MemoryJournalStorage()
        let outer = try UpdateJournal(creatingIn: storage, base: base(writer))
        let start = storage.bytes.count
        try outer.append(try writer.next(), payload: inner.bytes)
        var image = storage.bytes
        image[start] = 0
        let survivor = try UpdateJournal(opening: MemoryJournalStorage(image))
        #expect(survivor.recovery.finding == .tornTail && survivor.recovery.offset == start)
    }

    // MARK: Truncating

    @Test func truncatingKeepsWhatComesAfterTheState() throws {
        for sequence in UInt64(5)...15 {
            var writer = JournalWriter(seed: 6)
            let storage = MemoryJournalStorage()
            let start = base(writer, sequence: 5)
            let journal = try UpdateJournal(creatingIn: storage, base: start)
            let noted = try records(journal) + fill(journal, &writer, 10)
            let state = noted[Int(sequence) - 5]
            try journal.truncate(behind: JournalBase(sequence: sequence, shape: state.shape))
            #expect(try Array(records(journal).dropFirst()) == Array(noted[(Int(sequence) - 4)...]))
            let more = try fill(journal, &writer, 2)
            let reopened = try UpdateJournal(opening: storage, cutting: .nothing)
            #expect(reopened.baseSequence == sequence && reopened.lastSequence == 17)
            #expect(try Array(records(reopened).suffix(2)) == more)
        }
    }

    @Test func aBaseThatTheJournalDoesNotGoThroughIsRejected() throws {
        var writer = JournalWriter(seed: 7)
        let journal = try UpdateJournal(
            creatingIn: MemoryJournalStorage(),
            base: base(writer, sequence: 5)
        )
        let update = try writer.next()
        try journal.append(update, digest: StateDigest(low: 1, high: 1))
        let wrong = [
            JournalBase(sequence: 4, shape: update.oldShape),
            JournalBase(sequence: 7, shape: update.newShape),
            JournalBase(sequence: 6, shape: update.oldShape),
            JournalBase(sequence: 6, shape: update.newShape, digest: StateDigest(low: 1, high: 2)),
        ]
        for base in wrong {
            #expect(throws: JournalError.self) { try journal.truncate(behind: base) }
        }
        #expect(journal.baseSequence == 5 && journal.lastSequence == 6)
    }

    @Test func anUpdateFromAnotherShapeIsRejected() throws {
        let journal = try UpdateJournal(
            creatingIn: MemoryJournalStorage(),
            base: JournalBase(shape: [9])
        )
        var writer = JournalWriter(seed: 8)
        let update = try writer.next()
        do {
            try journal.append(update)
            Issue.record("appended")
        } catch {
            #expect(error.code == .otherStart)
        }
    }
}
