import CollectionReplication
import Testing

@Suite(.serialized)
struct AppendTests {
    @Test(arguments: Substrate.allCases)
    func creatingAnExistingLogChangesNothing(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        try await log.fill(3)
        let revision = try await log.set([7], in: .lease, expecting: nil)
        try await log.put([1, 2], at: 0, of: "s")
        try await log.create()
        #expect(try await log.read(from: 1).records.count == 3)
        #expect(try await log.read(.lease) == LogRegisterValue(bytes: [7], revision: revision))
        #expect(try await log.chunk(at: 0, of: "s") == [1, 2])
    }

    @Test(arguments: Substrate.allCases)
    func wrongPositionsConflictAndRetriesReturnTheFirstResult(_ kind: Substrate)
        async throws
    {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        let early = await failure { _ = try await log.append([1], id: "early", after: 4) }
        #expect(early?.code == .conflict)
        #expect(early?.last == 0)
        try await log.fill(5)
        for wrong in [UInt64(0), 3, 4, 6, 1 << 40] {
            let error = await failure {
                _ = try await log.append([1], id: "x\(wrong)", after: wrong)
            }
            #expect(error?.code == .conflict)
            #expect(error?.last == 5)
        }
        #expect(try await log.append(record(1), id: "r1", after: 0) == 1)
        #expect(try await log.append(record(5), id: "r5", after: 4) == 5)
        let batch = try await log.read(from: 1)
        #expect(batch.records == (1...5).map(record))
        #expect(batch.last == 5)
    }

    @Test(arguments: Substrate.allCases)
    func concurrentAppendsKeepTheirOrder(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        let answers = Answers<UInt64>()
        for position in UInt64(0)..<5_000 {
            log.log.append(record(position + 1), id: "\(position)", after: position) {
                answers.add(position, $0)
            }
        }
        try await answers.wait(for: 5_000)
        #expect(answers.failures.isEmpty)
        // Answers arrive in order, too.
        #expect(answers.keys == Array(0..<5_000))
        #expect(answers.values == (1...5_000).map { UInt64($0) })
        var next: UInt64 = 1
        while next <= 5_000 {
            let batch = try await log.read(from: next)
            #expect(batch.start == next)
            try #require(!batch.records.isEmpty)
            for bytes in batch.records {
                #expect(bytes == record(next))
                next += 1
            }
        }
    }

    @Test(arguments: Substrate.allCases)
    func twoWritersNeverShareAPosition(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let one = try await fixture.log()
        let two = try await fixture.log()
        let wins = try await withThrowingTaskGroup(of: Int.self) { group in
            for (number, log) in [one, two].enumerated() {
                group.addTask {
                    var wins = 0
                    var position: UInt64 = 0
                    while position < 200 {
                        do {
                            position = try await log.append(
                                [UInt8(number)],
                                id: "\(number).\(position)",
                                after: position
                            )
                            wins += 1
                        } catch let error as LogError where error.code == .conflict {
                            position = error.last ?? position
                        }
                    }
                    return wins
                }
            }
            return try await group.reduce(0, +)
        }
        let last = try await one.read(from: 1, records: 1).last
        #expect(UInt64(wins) == last)
        #expect(try await one.read(from: 1, records: 1_000).records.count == Int(last))
    }

    @Test(arguments: Substrate.allCases)
    func largeRecordsAreStoredAndOversizedOnesAreRejected(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        let huge = [UInt8](repeating: 1, count: 9 << 20)
        let error = await failure { _ = try await log.append(huge, id: "huge", after: 0) }
        #expect(error?.code == .rejected)
        let large = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try await log.append(large, id: "large", after: 0) == 1)
        #expect(try await log.append([], id: "empty", after: 1) == 2)
        let batch = try await log.read(from: 1, bytes: 1 << 21)
        #expect(batch.records == [large, []])
    }

    @Test(arguments: Substrate.allCases)
    func sixteenCollectionsOnOneConnectionAreIndependent(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let connection = try fixture.connect()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                let log = AwaitedLog(try connection.log("list-\(number)_x"))
                group.addTask {
                    try await log.create()
                    for position in UInt64(0)..<50 {
                        let bytes = [UInt8(number), UInt8(position)]
                        _ = try await log.append(bytes, id: "\(position)", after: position)
                    }
                    let batch = try await log.read(from: 1)
                    #expect(batch.records == (0..<50).map { [UInt8(number), $0] })
                    _ = try await log.set([UInt8(number)], in: .head, expecting: nil)
                    #expect(try await log.read(.head)?.bytes == [UInt8(number)])
                }
            }
            try await group.waitForAll()
        }
    }
}

