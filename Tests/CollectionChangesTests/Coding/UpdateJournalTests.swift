import CollectionChanges
import PipelineTestSupport
import Testing

/// What was appended comes back, whatever happened to the storage, as far as it was promised.
@Suite struct JournalTests {
    /// A record as a test compares it.
    struct Noted: Equatable {
        var sequence: UInt64
        var update: ObservedUpdate?
        var shape: HierarchyShape
        var digest: StateDigest?
        var payload: [UInt8]
    }

    /// Updates of which each starts where the one before ends.
    struct Writer {
        var generator: SeededGenerator
        var shape: HierarchyShape = [3, 2]

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        mutating func next() throws -> ValidatedChangeSet {
            var changes = HierarchyChangeSet()
            var counts = shape.itemCounts
            let section = generator.next(below: counts.count)
            if counts[section] > 0, generator.isTrue(oneIn: 2) {
                changes.deleteItems(at: [path(section, generator.next(below: counts[section]))])
                counts[section] -= 1
            } else {
                changes.insertItems(at: [path(section, generator.next(below: counts[section] + 1))])
                counts[section] += 1
            }
            let update = try changes.validated(from: shape, to: HierarchyShape(counts))
            shape = update.newShape
            return update
        }

        mutating func payload() -> [UInt8] {
            // Sometimes with what looks like a record.
            let marker: [UInt8] = generator.isTrue(oneIn: 3) ? [0x43, 0x50, 0x4A, 0x31] : []
            return marker + (0..<generator.next(below: 5)).map { UInt8($0) }
        }
    }

    /// What a storage holds: the records in order, the base first.
    private func records(_ journal: UpdateJournal) throws -> [Noted] {
        var records: [Noted] = []
        try journal.replay { record in
            switch record {
            case .base(let base):
                records.append(
                    Noted(
                        sequence: base.sequence,
                        update: nil,
                        shape: base.shape,
                        digest: base.digest,
                        payload: base.payload
                    )
                )
            case .update(let entry):
                records.append(
                    Noted(
                        sequence: entry.sequence,
                        update: ObservedUpdate(entry.update),
                        shape: entry.update.newShape,
                        digest: entry.digest,
                        payload: entry.payload
                    )
                )
            }
        }
        return records
    }

    /// Appends `count` updates, and returns what was noted after each.
    private func fill(
        _ journal: UpdateJournal,
        _ writer: inout Writer,
        _ count: Int
    ) throws -> [Noted] {
        var noted: [Noted] = []
        for _ in 0..<count {
            let update = try writer.next()
            let digest = writer.generator.isTrue(oneIn: 2) ? StateDigest(low: 7, high: 9) : nil
            let payload = writer.payload()
            let sequence = try journal.append(update, digest: digest, payload: payload)
            noted.append(
                Noted(
                    sequence: sequence,
                    update: ObservedUpdate(update),
                    shape: update.newShape,
                    digest: digest,
                    payload: payload
                )
            )
        }
        return noted
    }

    private func base(_ writer: Writer, sequence: UInt64 = 0) -> JournalBase {
        JournalBase(sequence: sequence, shape: writer.shape, payload: [1, 2])
    }

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
            var writer = Writer(seed: 1)
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

    // MARK: Crashes

    @Test func afterACrashAnywhereAPrefixSurvivesWithAllThatWasSynced() throws {
        for syncing in [JournalSyncing.always, .every(3), .never] {
            for seed in UInt64(0)..<Effort.number(2, usually: 1) {
                try crashEverywhere(syncing, seed)
            }
        }
    }

