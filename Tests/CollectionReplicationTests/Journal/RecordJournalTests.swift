import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// What a leader wrote down, after everything that can happen to what it was written on.
@Suite("The journal of a leader", .endsHangs)
struct RecordJournalTests {
    /// A snapshot and the records behind it, as a leader would write them.
    struct Script {
        let base: LogChain
        private(set) var records: [PendingRecord] = []

        init(_ count: Int) throws {
            base = try Samples.opened()
            for index in 0..<count {
                let tip = records.last?.chain ?? base
                let texts = (0...index).map { "text \($0)" }
                records.append(
                    try tip.sealed(Samples.state([texts]), version: tip.position.version + 1)
                )
            }
        }

        /// All positions, that of the snapshot first.
        var positions: [ChainPosition] { [base.position] + records.map(\.chain.position) }

        /// How many bytes there are behind each part, with those that say its length.
        var ends: [Int] {
            var ends = [base.snapshot.encoded(key: .usual).count + 4]
            for record in records { ends.append(ends[ends.count - 1] + record.bytes.count + 4) }
            return ends
        }
    }

    private func written(_ script: Script) throws -> [UInt8] {
        let storage = MemoryJournalStorage()
        let journal = RecordJournal(storage, isSynced: true)
        try journal.rebase(script.base.snapshot.encoded(key: .usual))
        try journal.append(script.records.prefix(1).map(\.bytes))
        try journal.append(script.records.dropFirst().map(\.bytes))
        #expect(storage.bytes.count == script.ends.last)
        return storage.bytes
    }

    private func restored(
        _ storage: any JournalStorage,
        _ key: StableHashKey = .usual
    ) throws -> RecordJournal.Restored? {
        try RecordJournal(storage, isSynced: true).restore(key: key, limits: ShapeLimits())
    }

    @Test func whatWasWrittenIsRestored() throws {
        let script = try Script(5)
        let restored = try #require(try restored(MemoryJournalStorage(written(script))))
        #expect(restored.ancestors == script.positions.suffix(1))
        #expect(restored.bytesCut == 0)
        let last = try #require(script.records.last).chain
        #expect(restored.chain.position == last.position)
        #expect(restored.chain.contents.state == last.contents.state)
        #expect(restored.chain.contents.value == last.contents.value)
        #expect(restored.chain.numbers == last.numbers)
    }

    @Test func whatASnapshotKnowsOfLeadershipsBeforeItIsRestored() throws {
        let (chain, _) = try Samples.update()
        let before = (1...3).map { Samples.position($0) }
        var snapshot = chain.snapshot
        snapshot.ancestors = before
        let storage = MemoryJournalStorage()
        let journal = RecordJournal(storage, isSynced: true)
        try journal.rebase(snapshot.encoded(key: .usual))
        let opening = try chain.opening(epoch: 9, writer: 3, jump: 5)
        try journal.append([opening.bytes])
        let restored = try restored(storage)
        #expect(restored?.ancestors == before + [chain.position, opening.chain.position])
    }

    @Test func nothingIsRestoredOfNothingOrWithAnotherKey() throws {
        #expect(try restored(MemoryJournalStorage()) == nil)
        let bytes = try written(Script(2))
        #expect(try restored(MemoryJournalStorage(bytes), Samples.other) == nil)
    }

    @Test func ofAJournalThatIsTornAnywhereEverythingWholeIsRestored() throws {
        let script = try Script(4)
        let bytes = try written(script)
        let ends = script.ends
        for length in 0..<bytes.count {
            let storage = MemoryJournalStorage(Array(bytes.prefix(length)))
            let whole = ends.count { $0 <= length }
            let restored = try restored(storage)
            guard whole > 0 else {
                #expect(restored == nil)
                continue
            }
            #expect(restored?.chain.position == script.positions[whole - 1], "\(length)")
            #expect(restored?.bytesCut == length - ends[whole - 1])
            // What could not be read is gone, so that what is written next can be.
            #expect(storage.bytes.count == ends[whole - 1])
        }
    }

    @Test func ofAJournalThatIsDamagedAnywhereEverythingBeforeIsRestored() throws {
        let script = try Script(3)
        let bytes = try written(script)
        let ends = script.ends
        for index in bytes.indices {
            for bit in [0, 3, 7] as [UInt8] {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                let whole = ends.count { $0 <= index }
                let restored = try restored(MemoryJournalStorage(damaged))
                if whole == 0 {
                    #expect(restored == nil, "byte \(index)")
                } else {
                    let expected = script.positions[whole - 1]
                    #expect(restored?.chain.position == expected, "byte \(index)")
                }
            }
        }
    }

