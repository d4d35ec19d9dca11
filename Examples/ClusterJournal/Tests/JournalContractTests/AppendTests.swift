import CollectionReplication
import Testing

@Suite(.serialized)
struct AppendTests {
    @Test(arguments: Substrate.allCases)
    func creatingALogThatIsThereChangesNothing(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        try await log.fill(3)
        let revision = try await log.set([7], in: .lease, expecting: nil)
        try await log.put([1, 2], at: 0, of: "s")
        try await log.create()
        #expect(try await log.read(from: 1).records.count == 3)
        #expect(try await log.read(.lease) == LogRegisterValue(bytes: [7], revision: revision))
        #expect(try await log.chunk(at: 0, of: "s") == [1, 2])
    }

    @Test(arguments: Substrate.allCases)
    func anotherPositionIsAConflictAndASecondAttemptIsAnsweredAsTheFirst(_ kind: Substrate)
        async throws
    {
        let setting = try Setting(kind)
        let log = try await setting.log()
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
    func appendsUnderWayTogetherKeepTheirOrder(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        let answers = Answers<UInt64>()
        for position in UInt64(0)..<5_000 {
            log.log.append(record(position + 1), id: "\(position)", after: position) {
                answers.add(position, $0)
            }
        }
        try await answers.wait(for: 5_000)
        #expect(answers.failures.isEmpty)
        // Told in the order too.
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
        let setting = try Setting(kind)
        let one = try await setting.log()
        let two = try await setting.log()
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
    func aLargeRecordIsKeptAndOneThatIsTooLargeIsRejected(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
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
    func sixteenCollectionsShareAConnectionAndNothingElse(_ kind: Substrate) async throws {
        let setting = try Setting(kind)
        let connection = try setting.connect()
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