@Suite(.serialized)
struct ReadTests {
    @Test(arguments: Substrate.allCases)
    func readsRespectLimitsAndReturnAtLeastOneRecord(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        for position in UInt64(0)..<30 {
            let bytes = [UInt8](repeating: UInt8(position), count: 100)
            _ = try await log.append(bytes, id: "\(position)", after: position)
        }
        #expect(try await log.read(from: 1, records: 7).records.count == 7)
        #expect(try await log.read(from: 8, records: 1).records.count == 1)
        let few = try await log.read(from: 9, bytes: 350).records.count
        #expect((1...4).contains(few))
        #expect(try await log.read(from: 1, bytes: 1).records.count == 1)
        #expect(try await log.read(from: 30).records.count == 1)
    }

    @Test(arguments: Substrate.allCases)
    func readsFromAnyPositionReturnTheExistingRecords(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let writer = try await fixture.log()
        let empty = try await writer.read(from: 1, records: 1)
        #expect(empty.records.isEmpty && empty.last == 0)
        try await writer.fill(20)
        // Another log reads, because a consumer that was waiting may receive a record only after
        // its append was confirmed.
        let log = try await fixture.log()
        for start in [UInt64(1), 20, 7, 7, 3, 19, 1] {
            let batch = try await log.read(from: start)
            #expect(batch.start == start)
            #expect(batch.records == (start...20).map(record))
            #expect(batch.first == 1 && batch.last == 20)
            // A read of one record that does not wait uses a direct read.
            let one = try await log.read(from: start, records: 1, wait: .zero)
            #expect(one.start == start)
            #expect(one.records == [record(start)])
            #expect(one.first == 1 && one.last == 20)
        }
        let beyond = try await log.read(from: 21, records: 1)
        #expect(beyond.records.isEmpty && beyond.last == 20)
        try await log.purge(through: 5)
        let trimmed = try await log.read(from: 3, records: 1)
        #expect(trimmed.start == 6)
        #expect(trimmed.records == [record(6)])
        #expect(trimmed.first == 6)
    }

    @Test(arguments: Substrate.allCases)
    func readsWaitAtTheEndButNotBeyondIt(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        let empty = try await log.read(from: 1, wait: .milliseconds(100))
        #expect(empty.records.isEmpty)
        #expect(empty.first == 1 && empty.last == 0)
        try await log.fill(3)
        for _ in 0..<3 {
            let batch = try await log.read(from: 4, wait: .milliseconds(100))
            #expect(batch.records.isEmpty)
            #expect(batch.first == 1 && batch.last == 3)
        }
        // The reader still works after waits without records.
        for position in UInt64(3)..<8 {
            async let batch = log.read(from: position + 1, wait: .seconds(20))
            try await Task.sleep(for: .milliseconds(100))
            _ = try await log.append(record(position + 1), id: "n\(position)", after: position)
            let found = try await batch
            #expect(found.start == position + 1)
            #expect(found.records == [record(position + 1)])
            #expect(found.last == position + 1)
        }
        // If these reads waited, the test would exceed its time limit.
        for _ in 0..<10 {
            let batch = try await log.read(from: 100, wait: .seconds(600))
            #expect(batch.records.isEmpty)
            #expect(batch.last == 8)
        }
    }

