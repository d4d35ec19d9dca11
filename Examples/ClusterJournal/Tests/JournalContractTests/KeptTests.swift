import CollectionReplication
import Testing

@Suite(.serialized)
struct KeptTests {
    @Test(arguments: Substrate.allCases)
    func chunksAreReadAsTheyWerePut(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        let sizes = [0, 1, 1_000, 64 << 10, 512 << 10]
        for (index, size) in sizes.enumerated() {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) }
            try await log.put(bytes, at: index, of: "handle-1")
            #expect(try await log.chunk(at: index, of: "handle-1") == bytes)
        }
        #expect(try await log.chunk(at: sizes.count, of: "handle-1") == nil)
        #expect(try await log.chunk(at: 0, of: "handle-2") == nil)
        try await log.put([9], at: 0, of: "handle-1")
        #expect(try await log.chunk(at: 0, of: "handle-1") == [9])
        // Nothing of it is a record.
        #expect(try await log.append([1], id: "1", after: 0) == 1)
    }

    @Test(arguments: Substrate.allCases)
    func earlierSnapshotsAreRemoved(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        let revision = try await log.set([1], in: .head, expecting: nil)
        let names = ["B", "a", "a-1", "b", String(repeating: "x", count: 100)]
        for name in names {
            for index in 0..<3 { try await log.put([UInt8(index)], at: index, of: name) }
        }
        try await log.removeSnapshots(before: "a-1")
        for name in names {
            for index in 0..<3 {
                let chunk = try await log.chunk(at: index, of: name)
                #expect(chunk == (["B", "a"].contains(name) ? nil : [UInt8(index)]))
            }
        }
        try await log.removeSnapshots(before: "y")
        try await log.removeSnapshots(before: "y")
        #expect(try await log.chunk(at: 0, of: "a-1") == nil)
        #expect(try await log.read(.head)?.revision == revision)
    }

    @Test(arguments: Substrate.allCases)
    func aNameOfASnapshotThatIsNoneIsRejected(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        let names = ["", "a.b", "a*", ">", "a b", "ä", "a_b", String(repeating: "x", count: 101)]
        for name in names {
            let put = await failure { try await log.put([1], at: 0, of: name) }
            #expect(put?.code == .rejected)
            // A read of such a part may also answer that there is none.
            let read = await failure {
                let chunk = try await log.chunk(at: 0, of: name)
                #expect(chunk == nil)
            }
            #expect(read == nil || read?.code == .rejected)
        }
        let index = await failure { try await log.put([1], at: -1, of: "a") }
        #expect(index?.code == .rejected)
    }

    @Test(arguments: Substrate.allCases)
    func aRegisterIsSetOnlyByWhoKnowsItsRevision(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        for register in LogRegister.allCases {
            #expect(try await log.read(register) == nil)
            let early = await failure { _ = try await log.set([1], in: register, expecting: 7) }
            #expect(early?.code == .conflict)
            let first = try await log.set([1], in: register, expecting: nil)
            var found = try await log.read(register)
            #expect(found == LogRegisterValue(bytes: [1], revision: first))
            let again = await failure { _ = try await log.set([2], in: register, expecting: nil) }
            #expect(again?.code == .conflict)
            let second = try await log.set([], in: register, expecting: first)
            #expect(second != first)
            let stale = await failure { _ = try await log.set([3], in: register, expecting: first) }
            #expect(stale?.code == .conflict)
            found = try await log.read(register)
            #expect(found == LogRegisterValue(bytes: [], revision: second))
        }
    }

    @Test(arguments: Substrate.allCases)
    func ofTwoWhoSetARegisterExactlyOneWins(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let one = try await setting.log()
        let two = try await setting.log()
        var revision: UInt64?
        for round in UInt8(0)..<100 {
            let expected = revision
            async let first = attempt(one, round, 1, expected)
            async let second = attempt(two, round, 2, expected)
            let outcomes = try await [first, second]
            let winners = outcomes.compactMap { $0 }
            #expect(winners.count == 1)
            revision = winners.first?.revision
            #expect(try await one.read(.lease) == winners.first)
        }
    }

    private func attempt(
        _ log: AwaitedLog,
        _ round: UInt8,
        _ who: UInt8,
        _ expected: UInt64?
    ) async throws -> LogRegisterValue? {
        do {
            let revision = try await log.set([round, who], in: .lease, expecting: expected)
            return LogRegisterValue(bytes: [round, who], revision: revision)
        } catch let error as LogError where error.code == .conflict {
            return nil
        }
    }
}
