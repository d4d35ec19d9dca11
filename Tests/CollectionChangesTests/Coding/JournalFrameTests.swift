import Testing

@testable import CollectionChanges

/// Records as they lie in a storage: each byte of theirs, and what is none.
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

    /// A head with a right checksum, whatever it says, of a body with a wrong one.
    private func head(
        kind: UInt8 = 1,
        flags: UInt8 = 0,
        length: UInt32 = 1,
        at offset: Int = 0
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(JournalFrame.marker)
        writer.byte(kind)
        writer.byte(flags)
        writer.fixed(UInt16(0))
        writer.fixed(length)
        writer.fixed(UInt64(5))
        writer.fixed(UInt64(4))
        writer.fixed(UInt32(0))
        let checksum = JournalFrame.checksum(ofHead: writer.bytes[...], at: offset)
        writer.fixed(checksum)
        return writer.bytes
    }

    private func isHead(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
        JournalFrame.Head(bytes[...], at: offset) != nil
    }

    // MARK: Bytes

    @Test func theBytesOfARecordAreTheDocumentedOnes() throws {
        let digest = StateDigest(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
        for kind in [JournalFrame.Kind.base, .update] {
            for digest in [nil, digest] {
                let frame = frame(
                    kind,
                    0x0807_0605_0403_0201,
                    durable: 0x1817_1615_1413_1211,
                    digest: digest,
                    value: [21, 22],
                    payload: [31, 32, 33]
                )
                let body: [UInt8] = (digest == nil ? [] : Array(0..<16)) + [2, 21, 22, 31, 32, 33]
                let bytes = try #require(frame.bytes(at: 77))
                let start: [UInt8] =
                    [0x43, 0x50, 0x4A, 0x31, kind.rawValue, digest == nil ? 0 : 1, 0, 0]
                    + [UInt8(body.count), 0, 0, 0] + Array(1...8) + Array(0x11...0x18)
                #expect(Array(bytes[..<28]) == start)
                #expect(Array(bytes[36...]) == body)
                let head = try #require(JournalFrame.Head(bytes[..<36], at: 77))
                #expect(head.kind == kind && head.hasDigest == (digest != nil))
                #expect(head.bodyLength == body.count && head.sequence == frame.sequence)
                #expect(head.durable == frame.durable)
                let read = try #require(JournalFrame(head, body: body))
                #expect(read.digest == digest && read.value == [21, 22])
                #expect(read.payload == [31, 32, 33])
                #expect(JournalFrame(head, body: body.reversed()) == nil)
            }
        }
    }

    @Test func aHeadIsOfAKnownKindWithAKnownFlag() {
        for value in UInt8.min...UInt8.max {
            #expect(isHead(head(kind: value)) == (1...2).contains(value), "\(value)")
            #expect(isHead(head(flags: value)) == (0...1).contains(value), "\(value)")
        }
    }

    @Test func aHeadHasThirtySixBytesAndItsPlace() {
        let bytes = head(at: 9)
        #expect(isHead(bytes, at: 9))
        #expect(!isHead(bytes, at: 8) && !isHead(bytes, at: 10))
        #expect(!isHead(bytes + [0], at: 9))
        for length in 0..<36 { #expect(!isHead(Array(bytes[..<length]), at: 9), "\(length)") }
    }

    @Test func aBodyHasAtMostAThousandMillionBytesOrSo() {
        let longest = UInt32(JournalFrame.longestBody)
        for length in [0, 1, longest - 1, longest] { #expect(isHead(head(length: length))) }
        for length in [longest + 1, .max] { #expect(!isHead(head(length: length))) }
    }

    // MARK: Looking for later records

    /// What the records say that lie behind some bytes, each at the end of those before.
    private func durable(
        behind bytes: [UInt8],
        _ frames: [JournalFrame],
        from offset: Int = 0
    ) throws -> UInt64? {
        var bytes = bytes
        for frame in frames { bytes += try #require(frame.bytes(at: bytes.count)) }
        return try MemoryJournalStorage(bytes)
            .durableSequence(saidAfter: offset, before: bytes.count)
    }

    @Test func ofAllLaterRecordsTheLargestNumberCounts() throws {
        #expect(try durable(behind: [0], []) == nil)
        #expect(try durable(behind: [0], [frame(durable: 0)]) == 0)
        #expect(try durable(behind: [0], [frame(durable: 1)]) == 1)
        let frames = [5, 9, 2].map { frame(durable: $0, payload: [1, 2]) }
        #expect(try durable(behind: [0], frames) == 9)
        // The record at the place itself is not a later one.
        #expect(try durable(behind: [], [frame(durable: 3)]) == nil)
        #expect(try durable(behind: [], [frame(durable: 3), frame(durable: 2)]) == 2)
    }

    @Test(arguments: [(0, true), (1, true), (2, true), (999, true), (1_000, false)])
    func aThousandHeadsWithoutABodyAreTheMostThatAreTried(_ count: Int, _ isFound: Bool) throws {
        var bytes: [UInt8] = [0]
        for _ in 0..<count { bytes += head(at: bytes.count) }
        #expect(try durable(behind: bytes, [frame(durable: 6)]) == (isFound ? 6 : nil))
    }

    @Test func aRecordIsFoundWhereverItLiesInWhatIsReadAtOnce() throws {
        let chunk = 65_536
        let last = chunk - JournalFrame.headLength
        for index in [last - 1, last, last + 1, chunk - 1, chunk, chunk + 1] {
            let filler = Array(repeating: UInt8(0), count: 1 + index)
            let record = frame(durable: 6, payload: Array(repeating: 0, count: 100))
            #expect(try durable(behind: filler, [record]) == 6, "\(index)")
        }
    }

    // MARK: Where a journal begins and ends

    @Test func whatDoesNotBeginWithABaseIsToldAtItsBeginning() throws {
        let shape: HierarchyShape = [3]
        let other = try HierarchyChangeSet().validated(from: shape, to: shape)
        let starts: [JournalFrame] = [
            frame(.update, value: shape.encoded()), frame(.base, value: []),
            frame(.base, value: other.encodedAlone()),
        ]
        let images =
            try [[0], [UInt8](repeating: 0, count: 99)]
            + starts.map {
                try #require($0.bytes(at: 0))
            }
        for image in images {
            let error = #expect(throws: JournalError.self) {
                try UpdateJournal(opening: MemoryJournalStorage(image))
            }
            #expect(error?.code == .noBase && error?.offset == 0)
        }
    }

    @Test func nothingFollowsTheLargestNumber() throws {
        let shape: HierarchyShape = [3]
        let storage = MemoryJournalStorage()
        let base = JournalBase(sequence: .max, shape: shape)
        _ = try UpdateJournal(creatingIn: storage, base: base)
        let value = try HierarchyChangeSet().validated(from: shape, to: shape).encodedAlone()
        let end = storage.byteCount()
        storage.append(try #require(frame(.update, 0, value: value).bytes(at: end)))
        let error = #expect(throws: JournalError.self) { try UpdateJournal(opening: storage) }
        #expect(error?.code == .damaged && error?.offset == end)
        let reason = "record 0 follows record 18446744073709551615"
        #expect(error?.message.contains(reason) == true)
    }
}
