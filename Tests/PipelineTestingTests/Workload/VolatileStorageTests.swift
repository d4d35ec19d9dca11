import CollectionChanges
import Testing

@testable import PipelineTesting

/// A storage that may lose its power: what survives of what was written, and in which call the power goes.
@Suite("A storage that may lose its power") struct VolatileStorageTests {
    private static func storage(
        _ seed: UInt64 = 1,
        _ bytes: [UInt8] = [],
        leavesGaps: Bool = false
    ) throws -> VolatileStorage {
        let storage = VolatileStorage(SeededGenerator(seed: seed), leavesGaps: leavesGaps)
        try storage.replaceAll(with: bytes)
        return storage
    }

    private static func bytes(of storage: VolatileStorage) throws -> [UInt8] {
        try storage.read(0..<storage.byteCount())
    }

    /// What there may be after a loss of power, over many seeds; the same as after another one.
    private static func survivors(
        of bytes: [UInt8],
        leavesGaps: Bool = false,
        _ write: (VolatileStorage) throws -> Void
    ) throws -> Set<[UInt8]> {
        var survivors: Set<[UInt8]> = []
        for seed: UInt64 in 0..<300 {
            let storage = try storage(seed, bytes, leavesGaps: leavesGaps)
            try write(storage)
            storage.losePower()
            storage.restart()
            let survivor = try Self.bytes(of: storage)
            storage.restart()
            #expect(try Self.bytes(of: storage) == survivor)
            survivors.insert(survivor)
        }
        return survivors
    }

    private static func lost(_ body: () throws -> Void) {
        let error = #expect(throws: JournalError.self) { try body() }
        #expect(error?.code == .storage && error?.message == "the power is gone")
    }

    // MARK: With power

    @Test func whatIsWrittenIsRead() throws {
        let storage = VolatileStorage(SeededGenerator(seed: 1), leavesGaps: true)
        #expect(try storage.byteCount() == 0)
        try storage.append([1, 2, 3])
        try storage.append([4])
        #expect(try Self.bytes(of: storage) == [1, 2, 3, 4])
        #expect(try storage.read(1..<3) == [2, 3])
        try storage.truncate(to: 2)
        #expect(try Self.bytes(of: storage) == [1, 2])
        try storage.truncate(to: 2)
        try storage.sync()
        #expect(try Self.bytes(of: storage) == [1, 2])
        try storage.replaceAll(with: [9])
        #expect(try Self.bytes(of: storage) == [9])
        #expect(!storage.isDown)
    }

    @Test(arguments: [-1..<1, 0..<3, 2..<3, 3..<3])
    func bytesThatThereAreNotCannotBeRead(_ range: Range<Int>) throws {
        let storage = try Self.storage(1, [5, 6])
        let error = #expect(throws: JournalError.self) { _ = try storage.read(range) }
        #expect(error?.message == "bytes \(range) are not among 2")
        #expect(try storage.read(0..<2) == [5, 6])
    }

    // MARK: What survives

    @Test func whatIsSyncedOrReplacedSurvives() throws {
        let synced = try Self.survivors(of: [1, 2]) {
            try $0.append([3, 4])
            try $0.truncate(to: 3)
            try $0.sync()
        }
        #expect(synced == [[1, 2, 3]])
        let replaced = try Self.survivors(of: [1, 2], leavesGaps: true) {
            try $0.append([3, 4])
            try $0.replaceAll(with: [7])
        }
        #expect(replaced == [[7]])
    }

    /// The first of the calls survive, and of the bytes that they add a part.
    @Test func ofWhatIsNotSyncedAnyFirstPartSurvives() throws {
        let appended = try Self.survivors(of: [1, 2]) {
            try $0.append([3, 4])
            try $0.append([5])
        }
        #expect(appended == [[1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]])
        let cut = try Self.survivors(of: [1, 2]) {
            try $0.append([3, 4])
            try $0.truncate(to: 3)
            try $0.append([5])
        }
        #expect(cut == [[1, 2], [1, 2, 3, 4], [1, 2, 3], [1, 2, 3, 5]])
        let same = try Self.survivors(of: [1, 2]) {
            try $0.truncate(to: 2)
            try $0.append([3])
            try $0.truncate(to: 3)
            try $0.append([4])
        }
        #expect(same == [[1, 2], [1, 2, 3], [1, 2, 3, 4]])
        let shorter = try Self.survivors(of: [1, 2, 3], leavesGaps: true) { try $0.truncate(to: 1) }
        #expect(shorter == [[1, 2, 3], [1]])
    }

