import BrokerProcesses
import CollectionReplication
import NATSJournal
import RedisJournal
import Testing

@Suite(.serialized)
struct FaultTests {
    @Test(arguments: BrokerKind.allCases)
    func aLogThatWasNeverMadeOrIsDeletedIsMissingAndBeginsAnew(_ kind: BrokerKind) async throws {
        let setting = try Setting(kind)
        let log = AwaitedLog(try setting.connect().log("board"))
        await expectMissing(log)
        try await log.create()
        try await log.fill(5)
        #expect(try await log.read(from: 1).records.count == 5)
        try BrokerOperator(try setting.broker).deleteLog()
        await expectMissing(log)
        try await log.create()
        let idle = try await log.read(from: 6, wait: .milliseconds(100))
        #expect(idle.records.isEmpty)
        #expect(idle.last == 0)
        #expect(try await log.append([1], id: "new", after: 0) == 1)
        #expect(try await log.read(from: 1).records == [[1]])
    }

    private func expectMissing(_ log: AwaitedLog) async {
        let errors = [
            await failure { _ = try await log.append([1], id: "1", after: 0) },
            await failure { _ = try await log.read(from: 1, wait: .milliseconds(100)) },
            await failure { _ = try await log.read(from: 6, wait: .milliseconds(100)) },
            await failure { try await log.purge(through: 1) },
            await failure { try await log.put([1], at: 0, of: "s") },
            await failure { _ = try await log.chunk(at: 0, of: "s") },
            await failure { try await log.removeSnapshots(before: "a") },
            await failure { _ = try await log.read(.head) },
            await failure { _ = try await log.set([1], in: .head, expecting: nil) },
        ]
        #expect(errors.map { $0?.code } == Array(repeating: .missing, count: errors.count))
    }