    private func crashEverywhere(_ syncing: JournalSyncing, _ seed: UInt64) throws {
        var writer = Writer(seed: seed)
        let storage = CrashingStorage()
        let journal = try UpdateJournal(creatingIn: storage, base: base(writer), syncing: syncing)
        var noted = try records(journal)
        noted += try fill(journal, &writer, 7)
        try journal.truncate(behind: JournalBase(sequence: 4, shape: noted[4].shape))
        noted += try fill(journal, &writer, 5)
        var synced: UInt64 = 0
        var appended: UInt64 = 0
        for (index, call) in storage.calls.enumerated() {
            let place = "\(syncing), seed \(seed), call \(index)"
            var lengths = 0...0
            if case .append(let bytes) = call { lengths = 0...(bytes.count - 1) }
            // Before the base is there, there is no journal.
            var thinning = Thinning(5)
            for torn in lengths where index > 0 && (torn < 2 || thinning.takesNext()) {
                let image = CrashingStorage.image(of: storage.calls[..<index], call, torn: torn)
                let survivor = try UpdateJournal(opening: MemoryJournalStorage(image))
                #expect(survivor.lastSequence == appended, "\(place), torn at \(torn)")
                #expect(survivor.lastSequence >= synced, "\(place), torn at \(torn)")
                #expect(survivor.recovery.finding == (torn == 0 ? .whole : .tornTail), "\(place)")
                #expect(survivor.recovery.bytesCut == torn, "\(place)")
                let found = try records(survivor)
                let start = Int(survivor.baseSequence)
                #expect(
                    Array(found.dropFirst()) == Array(noted[(start + 1)..<(start + found.count)])
                )
                // It goes on as if nothing had been.
                var other = Writer(seed: 99)
                other.shape = survivor.shape
                try survivor.append(try other.next())
                #expect(try records(survivor).count == found.count + 1)
            }
            switch call {
            case .append: appended += 1
            case .sync: synced = appended
            case .replace, .truncate: break
            }
        }
    }

    @Test func gapsInWhatWasNotSyncedAreCutAndOthersAreErrors() throws {
        for syncing in [JournalSyncing.always, .every(4), .never] {
            var writer = Writer(seed: 3)
            let storage = CrashingStorage()
            let journal = try UpdateJournal(
                creatingIn: storage,
                base: base(writer),
                syncing: syncing
            )
            _ = try fill(journal, &writer, 11)
            var starts: [Int] = []
            var bytes = 0
            for call in storage.calls {
                switch call {
                case .append(let more):
                    starts.append(bytes)
                    bytes += more.count
                case .replace(let all): bytes = all.count
                case .truncate, .sync: break
                }
            }
            // Each record but the last becomes zeros, as a page that was never written.
            for (index, start) in starts.dropLast().enumerated() {
                var image = storage.bytes
                for position in start..<starts[index + 1] { image[position] = 0 }
                let isPromised =
                    switch syncing {
                    // The last one before the gap's successor was durable when that was written.
                    case .every: index < 8
                    default: true
                    }
                let place = "\(syncing), record \(index + 1)"
                do {
                    let survivor = try UpdateJournal(opening: MemoryJournalStorage(image))
                    #expect(!isPromised, "\(place)")
                    #expect(survivor.recovery.finding == .unsyncedGap, "\(place)")
                    #expect(survivor.recovery.offset == start, "\(place)")
                    #expect(survivor.lastSequence == UInt64(index), "\(place)")
                } catch {
                    #expect(isPromised, "\(place): \(error)")
                    #expect(error.code == .damaged && error.offset == start, "\(place)")
                }
                let saved = try UpdateJournal(
                    opening: MemoryJournalStorage(image),
                    cutting: .everythingAfterDamage
                )
                #expect(saved.lastSequence == UInt64(index), "\(place)")
            }
        }
    }

    @Test func noFlippedBitPassesUnnoticed() throws {
        var writer = Writer(seed: 4)
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
        var writer = Writer(seed: 5)
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
        var writer = Writer(seed: 10)
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
            var writer = Writer(seed: 6)
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
        var writer = Writer(seed: 7)
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
        var writer = Writer(seed: 8)
        let update = try writer.next()
        do {
            try journal.append(update)
            Issue.record("appended")
        } catch {
            #expect(error.code == .otherStart)
        }
    }

    // MARK: Failing storages

    @Test func afterAFailedSyncNothingMoreIsWritten() throws {
        var writer = Writer(seed: 11)
        let storage = CrashingStorage()
        let journal = try UpdateJournal(creatingIn: storage, base: base(writer))
        storage.failure = (call: 2, written: 0)
        #expect(throws: JournalError.self) { try journal.append(try writer.next()) }
        let calls = storage.calls.count
        for _ in 0..<2 {
            do {
                try journal.sync()
                Issue.record("synced")
            } catch {
                #expect(error.code == .failedBefore)
            }
        }
        #expect(throws: JournalError.self) { try journal.append(try writer.next()) }
        #expect(storage.calls.count == calls && journal.syncedSequence == 0)
    }

    @Test func whatAFailedAppendLeftIsTakenBack() throws {
        var writer = Writer(seed: 12)
        let storage = CrashingStorage()
        let journal = try UpdateJournal(creatingIn: storage, base: base(writer), syncing: .never)
        storage.failure = (call: 1, written: 9)
        let before = storage.bytes
        let update = try writer.next()
        #expect(throws: JournalError.self) { try journal.append(update) }
        #expect(storage.bytes == before)
        #expect(try journal.append(update) == 1)
    }

    @Test func whereAnyCallFailsTheJournalIsAsItWasOrSaysThatItIsNot() throws {
        for failing in 1..<40 {
            var writer = Writer(seed: 9)
            let storage = CrashingStorage()
            let journal = try UpdateJournal(
                creatingIn: storage,
                base: base(writer),
                syncing: .every(2)
            )
            storage.failure = (failing, written: 5)
            var appended: UInt64 = 0
            var hasFailed = false
            for _ in 0..<12 {
                let before = writer
                let update = try writer.next()
                do {
                    appended = try journal.append(update)
                } catch {
                    hasFailed = hasFailed || error.code == .storage
                    if journal.lastSequence == appended { writer = before }
                    appended = journal.lastSequence
                    if error.code == .failedBefore { break }
                }
            }
            let reopened = try UpdateJournal(
                opening: MemoryJournalStorage(storage.bytes),
                cutting: .nothing
            )
            #expect(reopened.lastSequence == appended && reopened.shape == journal.shape)
            if failing < 18 { #expect(hasFailed, "call \(failing)") }
        }
    }
}