    @Test(arguments: Substrate.allCases)
    func readsOfPurgedPositionsStartAtTheFirstRecord(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        let other = try await fixture.log()
        try await log.fill(30)
        #expect(try await log.read(from: 1, records: 5).records.count == 5)
        try await log.purge(through: 10)
        // Another member's purge has the same effect.
        try await other.purge(through: 20)
        for position in [UInt64(1), 6, 15, 20] {
            let batch = try await log.read(from: position)
            #expect(batch.start == 21)
            #expect(batch.first == 21)
            #expect(batch.last == 30)
            #expect(batch.records == (21...30).map(record))
        }
        // Positions stay, and purging removed or future positions does nothing.
        try await log.purge(through: 30)
        try await log.purge(through: 5)
        let none = try await log.read(from: 31, wait: .milliseconds(100))
        #expect(none.records.isEmpty)
        #expect(none.first == 31)
        #expect(none.last == 30)
        try await log.purge(through: 90)
        #expect(try await log.append(record(31), id: "r31", after: 30) == 31)
        #expect(try await log.read(from: 31).records == [record(31)])
        let late = try await log.read(from: 2)
        #expect(late.start == 31)
        #expect(late.records == [record(31)])
    }

    @Test(arguments: Substrate.allCases)
    func threeReadersFollowWhileRecordsAreAppended(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let writer = try await fixture.log()
        let readers = [writer, try await fixture.log(), try await fixture.log()]
        let count: UInt64 = 3_000
        try await withThrowingTaskGroup(of: Void.self) { group in
            for reader in readers {
                group.addTask {
                    var next: UInt64 = 1
                    while next <= count {
                        let batch = try await reader.read(
                            from: next,
                            records: 100,
                            wait: .seconds(5)
                        )
                        #expect(batch.start == next)
                        try #require(batch.last >= next + UInt64(batch.records.count) - 1)
                        for bytes in batch.records {
                            try #require(bytes == record(next))
                            next += 1
                        }
                    }
                }
            }
            group.addTask {
                let answers = Answers<UInt64>()
                for position in 0..<count {
                    writer.log.append(record(position + 1), id: "\(position)", after: position) {
                        answers.add(position, $0)
                    }
                    if position % 100 == 99 { try await answers.wait(for: Int(position) + 1) }
                }
                #expect(answers.failures.isEmpty)
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: Substrate.allCases)
    func concurrentReadsFromOnePositionAllReceiveTheRecord(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        try await log.fill(1)
        let answers = Answers<LogBatch>()
        let limit = LogReadLimit(records: 10, bytes: 1_000)
        for number in UInt64(0)..<4 {
            log.log.read(from: 2, limit: limit, wait: .seconds(10)) { answers.add(number, $0) }
        }
        try await Task.sleep(for: .milliseconds(200))
        try await log.fill(1, after: 1)
        try await answers.wait(for: 4)
        #expect(answers.failures.isEmpty)
        #expect(answers.values.map(\.records) == Array(repeating: [record(2)], count: 4))
        #expect(answers.duplicateKeys.isEmpty)
    }
}

@Suite(.serialized)
struct SnapshotAndRegisterTests {
    @Test(arguments: Substrate.allCases)
    func chunksAreReadAsTheyWereWritten(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
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
        // Chunks take no positions in the log.
        #expect(try await log.append([1], id: "1", after: 0) == 1)
    }

    @Test(arguments: Substrate.allCases)
    func earlierSnapshotsAreRemoved(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
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
    func invalidSnapshotNamesAreRejected(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        let names = ["", "a.b", "a*", ">", "a b", "ä", "a_b", String(repeating: "x", count: 101)]
        for name in names {
            let put = await failure { try await log.put([1], at: 0, of: name) }
            #expect(put?.code == .rejected)
            // A read of an invalid name may also return `nil`.
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
    func settingARegisterRequiresItsRevision(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
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
    func exactlyOneOfTwoConcurrentSettersWins(_ kind: Substrate) async throws {
        let fixture = try BrokerFixture(kind)
        let one = try await fixture.log()
        let two = try await fixture.log()
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