    @Test func whatIsNotThereBetweenTwoRecordsEndsWhatIsRestored() throws {
        let script = try Script(4)
        let bytes = try written(script)
        let ends = script.ends
        for missing in 1..<ends.count - 1 {
            let storage = MemoryJournalStorage(
                Array(bytes[..<ends[missing - 1]] + bytes[ends[missing]...])
            )
            let restored = try restored(storage)
            #expect(restored?.chain.position == script.positions[missing - 1])
        }
    }

    @Test func aRestoredJournalIsGoneOnWith() throws {
        let script = try Script(6)
        let bytes = try written(script)
        let ends = script.ends
        let storage = MemoryJournalStorage(Array(bytes.prefix(ends[3] + 7)))
        let journal = RecordJournal(storage, isSynced: true)
        _ = try journal.restore(key: .usual, limits: ShapeLimits())
        try journal.append(script.records[3...].map(\.bytes))
        #expect(storage.bytes == bytes)
    }

    @Test func whatCouldBeWrittenInPartOnlyIsWrittenAgainBehindTheSamePlace() throws {
        let script = try Script(4)
        for kept in [0, 1, 3, 4, 5, 60] {
            let storage = HalfStorage()
            let journal = RecordJournal(storage, isSynced: true)
            try journal.rebase(script.base.snapshot.encoded(key: .usual))
            try journal.append([script.records[0].bytes])
            storage.keptOfNext = kept
            #expect(throws: JournalError.self) {
                try journal.append(script.records[1...2].map(\.bytes))
            }
            try journal.append(script.records[1...3].map(\.bytes))
            #expect(try restored(storage)?.chain.position == script.positions.last)
        }
    }

    // MARK: The power goes

    enum Call: CaseIterable {
        case firstBase
        case record
        case records
        case secondBase
        case lastRecord
    }

    /// Does what a leader does, until the storage fails: how far it came, as positions that are durable, and that may be.
    private func run(
        _ storage: VolatileStorage,
        _ script: Script,
        isSynced: Bool
    ) -> (certain: ChainPosition?, possible: ChainPosition?) {
        let journal = RecordJournal(storage, isSynced: isSynced)
        var (certain, possible): (ChainPosition?, ChainPosition?)
        for call in Call.allCases {
            let records =
                switch call {
                case .firstBase, .secondBase: 0..<0
                case .record: 0..<1
                case .records: 1..<4
                case .lastRecord: 4..<5
                }
            possible = records.last.map { script.records[$0].chain.position } ?? possible
            do throws(JournalError) {
                switch call {
                case .firstBase:
                    possible = script.base.position
                    try journal.rebase(script.base.snapshot.encoded(key: .usual))
                case .secondBase:
                    let chain = script.records[3].chain
                    possible = chain.position
                    try journal.rebase(chain.snapshot.encoded(key: .usual))
                case .record, .records, .lastRecord:
                    try journal.append(script.records[records].map(\.bytes))
                }
            } catch {
                break
            }
            // Without syncing only what is put in place of everything is certain.
            if isSynced || call == .firstBase || call == .secondBase { certain = possible }
        }
        return (certain, possible)
    }

    @Test(arguments: [true, false], [true, false])
    func whatWasSyncedSurvivesALossOfPowerWithinAnyCall(_ isSynced: Bool, _ leavesGaps: Bool) throws
    {
        let script = try Script(5)
        let positions = script.positions
        for seed in 0..<Effort.number(40, usually: 4) {
            for calls in 0... {
                let random = SeededGenerator(seed: UInt64(seed))
                let storage = VolatileStorage(random, leavesGaps: leavesGaps)
                storage.callsLeft = calls
                let (certain, possible) = run(storage, script, isSynced: isSynced)
                let hasFailed = storage.isDown
                storage.restart()
                let restored = try restored(storage)
                let found = restored?.chain.position
                let lowest = certain.flatMap { positions.firstIndex(of: $0) } ?? -1
                let highest = possible.flatMap { positions.firstIndex(of: $0) } ?? -1
                let place = found.flatMap { positions.firstIndex(of: $0) } ?? -1
                #expect((found == nil) == (place == -1))
                #expect(
                    place >= lowest && place <= highest,
                    "call \(calls) of seed \(seed): \(place) is not \(lowest) to \(highest)"
                )
                if !hasFailed { break }
            }
        }
    }
}

/// A storage that writes a part of what is appended once, and says that it could not.
private final class HalfStorage: JournalStorage {
    private let base = MemoryJournalStorage()
    var keptOfNext: Int?

    func byteCount() -> Int { base.byteCount() }
    func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] { try base.read(range) }
    func truncate(to byteCount: Int) { base.truncate(to: byteCount) }
    func replaceAll(with bytes: [UInt8]) { base.replaceAll(with: bytes) }
    func sync() {}

    func append(_ bytes: [UInt8]) throws(JournalError) {
        guard let kept = keptOfNext else { return base.append(bytes) }
        keptOfNext = nil
        base.append(Array(bytes.prefix(kept)))
        throw JournalError(.storage, "the disk is full")
    }
}
