import TestSupport
import Testing

@testable import CollectionChanges

/// What a journal says of itself, and what it makes of records that are whole and do not belong there.
@Suite struct JournalStateTests: JournalWriting {
    private let digests = (0..<9).map { StateDigest(low: UInt64($0), high: 1) }

    @Test func aJournalKnowsTheDigestOfItsEnd() throws {
        var writer = JournalWriter(seed: 1)
        let storage = MemoryJournalStorage()
        let journal = try UpdateJournal(
            creatingIn: storage,
            base: JournalBase(shape: writer.shape, digest: digests[0])
        )
        #expect(journal.digest == digests[0])
        var shapes = [writer.shape]
        for number in 1...3 {
            try journal.append(try writer.next(), digest: digests[number])
            shapes.append(writer.shape)
            #expect(journal.digest == digests[number])
        }
        try journal.append(try writer.next())
        #expect(journal.digest == nil)
        // Of the base it is no matter while something follows.
        try journal.truncate(behind: JournalBase(sequence: 2, shape: shapes[2]))
        #expect(journal.digest == nil)
        try journal.truncate(
            behind: JournalBase(sequence: 4, shape: writer.shape, digest: digests[4])
        )
        #expect(journal.digest == digests[4])
        #expect(try UpdateJournal(opening: storage).digest == digests[4])
    }