    /// Often nothing is lost, and often something is.
    @Test func nineCallsOfTenBytesSurviveWholeInAQuarterOfTheCases() throws {
        var whole = 0
        for seed: UInt64 in 0..<2_000 {
            let storage = try Self.storage(seed)
            for number in 0..<9 { try storage.append(Array(repeating: UInt8(number), count: 10)) }
            storage.losePower()
            storage.restart()
            if try storage.byteCount() == 90 { whole += 1 }
        }
        #expect((480...660).contains(whole), "\(whole)")
    }

    // MARK: Gaps

    @Test func oneByteThatIsNotSyncedMayBeAGap() throws {
        let gaps = try Self.survivors(of: [7], leavesGaps: true) { try $0.append([9]) }
        #expect(gaps == [[7], [7, 9], [7, 0]])
        let none = try Self.survivors(of: [7]) { try $0.append([9]) }
        #expect(none == [[7], [7, 9]])
    }

    /// One run of zeros, of up to 64 bytes, among what was not synced.
    @Test func aGapIsAPageThatWasNeverWritten() throws {
        var lengths: Set<Int> = []
        var starts: Set<Int> = []
        for seed: UInt64 in 0..<1_000 {
            let storage = try Self.storage(seed, Array(repeating: 1, count: 10), leavesGaps: true)
            try storage.append(Array(repeating: 2, count: 200))
            storage.losePower()
            storage.restart()
            let bytes = try Self.bytes(of: storage)
            #expect(bytes.prefix(10).allSatisfy { $0 == 1 })
            guard let start = bytes.firstIndex(of: 0) else { continue }
            let gap = bytes[start...].prefix { $0 == 0 }
            #expect(bytes[10..<start].allSatisfy { $0 == 2 })
            #expect(bytes[gap.endIndex...].allSatisfy { $0 == 2 })
            lengths.insert(gap.count)
            starts.insert(start)
        }
        #expect(lengths.min() == 1 && lengths.max() == 64 && lengths.count > 48)
        #expect(starts.count > 100)
    }

    // MARK: When the power goes

    @Test func withoutPowerEveryCallFailsUntilTheRestart() throws {
        let storage = try Self.storage(1, [1])
        storage.losePower()
        #expect(storage.isDown)
        Self.lost { _ = try storage.byteCount() }
        Self.lost { _ = try storage.read(0..<1) }
        Self.lost { try storage.append([2]) }
        Self.lost { try storage.truncate(to: 0) }
        Self.lost { try storage.sync() }
        Self.lost { try storage.replaceAll(with: [3]) }
        storage.restart()
        #expect(!storage.isDown)
        #expect(throws: Never.self) { _ = try storage.byteCount() }
    }

    /// So many calls go well before.
    @Test(arguments: 0..<4)
    func thePowerGoesInTheCallThatIsSaid(_ calls: Int) throws {
        let storage = try Self.storage(1, [1])
        storage.callsLeft = calls
        for _ in 0..<calls { #expect(try storage.byteCount() == 1) }
        #expect(!storage.isDown)
        Self.lost { _ = try storage.byteCount() }
        #expect(storage.isDown && storage.callsLeft == nil)
        storage.restart()
        for _ in 0..<8 { #expect(try storage.byteCount() == 1) }
    }

    @Test func aLossThatIsDueIsOverWithAnotherLossOrARestart() throws {
        let storage = try Self.storage(1, [1])
        storage.callsLeft = 1
        storage.losePower()
        #expect(storage.callsLeft == nil)
        storage.restart()
        for _ in 0..<4 { #expect(try storage.byteCount() == 1) }
        storage.callsLeft = 1
        storage.restart()
        #expect(storage.callsLeft == nil && !storage.isDown)
    }

    /// What fails may have happened all the same; only a replacement is whole, one way or the other.
    @Test func whatFailsMayHaveHappened() throws {
        let appended = try Self.survivors(of: [1, 2]) { storage in
            storage.callsLeft = 0
            Self.lost { try storage.append([3]) }
        }
        #expect(appended == [[1, 2], [1, 2, 3]])
        let truncated = try Self.survivors(of: [1, 2]) { storage in
            storage.callsLeft = 0
            Self.lost { try storage.truncate(to: 1) }
        }
        #expect(truncated == [[1, 2], [1]])
        let unsynced = try Self.survivors(of: [1, 2]) { storage in
            try storage.append([3])
            storage.callsLeft = 0
            Self.lost { try storage.sync() }
        }
        #expect(unsynced == [[1, 2], [1, 2, 3]])
        for (calls, bytes) in [(0, [1, 2]), (1, [8])] as [(Int, [UInt8])] {
            let replaced = try Self.survivors(of: [1, 2]) { storage in
                storage.callsLeft = calls
                Self.lost { try storage.replaceAll(with: [8]) }
            }
            #expect(replaced == [bytes])
        }
    }
}
