import CollectionChanges
import TestSupport
import Testing

/// What a journal says is synced survives, whatever happens to the storage.
@Suite("Durable As Promised")
struct DurableAsPromisedTests: JournalWriting {
    // MARK: Crashes

    @Test func afterACrashAnywhereAPrefixSurvivesWithAllThatWasSynced() throws {
        for syncing in [JournalSyncing.always, .every(3), .never] {
            for seed in UInt64(0)..<Effort.number(2, usually: 1) {
                try crashEverywhere(syncing, seed)
            }
        }
    }

    private func crashEverywhere(_ syncing: JournalSyncing, _ seed: UInt64) throws {
        var writer = JournalWriter(seed: seed)
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
                var other = JournalWriter(seed: 99)
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
            var writer = JournalWriter(seed: 3)
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

    // MARK: Failing storages

    @Test func afterAFailedSyncNothingMoreIsWritten() throws {
        var writer = JournalWriter(seed: 11)
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
        var writer = JournalWriter(seed: 12)
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
            var writer = JournalWriter(seed: 9)
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