    @Test(arguments: [JournalSyncing.always, .every(0), .every(1), .every(2), .every(3), .never])
    func aJournalKnowsWhereItBeginsAndWhatIsSynced(_ syncing: JournalSyncing) throws {
        var writer = JournalWriter(seed: 2)
        let storage = CrashingStorage()
        let journal = try UpdateJournal(
            creatingIn: storage,
            base: JournalBase(sequence: 5, shape: writer.shape),
            syncing: syncing
        )
        let size = storage.byteCount()
        #expect(
            journal.recovery == JournalRecovery(finding: .whole, offset: size, bytesCut: 0)
        )
        let stride =
            switch syncing {
            case .every(let count): max(1, count)
            case .never: 100
            default: 1
            }
        var shapes: [HierarchyShape] = [writer.shape]
        for number in 1...7 {
            try journal.append(try writer.next())
            shapes.append(writer.shape)
            #expect(journal.lastSequence == UInt64(5 + number))
            #expect(journal.syncedSequence == UInt64(5 + number / stride * stride), "\(number)")
        }
        try journal.truncate(behind: JournalBase(sequence: 9, shape: shapes[4]))
        #expect(journal.baseSequence == 9 && journal.lastSequence == 12)
        #expect(journal.syncedSequence == 12, "what is replaced is durable")
        #expect(throws: JournalError.self) {
            try journal.truncate(behind: JournalBase(sequence: 8, shape: shapes[3]))
        }
        try journal.truncate(behind: JournalBase(sequence: 12, shape: shapes[7]))
        #expect(journal.baseSequence == 12 && journal.lastSequence == 12)
    }

    @Test func openingSyncsAndCutsOnlyWhatIsToBeCut() throws {
        var writer = JournalWriter(seed: 3)
        let first = CrashingStorage()
        let journal = try UpdateJournal(creatingIn: first, base: base(writer), syncing: .never)
        _ = try fill(journal, &writer, 3)
        for torn in [0, 1] {
            let storage = CrashingStorage(first.bytes.dropLast(torn))
            let opened = try UpdateJournal(opening: storage)
            #expect(
                opened.lastSequence == UInt64(3 - torn)
                    && opened.syncedSequence == opened.lastSequence
            )
            let kinds = storage.calls.map { call in
                switch call {
                case .append: "append"
                case .truncate: "truncate"
                case .replace: "replace"
                case .sync: "sync"
                }
            }
            #expect(kinds == (torn == 0 ? ["sync"] : ["truncate", "sync"]))
        }
    }

    @Test func afterAFailedReplacementNothingMoreIsWritten() throws {
        var writer = JournalWriter(seed: 4)
        let storage = CrashingStorage()
        let journal = try UpdateJournal(creatingIn: storage, base: base(writer), syncing: .never)
        _ = try fill(journal, &writer, 2)
        storage.failure = (call: storage.calls.count, written: 0)
        let state = JournalBase(sequence: 2, shape: writer.shape)
        let error = #expect(throws: JournalError.self) { try journal.truncate(behind: state) }
        #expect(error?.code == .storage && journal.baseSequence == 0)
        let again = #expect(throws: JournalError.self) { try journal.append(try writer.next()) }
        #expect(again?.code == .failedBefore)
        #expect(try records(journal).count == 3)
    }

    @Test func aJournalEndsWithTheLargestNumber() throws {
        var writer = JournalWriter(seed: 5)
        let storage = MemoryJournalStorage()
        let journal = try UpdateJournal(
            creatingIn: storage,
            base: JournalBase(sequence: .max - 1, shape: writer.shape)
        )
        #expect(try journal.append(try writer.next()) == .max)
        let update = try writer.next()
        let error = #expect(throws: JournalError.self) { try journal.append(update) }
        #expect(error?.code == .otherStart && journal.lastSequence == .max)
        #expect(try UpdateJournal(opening: storage).lastSequence == .max)
    }

    // MARK: Records that do not belong there

    /// Whole records, with right checksums, behind two that belong there.
    private func misfits(
        _ journal: UpdateJournal,
        _ writer: JournalWriter
    ) throws -> [(name: String, frame: JournalFrame, reason: String)] {
        var writer = writer
        let value = try writer.next().encodedAlone()
        var other = JournalWriter(seed: 6)
        other.shape = [9, 9, 9]
        func frame(
            _ kind: JournalFrame.Kind,
            _ sequence: UInt64,
            _ value: [UInt8]
        ) -> JournalFrame {
            JournalFrame(
                kind: kind,
                sequence: sequence,
                durable: 0,
                digest: nil,
                value: value,
                payload: []
            )
        }
        return [
            ("a base", frame(.base, 3, journal.shape.encoded()), "record 3 follows record 2"),
            ("the same again", frame(.update, 2, value), "record 2 follows record 2"),
            ("one too far", frame(.update, 4, value), "record 4 follows record 2"),
            (
                "from elsewhere", frame(.update, 3, try other.next().encodedAlone()),
                "record 3 does not follow from those before"
            ),
        ]
    }

    @Test func wholeRecordsThatDoNotFitAreDamageWhateverWasSynced() throws {
        var writer = JournalWriter(seed: 7)
        let storage = MemoryJournalStorage()
        let journal = try UpdateJournal(
            creatingIn: storage,
            base: base(writer),
            syncing: .every(100)
        )
        _ = try fill(journal, &writer, 2)
        let end = storage.byteCount()
        for (name, frame, reason) in try misfits(journal, writer) {
            let image = storage.bytes + (try #require(frame.bytes(at: end)))
            let copy = MemoryJournalStorage(image)
            let error = #expect(throws: JournalError.self, "\(name)") {
                try UpdateJournal(opening: copy)
            }
            #expect(error?.code == .damaged && error?.offset == end, "\(name)")
            #expect(error?.message.contains(reason) == true, "\(name): \(error?.message ?? "")")
            #expect(copy.bytes == image, "nothing was changed")
            let saved = try UpdateJournal(opening: copy, cutting: .everythingAfterDamage)
            #expect(saved.lastSequence == 2 && saved.recovery.finding == .damage, "\(name)")
        }
        // Where a journal begins there must be a base.
        let update = try #require(try misfits(journal, writer).last?.frame.bytes(at: 0))
        let error = #expect(throws: JournalError.self) {
            try UpdateJournal(opening: MemoryJournalStorage(update))
        }
        #expect(error?.code == .noBase)
    }

    /// By another journal, or by whatever else can write there.
    @Test func whatIsSpoiltAfterOpeningIsFoundWhenItIsRead() throws {
        var writer = JournalWriter(seed: 8)
        let storage = SpoiltStorage()
        let journal = try UpdateJournal(creatingIn: storage, base: base(writer), syncing: .never)
        _ = try fill(journal, &writer, 4)
        let offset = storage.memory.byteCount() - 1
        storage.spoilt = offset
        let error = #expect(throws: JournalError.self) { _ = try records(journal) }
        #expect(error?.code == .damaged && (error?.offset ?? .max) <= offset)
        let replaced = #expect(throws: JournalError.self) {
            try journal.truncate(behind: JournalBase(sequence: 0, shape: [3, 2]))
        }
        #expect(replaced?.code == .damaged && journal.baseSequence == 0)
        storage.spoilt = nil
        #expect(try records(journal).count == 5)
    }

    private final class SpoiltStorage: JournalStorage {
        let memory = MemoryJournalStorage()
        /// The place of a byte that reads as another.
        var spoilt: Int?

        func byteCount() -> Int { memory.byteCount() }
        func append(_ bytes: [UInt8]) { memory.append(bytes) }
        func truncate(to byteCount: Int) { memory.truncate(to: byteCount) }
        func replaceAll(with bytes: [UInt8]) { memory.replaceAll(with: bytes) }
        func sync() {}

        func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] {
            var bytes = try memory.read(range)
            if let spoilt, range.contains(spoilt) { bytes[spoilt - range.lowerBound] ^= 1 }
            return bytes
        }
    }

    /// What says that something was synced is found wherever it lies, also where it lies across what is read at once.
    @Test func laterRecordsAreFoundAcrossWhatIsReadAtOnce() throws {
        let chunk = 65_536
        for padding in [0, 1, 2] + Array((chunk - 80)...(chunk + 3)) {
            var writer = JournalWriter(seed: 9)
            let storage = MemoryJournalStorage()
            let journal = try UpdateJournal(creatingIn: storage, base: base(writer))
            let start = storage.byteCount()
            // Full of what begins like a marker.
            let filler = Array(repeating: JournalFrame.marker[0], count: padding)
            try journal.append(try writer.next(), payload: filler)
            try journal.append(try writer.next())
            var image = storage.bytes
            image[start + 30] ^= 1
            let error = #expect(throws: JournalError.self, "\(padding)") {
                try UpdateJournal(opening: MemoryJournalStorage(image))
            }
            #expect(error?.code == .damaged && error?.offset == start, "\(padding)")
        }
    }

    @Test func aStorageInMemoryGivesWhatThereIsAndNothingElse() throws {
        let storage = MemoryJournalStorage([1, 2, 3])
        #expect(try storage.read(0..<3) == [1, 2, 3])
        #expect(try storage.read(3..<3) == [])
        for range in [-1..<2, 0..<4, 4..<5] {
            let error = #expect(throws: JournalError.self) { try storage.read(range) }
            #expect(error?.code == .storage)
        }
        for (count, left) in [(9, 3), (3, 3), (2, 2), (0, 0)] {
            storage.truncate(to: count)
            #expect(storage.byteCount() == left)
        }
        storage.append([4])
        storage.truncate(to: -1)
        #expect(storage.bytes == [])
    }
}
