import CollectionReplication
import Testing

@Suite(.serialized)
struct ReadTests {
    @Test(arguments: Substrate.allCases)
    func limitsHoldAndAtLeastOneRecordIsGiven(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
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
    func aReadFromAnywhereGivesWhatIsThere(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        let empty = try await log.read(from: 1, records: 1)
        #expect(empty.records.isEmpty && empty.last == 0)
        try await log.fill(20)
        for start in [UInt64(1), 20, 7, 7, 3, 19, 1] {
            let batch = try await log.read(from: start)
            #expect(batch.start == start)
            #expect(batch.records == (start...20).map(record))
            #expect(batch.first == 1 && batch.last == 20)
            // One record is looked at directly.
            let one = try await log.read(from: start, records: 1)
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
    func atTheEndItWaitsForARecordAndBeyondItDoesNot(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        let empty = try await log.read(from: 1, wait: .milliseconds(100))
        #expect(empty.records.isEmpty)
        #expect(empty.first == 1 && empty.last == 0)
        try await log.fill(3)
        for _ in 0..<3 {
            let batch = try await log.read(from: 4, wait: .milliseconds(100))
            #expect(batch.records.isEmpty)
            #expect(batch.first == 1 && batch.last == 3)
        }
        // The place is still good.
        for position in UInt64(3)..<8 {
            async let batch = log.read(from: position + 1, wait: .seconds(20))
            try await Task.sleep(for: .milliseconds(100))
            _ = try await log.append(record(position + 1), id: "n\(position)", after: position)
            let found = try await batch
            #expect(found.start == position + 1)
            #expect(found.records == [record(position + 1)])
            #expect(found.last == position + 1)
        }
        // The test would end long after its limit if this waited.
        for _ in 0..<10 {
            let batch = try await log.read(from: 100, wait: .seconds(600))
            #expect(batch.records.isEmpty)
            #expect(batch.last == 8)
        }
    }

    @Test(arguments: Substrate.allCases)
    func behindAPurgeItAnswersFromTheFirstThatIsThere(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        let other = try await setting.log()
        try await log.fill(30)
        #expect(try await log.read(from: 1, records: 5).records.count == 5)
        try await log.purge(through: 10)
        // Also behind a purge by another member.
        try await other.purge(through: 20)
        for asked in [UInt64(1), 6, 15, 20] {
            let batch = try await log.read(from: asked)
            #expect(batch.start == 21)
            #expect(batch.first == 21)
            #expect(batch.last == 30)
            #expect(batch.records == (21...30).map(record))
        }
        // Positions stay as they are, even if nothing is left, and a purge of what was never there does nothing.
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
    func threeReadersFollowWhileRecordsFlow(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let writer = try await setting.log()
        let readers = [writer, try await setting.log(), try await setting.log()]
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
    func readsFromOnePlaceTogetherAreEachAnswered(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
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
        #expect(answers.doubled.isEmpty)
    }
}
