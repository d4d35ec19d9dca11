import CollectionChanges
import PipelineSimulation
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// A leader's journal after every kind of damage to its storage.
@Suite("The journal of a leader", .endsHangs)
struct RecordJournalTests {
    /// A snapshot and the records after it, as a leader writes them.
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

        /// All positions, starting with that of the snapshot.
        var positions: [ChainPosition] { [base.position] + records.map(\.chain.position) }

        /// The number of bytes up to the end of each frame.
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

    @Test func writtenRecordsAreRestored() throws {
        let script = try Script(5)
        let restored = try #require(try restored(MemoryJournalStorage(written(script))))
        #expect(restored.ancestors == script.positions.suffix(1))
        #expect(restored.discardedByteCount == 0)
        let last = try #require(script.records.last).chain
        #expect(restored.chain.position == last.position)
        #expect(restored.chain.contents.state == last.contents.state)
        #expect(restored.chain.contents.value == last.contents.value)
        #expect(restored.chain.numbers == last.numbers)
        // An empty journal restores nothing, and neither does another key.
        #expect(try self.restored(MemoryJournalStorage()) == nil)
        let bytes = try written(script)
        #expect(try self.restored(MemoryJournalStorage(bytes), Samples.other) == nil)
    }

    @Test func ancestorsInASnapshotAreRestored() throws {
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

    /// The restored position of an image and the number of discarded bytes.
    private struct Outcome: Equatable {
        var position: ChainPosition?
        var discardedByteCount: Int?
        /// Unreadable bytes are removed so that later records can be appended.
        var bytesLeft: Int
    }

    @Test func everythingBeforeAnyDamageIsRestored() throws {
        let script = try Script(4)
        let bytes = try written(script)
        let ends = script.ends
        // Each image has the position of its first damaged byte.
        var images: [(bytes: [UInt8], damagedAt: Int)] = [(bytes, bytes.count)]
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
        for (image, damagedAt) in images {
            let storage = MemoryJournalStorage(image)
            let whole = ends.count { $0 <= damagedAt }
            let restored = try restored(storage)
            let found = Outcome(
                position: restored?.chain.position,
                discardedByteCount: restored?.discardedByteCount,
                bytesLeft: storage.bytes.count
            )
            let expected =
                whole == 0
                ? Outcome(bytesLeft: image.count)
                : Outcome(
                    position: script.positions[whole - 1],
                    discardedByteCount: image.count - ends[whole - 1],
                    bytesLeft: ends[whole - 1]
                )
            #expect(found == expected, "\(image.count) bytes, damaged at \(damagedAt)")
            // The remaining journal can be continued.
            guard whole > 0 else { continue }
            let journal = RecordJournal(storage, isSynced: true)
            _ = try journal.restore(key: .usual, limits: ShapeLimits())
            try journal.append(script.records[(whole - 1)...].map(\.bytes))
            let end = try self.restored(storage)?.chain.position
            #expect(end == script.positions.last && storage.bytes.count == bytes.count)
        }
    }

    @Test func restoringEndsAtRecordsThatDoNotExtendTheChain() throws {
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

    // MARK: Power loss

    enum Call: CaseIterable {
        case firstBase
        case record
        case records
        case secondBase
        case lastRecord
    }

    /// Writes like a leader until the storage fails; returns the last position that is certainly
    /// durable, and the last that may be.
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
            // Without syncing, only a replaced journal is certain to be durable.
            if isSynced || call == .firstBase || call == .secondBase { certain = possible }
        }
        return (certain, possible)
    }

    @Test(arguments: [true, false], [true, false])
    func syncedRecordsSurviveALossOfPowerInAnyCall(_ isSynced: Bool, _ leavesGaps: Bool) throws {
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
