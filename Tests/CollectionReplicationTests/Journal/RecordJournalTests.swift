import CollectionChanges
import PipelineSimulation
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

        /// How many bytes there are behind each frame.
        var ends: [Int] {
            var ends: [Int] = []
            for bytes in [base.snapshot.encoded(key: .usual)] + records.map(\.bytes) {
                let frame = JournalFrame(kind: .base, sequence: 0, durable: 0, value: bytes)
                ends.append((ends.last ?? 0) + (frame.bytes(at: 0)?.count ?? 0))
            }
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
        // Nothing of nothing, or with another key.
        #expect(try self.restored(MemoryJournalStorage()) == nil)
        let bytes = try written(script)
        #expect(try self.restored(MemoryJournalStorage(bytes), Samples.other) == nil)
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

    /// What is restored of an image: the position, and how much was cut.
    private struct Outcome: Equatable {
        var position: ChainPosition?
        var bytesCut: Int?
        /// What could not be read is gone, so that what is written next can be.
        var bytesLeft: Int
    }

    @Test func ofAJournalThatIsTornOrDamagedAnywhereEverythingBeforeIsRestored() throws {
        let script = try Script(4)
        let bytes = try written(script)
        let ends = script.ends
        // Each with where the first record ends that is not as it was.
        var images: [(bytes: [UInt8], spoilt: Int)] = [(bytes, bytes.count)]
        for place in bytes.indices {
            images.append((Array(bytes.prefix(place)), place))
            var damaged = bytes
            damaged[place] ^= 1 << UInt8(place % 8)
            images.append((damaged, place))
        }
        for frame in 1..<ends.count - 1 {
            let (start, end) = (ends[frame - 1], ends[frame])
            images.append((Array(bytes[..<start] + bytes[end...]), start))
            images.append((Array(bytes[..<end] + bytes[start...]), end))
        }
        images.append((bytes + bytes, bytes.count))
        for (image, spoilt) in images {
            let storage = MemoryJournalStorage(image)
            let whole = ends.count { $0 <= spoilt }
            let restored = try restored(storage)
            let found = Outcome(
                position: restored?.chain.position,
                bytesCut: restored?.bytesCut,
                bytesLeft: storage.bytes.count
            )
            let expected =
                whole == 0
                ? Outcome(bytesLeft: image.count)
                : Outcome(
                    position: script.positions[whole - 1],
                    bytesCut: image.count - ends[whole - 1],
                    bytesLeft: ends[whole - 1]
                )
            #expect(found == expected, "\(image.count) bytes, spoilt at \(spoilt)")
            // What is left is gone on with.
            guard whole > 0 else { continue }
            let journal = RecordJournal(storage, isSynced: true)
            _ = try journal.restore(key: .usual, limits: ShapeLimits())
            try journal.append(script.records[(whole - 1)...].map(\.bytes))
            let end = try self.restored(storage)?.chain.position
            #expect(end == script.positions.last && storage.bytes.count == bytes.count)
        }
    }

    @Test func recordsThatDoNotExtendTheChainEndWhatIsRestored() throws {
        let script = try Script(3)
        let other = try Samples.opened(key: Samples.other)
        let foreign = try other.sealed(Samples.state([["x"]]), version: 300).bytes
        let records = script.records.map(\.bytes)
        let rows: [(records: [[UInt8]], whole: Int)] = [
            ([records[0], records[2]], 1), ([records[0], records[0]], 1),
            ([records[1]], 0), ([records[0], [7]], 1), ([records[0], foreign, records[1]], 1),
        ]
        for (row, whole) in rows {
            let storage = MemoryJournalStorage()
            let journal = RecordJournal(storage, isSynced: true)
            try journal.rebase(script.base.snapshot.encoded(key: .usual))
            try journal.append(row)
            #expect(try restored(storage)?.chain.position == script.positions[whole], "\(whole)")
            #expect(storage.bytes.count == script.ends[whole])
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