    @Test(arguments: BrokerKind.allCases)
    func whatAnOperatorTrimsIsNoLongerTheFirst(_ kind: BrokerKind) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        try await log.fill(20)
        try BrokerOperator(try setting.broker).trimLog(to: 4)
        let batch = try await log.read(from: 1)
        #expect(batch.start == 17)
        #expect(batch.first == 17)
        #expect(batch.last == 20)
        // A reader that was up to date sees the end as it is.
        let idle = try await log.read(from: 21, wait: .milliseconds(100))
        #expect(idle.first == 17)
        #expect(idle.last == 20)
    }

    @Test(arguments: BrokerKind.allCases)
    func throughAKillInTheMiddleOfAppendsNothingIsLostOrDoubled(_ kind: BrokerKind) async throws {
        let setting = try Setting.durable(kind)
        let log = try await setting.log()
        var position: UInt64 = 0
        while position < 1_000 {
            if position == 400 {
                try setting.broker.kill()
                try setting.broker.start()
            }
            // Some are under way when the broker ends; each is attempted again until it is answered.
            let count = min(50, 1_000 - position)
            let answers = Answers<UInt64>()
            for offset in 0..<count {
                let next = position + offset
                log.log.append(record(next + 1), id: "r\(next + 1)", after: next) {
                    answers.add(next, $0)
                }
                if next == 225 || next == 725 {
                    try setting.broker.kill()
                    try setting.broker.start()
                }
            }
            try await answers.wait(for: Int(count))
            #expect(answers.doubled.isEmpty)
            for error in answers.failures {
                let codes: [LogError.Code] = [.unanswered, .unavailable, .conflict]
                #expect(codes.contains(error.code))
            }
            if !answers.failures.isEmpty { try await setting.settle(log) }
            try await log.fill(Int(count), after: position)
            position += count
        }
        var found: [[UInt8]] = []
        while found.count < 1_000 {
            let batch = try await log.read(from: UInt64(found.count) + 1)
            #expect(batch.start == UInt64(found.count) + 1)
            try #require(!batch.records.isEmpty)
            found += batch.records
        }
        #expect(found == (1...1_000).map(record))
    }

    @Test(arguments: BrokerKind.allCases)
    func aReadThatWaitsThroughARestartIsAnsweredAndReadingGoesOn(_ kind: BrokerKind) async throws {
        let setting = try Setting.durable(kind)
        let log = try await setting.log()
        try await log.fill(3)
        #expect(try await log.read(from: 1).records.count == 3)
        for round in UInt64(0)..<3 {
            async let waiting = failure {
                _ = try await log.read(from: 4 + round, wait: .seconds(30))
            }
            try await Task.sleep(for: .milliseconds(200))
            try setting.broker.kill()
            try setting.broker.start()
            let codes: [LogError.Code?] = [.unavailable, .unanswered]
            #expect(codes.contains(await waiting?.code))
            try await setting.settle(log)
            try await log.fill(1, after: 3 + round)
            #expect(try await log.read(from: 4 + round).records == [record(4 + round)])
        }
    }

    @Test(arguments: BrokerKind.allCases)
    func aStoreThatIsReplacedByAnOlderOneIsSeenAsASmallerLast(_ kind: BrokerKind) async throws {
        let setting = try Setting(kind)
        let log = try await setting.log()
        try await log.fill(10)
        try setting.broker.stop()
        try setting.broker.keepStore()
        try setting.broker.start()
        try await setting.settle(log)
        try await log.fill(10, after: 10)
        #expect(try await log.read(from: 21, wait: .milliseconds(50)).last == 20)
        try setting.broker.stop()
        try setting.broker.replaceStore()
        try setting.broker.start()
        try await setting.settle(log)
        let batch = try await log.read(from: 21, wait: .milliseconds(300))
        #expect(batch.records.isEmpty)
        #expect(batch.last == 10)
        let error = await failure { _ = try await log.append([1], id: "r21", after: 20) }
        #expect(error?.code == .conflict)
        #expect(error?.last == 10)
        // Positions that are used a second time hold other records.
        #expect(try await log.append([9], id: "other", after: 10) == 11)
        #expect(try await log.read(from: 11).records == [[9]])
    }

    @Test(arguments: BrokerKind.allCases)
    func aFrozenBrokerIsUnansweredAndLateAnswersDoNotCount(_ kind: BrokerKind) async throws {
        let setting = try Setting(kind)
        let connection = try setting.connect(answerTimeout: .milliseconds(400))
        let log = AwaitedLog(try connection.log("board"))
        try await log.create()
        try await log.fill(3)
        try setting.broker.freeze()
        let answers = Answers<UInt64>()
        for position in UInt64(3)..<13 {
            log.log.append(record(position + 1), id: "r\(position + 1)", after: position) {
                answers.add(position, $0)
            }
        }
        try await answers.wait(for: 10)
        #expect(answers.failures.map(\.code) == Array(repeating: .unanswered, count: 10))
        try setting.broker.resume()
        try await setting.settle(log)
        try await Task.sleep(for: .milliseconds(300))
        #expect(answers.count == 10)
        // Some may have been done; each attempt is answered as the first would have been.
        try await log.fill(10, after: 3)
        #expect(try await log.read(from: 1).records == (1...13).map(record))
    }

    @Test(arguments: BrokerKind.allCases)
    func withoutABrokerItIsUnavailableAndWorksWhenOneComes(_ kind: BrokerKind) async throws {
        let setting = try Setting(kind)
        try setting.broker.kill()
        let log = AwaitedLog(try setting.connect(answerTimeout: .seconds(2)).log("board"))
        for _ in 0..<3 {
            let error = await failure { try await log.create() }
            #expect(error?.code == .unavailable)
        }
        try setting.broker.start()
        for _ in 0..<400 {
            if (try? await log.create()) != nil { break }
            try await Task.sleep(for: .milliseconds(25))
        }
        try await log.fill(2)
        #expect(try await log.read(from: 1).records.count == 2)
    }

    @Test(arguments: BrokerKind.allCases)
    func aClosedConnectionAnswersEverythingExactlyOnce(_ kind: BrokerKind) async throws {
        let setting = try Setting(kind)
        for delay in [0, 1, 5, 20] {
            let connection = try setting.connect()
            let log = AwaitedLog(try connection.log("board-\(delay)"))
            try await log.create()
            let answers = Answers<Void>()
            let limit = LogReadLimit(records: 10, bytes: 1_000)
            for number in UInt64(0)..<3 {
                log.log.read(from: 1, limit: limit, wait: .seconds(600)) {
                    answers.add(10_000 + number, $0.map { _ in })
                }
            }
            for number in UInt64(0)..<500 {
                log.log.append([1], id: "\(number)", after: number) {
                    answers.add(number, $0.map { _ in })
                }
            }
            try await Task.sleep(for: .milliseconds(delay))
            connection.close()
            connection.close()
            log.log.append([1], id: "late", after: 500) { answers.add(20_000, $0.map { _ in }) }
            log.log.read(.head) { answers.add(20_001, $0.map { _ in }) }
            log.log.read(from: 1, limit: limit, wait: .seconds(600)) {
                answers.add(20_002, $0.map { _ in })
            }
            try await answers.wait(for: 506)
            try await Task.sleep(for: .milliseconds(50))
            #expect(answers.count == 506)
            #expect(answers.doubled.isEmpty)
            let codes = Set(answers.failures.map(\.code))
            #expect(codes.isSubset(of: [.unavailable, .unanswered]))
        }
    }

    @Test(arguments: BrokerKind.allCases)
    func aDroppedConnectionLetsGoOfEverything(_ kind: BrokerKind) async throws {
        let setting = try Setting(kind)
        weak var dropped: AnyObject?
        do {
            // Nobody else holds its connection.
            let (port, name) = (try setting.broker.port, "board")
            let nats = NATSOptions(servers: ["nats://127.0.0.1:\(port)"])
            let loose: any ReplicatedLog =
                switch kind {
                case .nats: try NATSConnection(nats).log(named: name)
                case .redis: try RedisConnection(RedisOptions(port: port)).log(named: name)
                }
            dropped = loose
            let log = AwaitedLog(loose)
            try await log.create()
            try await log.fill(3)
            _ = try await log.read(from: 1)
        }
        for _ in 0..<200 where dropped != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(dropped == nil)
    }
}
