import Testing

@testable import CollectionChanges

/// The bytes of records in a storage, and invalid records.
@Suite struct JournalFrameTests {
    private func frame(
        _ kind: JournalFrame.Kind = .update,
        _ sequence: UInt64 = 5,
        durable: UInt64 = 4,
        digest: StateDigest? = nil,
        value: [UInt8] = [7],
        payload: [UInt8] = []
    ) -> JournalFrame {
        JournalFrame(
            kind: kind,
            sequence: sequence,
            durable: durable,
            digest: digest,
            value: value,
            payload: payload
        )
    }

    // MARK: Bytes

    /// Returns the standard checksum, computed bit by bit.
    private func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x82F6_3B78 }
        }
        return (0..<4).map { UInt8(truncatingIfNeeded: ~value >> (8 * $0)) }
    }

    @Test func aRecordHasItsDocumentedBytes() throws {
        // The check value of the polynomial.
        #expect(checksum(Array("123456789".utf8)) == [0x83, 0x92, 0x06, 0xE3])
        let digest = StateDigest(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
        for kind in [JournalFrame.Kind.base, .update] {
            for digest in [nil, digest] {
                let record = frame(
                    kind,
                    0x0807_0605_0403_0201,
                    durable: 0x1817_1615_1413_1211,
                    digest: digest,
                    value: [21, 22],
                    payload: [31, 32, 33]
                )
                let body: [UInt8] = (digest == nil ? [] : Array(0..<16)) + [2, 21, 22, 31, 32, 33]
                var bytes: [UInt8] =
                    [0x43, 0x50, 0x4A, 0x31, kind.rawValue, digest == nil ? 0 : 1, 0, 0]
                    + [UInt8(body.count), 0, 0, 0] + Array(1...8) + Array(0x11...0x18)
                bytes += checksum(body)
                bytes += checksum(bytes + [77, 1, 0, 0, 0, 0, 0, 0])
                bytes += body
                #expect(record.bytes(at: 256 + 77) == bytes)
                let storage = MemoryJournalStorage(Array(repeating: 0, count: 333) + bytes)
                let read = try #require(try storage.frame(at: 333, before: 333 + bytes.count))
                #expect(read.frame.kind == kind && read.end == 333 + bytes.count)
                #expect(read.frame.sequence == record.sequence)
                #expect(read.frame.durable == record.durable && read.frame.digest == digest)
                #expect(read.frame.value == [21, 22] && read.frame.payload == [31, 32, 33])
                // At another place, truncated or with any bit flipped, it is not read.
                var faults: [Int] = []
                for offset in [332, 334] where try storage.frame(at: offset, before: 400) != nil {
                    faults.append(offset)
                }
                for end in 333..<(333 + bytes.count)
                where try storage.frame(at: 333, before: end) != nil { faults.append(end) }
                for bit in 0..<(8 * bytes.count) {
                    var corrupted = storage.bytes
                    corrupted[333 + bit / 8] ^= 1 << UInt8(bit % 8)
                    let other = MemoryJournalStorage(corrupted)
                    if try other.frame(at: 333, before: corrupted.count) != nil {
                        faults.append(bit)
                    }
                }
                #expect(faults == [])
            }
        }
    }

    // MARK: Searching later records

    /// Returns the durable sequence that the records report which follow some bytes without gaps.
    private func durable(after bytes: [UInt8], _ frames: [JournalFrame]) throws -> UInt64? {
        var bytes = bytes
        for frame in frames { bytes += try #require(frame.bytes(at: bytes.count)) }
        return try MemoryJournalStorage(bytes).durableSequence(
            reportedAfter: 0,
            before: bytes.count
        )
    }

    @Test func theLargestNumberOfAllLaterRecordsCounts() throws {
        let rows: [(before: [UInt8], reported: [UInt64], found: UInt64?)] = [
            ([0], [], nil), ([0], [0], 0), ([0], [5, 9, 2], 9),
            // The record at the place itself is not a later one.
            ([], [3], nil), ([], [3, 2], 2),
        ]
        for (before, reported, found) in rows {
            let frames = reported.map { frame(durable: $0, payload: [1, 2]) }
            #expect(try durable(after: before, frames) == found, "\(reported)")
        }
    }

    @Test func aRecordIsFoundAnywhereInAChunk() throws {
        let chunk = 65_536
        let last = chunk - JournalFrame.headLength
        // Zeros, and bytes that begin like a marker.
        for filler in [0, JournalFrame.marker[0]] {
            for index in [
                0, 1, last - 1, last, last + 1, chunk - 1, chunk, chunk + 1, 2 * last + 1,
            ] {
                let bytes = Array(repeating: filler, count: 1 + index)
                let record = frame(durable: 6, payload: Array(repeating: 0, count: 100))
                #expect(try durable(after: bytes, [record]) == 6, "\(filler), \(index)")
            }
        }
    }

    // MARK: Whole records in wrong places

    private let shape: HierarchyShape = [3]
    private let alone = ValidatedChangeSet.unchanged([3]).encodedWithoutShape()

    @Test func aStorageThatDoesNotStartWithABaseIsRejected() throws {
        let starts: [JournalFrame] = [
            frame(.update, value: alone), frame(.base, value: []), frame(.base, value: alone),
        ]
        let zeros: [[UInt8]] = [[0], Array(repeating: 0, count: 99)]
        for image in zeros + starts.compactMap({ $0.bytes(at: 0) }) {
            for cut in [JournalRecoveryPolicy.dropUnsynced, .truncateAtDamage] {
                let storage = MemoryJournalStorage(image)
                let error = failure(of: try UpdateJournal(opening: storage, cutting: cut))
                #expect(error?.code == .noBase && error?.offset == 0 && storage.bytes == image)
            }
        }
    }

    @Test func wholeRecordsThatDoNotFitAreDamage() throws {
        let elsewhere = ValidatedChangeSet.unchanged([4]).encodedWithoutShape()
        let rows: [(last: UInt64, frame: JournalFrame, reason: String)] = [
            (2, frame(.base, 3, durable: 0, value: shape.encoded()), "record 3 follows record 2"),
            (2, frame(.update, 2, durable: 0, value: alone), "record 2 follows record 2"),
            (2, frame(.update, 4, durable: 0, value: alone), "record 4 follows record 2"),
            (2, frame(.update, 3, durable: 0, value: elsewhere), "record 3 does not continue"),
            (.max, frame(.update, 0, durable: 0, value: alone), "record 0 follows record 18446744"),
        ]
        for (last, frame, reason) in rows {
            let storage = MemoryJournalStorage()
            let base = JournalBase(sequence: last - 1, shape: shape)
            let journal = try UpdateJournal(creatingIn: storage, base: base, syncing: .every(9))
            try journal.append(.unchanged(shape))
            let end = storage.byteCount()
            storage.append(try #require(frame.bytes(at: end)))
            let image = storage.bytes
            for cut in [JournalRecoveryPolicy.nothing, .dropUnsynced] {
                let error = failure(of: try UpdateJournal(opening: storage, cutting: cut))
                #expect(error?.code == .damaged && error?.offset == end, "\(reason)")
                #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
                #expect(storage.bytes == image, "nothing was changed")
            }
            let saved = try UpdateJournal(opening: storage, cutting: .truncateAtDamage)
            #expect(saved.lastSequence == last && saved.recovery.condition == .damage, "\(reason)")
        }
    }
}
