import CollectionChanges
import Testing

@testable import PipelineSimulation

/// A journal's storage on a machine that loses its power: which writes survive, and during which
/// call the power is lost.
@Suite("A storage that may lose its power") struct VolatileStorageTests {
    private static func bytes(of storage: VolatileStorage) throws -> [UInt8] {
        try storage.read(0..<storage.byteCount())
    }

    /// Returns the possible contents after a loss of power, over many seeds; a second loss must not
    /// change them.
    private static func survivors(
        of bytes: [UInt8],
        leavesGaps: Bool = false,
        _ write: (VolatileStorage) throws -> Void
    ) throws -> Set<[UInt8]> {
        var survivors: Set<[UInt8]> = []
        for seed: UInt64 in 0..<300 {
            let storage = VolatileStorage(SeededGenerator(seed: seed), leavesGaps: leavesGaps)
            try storage.replaceAll(with: bytes)
            // A write that fails because of the lost power may have happened nevertheless.
            do { try write(storage) } catch let error as JournalError where storage.isDown {
                #expect(error.code == .storage)
            }
            storage.losePower()
            storage.restart()
            let survivor = try Self.bytes(of: storage)
            storage.restart()
            if try Self.bytes(of: storage) != survivor { survivors.insert([255]) }
            survivors.insert(survivor)
        }
        return survivors
    }

    /// A call of a storage.
    private enum Call {
        case append([UInt8]), truncate(Int), replace([UInt8]), sync
        /// Loses the power after a number of further calls.
        case die(after: Int)

        func make(in storage: VolatileStorage) throws {
            switch self {
            case .append(let bytes): try storage.append(bytes)
            case .truncate(let count): try storage.truncate(to: count)
            case .replace(let bytes): try storage.replaceAll(with: bytes)
            case .sync: try storage.sync()
            case .die(let calls): storage.callsLeft = calls
            }
        }
    }

    /// The calls on a storage with the bytes 1 and 2, and all possible contents after the power was
    /// lost.
    private static let rows: [(calls: [Call], Set<[UInt8]>)] = [
        ([.append([3, 4]), .truncate(3), .sync], [[1, 2, 3]]),
        ([.append([3, 4]), .replace([7])], [[7]]),
        (
            [.append([3, 4]), .append([5])], [[1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]]
        ),
        (
            [.append([3, 4]), .truncate(3), .append([5])],
            [[1, 2], [1, 2, 3, 4], [1, 2, 3], [1, 2, 3, 5]]
        ),
        ([.die(after: 0), .append([3])], [[1, 2], [1, 2, 3]]),
        ([.die(after: 1), .append([3]), .truncate(1)], [[1, 2], [1, 2, 3], [1]]),
        ([.append([3]), .die(after: 0), .sync], [[1, 2], [1, 2, 3]]),
        ([.die(after: 1), .append([3]), .sync], [[1, 2], [1, 2, 3]]),
        ([.die(after: 0), .replace([8])], [[1, 2]]),
        ([.die(after: 1), .replace([8])], [[8]]),
    ]

    @Test func anyPrefixOfUnsyncedWritesCanSurvive() throws {
        for (calls, expected) in Self.rows {
            let found = try Self.survivors(of: [1, 2]) { storage in
                for call in calls { try call.make(in: storage) }
            }
            #expect(found == expected, "\(calls)")
        }
        // If pages may be written in another order, unsynced bytes can also be zeros.
        let gaps = try Self.survivors(of: [7], leavesGaps: true) { try $0.append([9]) }
        #expect(gaps == [[7], [7, 9], [7, 0]])
    }

    @Test func withoutPowerEveryCallFailsUntilTheRestart() throws {
        let storage = VolatileStorage(SeededGenerator(seed: 1), leavesGaps: true)
        try storage.append([1, 2, 3])
        try storage.truncate(to: 2)
        #expect(try Self.bytes(of: storage) == [1, 2])
        #expect(throws: JournalError.self) { _ = try storage.read(1..<3) }
        storage.losePower()
        let calls: [() throws -> Void] = [
            { _ = try storage.byteCount() }, { _ = try storage.read(0..<1) },
            { try storage.append([2]) }, { try storage.truncate(to: 0) }, { try storage.sync() },
            { try storage.replaceAll(with: [3]) },
        ]
        for call in calls { #expect(throws: JournalError.self) { try call() } }
        storage.restart()
        #expect(!storage.isDown && storage.callsLeft == nil)
        #expect(throws: Never.self) { try storage.sync() }
    }
}
