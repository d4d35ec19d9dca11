import BrokerProcesses
import CollectionReplication
import Dispatch
import Glibc
import NATSJournal
import RedisJournal
import Synchronization
import Testing

@Suite(.serialized)
struct FaultTests {
    @Test(arguments: BrokerKind.allCases)
    func missingLogsAreReportedAndCanBeCreatedAgain(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture(kind)
        let log = AwaitedLog(try fixture.connect().log("board"))
        await expectMissing(log)
        try await log.create()
        try await log.fill(5)
        #expect(try await log.read(from: 1).records.count == 5)
        try BrokerOperator(try fixture.broker).deleteLog()
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
    func trimmingByAnOperatorMovesTheFirstPosition(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        try await log.fill(20)
        try BrokerOperator(try fixture.broker).trimLog(to: 4)
        let batch = try await log.read(from: 1)
        #expect(batch.start == 17)
        #expect(batch.first == 17)
        #expect(batch.last == 20)
        // A reader at the end also receives the new first position.
        let idle = try await log.read(from: 21, wait: .milliseconds(100))
        #expect(idle.first == 17)
        #expect(idle.last == 20)
    }

    @Test(arguments: BrokerKind.allCases)
    func killingTheBrokerDuringAppendsLosesAndDuplicatesNothing(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture.durable(kind)
        let log = try await fixture.log()
        var position: UInt64 = 0
        while position < 1_000 {
            if position == 400 {
                try fixture.broker.kill()
                try fixture.broker.start()
            }
            // Some appends are pending when the broker ends; the test retries each.
            let count = min(50, 1_000 - position)
            let answers = Answers<UInt64>()
            for offset in 0..<count {
                let next = position + offset
                log.log.append(record(next + 1), id: "r\(next + 1)", after: next) {
                    answers.add(next, $0)
                }
                if next == 225 || next == 725 {
                    try fixture.broker.kill()
                    try fixture.broker.start()
                }
            }
            try await answers.wait(for: Int(count))
            #expect(answers.duplicateKeys.isEmpty)
            for error in answers.failures {
                let codes: [LogError.Code] = [.unanswered, .unavailable, .conflict]
                #expect(codes.contains(error.code))
            }
            if !answers.failures.isEmpty { try await fixture.waitUntilConnected(log) }
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
    func waitingReadsFailOnRestartAndReadingContinues(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture.durable(kind)
        let log = try await fixture.log()
        try await log.fill(3)
        #expect(try await log.read(from: 1).records.count == 3)
        for round in UInt64(0)..<3 {
            async let waiting = failure {
                _ = try await log.read(from: 4 + round, wait: .seconds(30))
            }
            try await Task.sleep(for: .milliseconds(200))
            try fixture.broker.kill()
            try fixture.broker.start()
            let codes: [LogError.Code?] = [.unavailable, .unanswered]
            #expect(codes.contains(await waiting?.code))
            try await fixture.waitUntilConnected(log)
            try await log.fill(1, after: 3 + round)
            #expect(try await log.read(from: 4 + round).records == [record(4 + round)])
        }
    }

    @Test(arguments: BrokerKind.allCases)
    func restoringAnOlderStoreShowsAsASmallerLast(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture(kind)
        let log = try await fixture.log()
        try await log.fill(10)
        try fixture.broker.stop()
        try fixture.broker.copyStore()
        try fixture.broker.start()
        try await fixture.waitUntilConnected(log)
        try await log.fill(10, after: 10)
        #expect(try await log.read(from: 21, wait: .milliseconds(50)).last == 20)
        try fixture.broker.stop()
        try fixture.broker.restoreStore()
        try fixture.broker.start()
        try await fixture.waitUntilConnected(log)
        let batch = try await log.read(from: 21, wait: .milliseconds(300))
        #expect(batch.records.isEmpty)
        #expect(batch.last == 10)
        let error = await failure { _ = try await log.append([1], id: "r21", after: 20) }
        #expect(error?.code == .conflict)
        #expect(error?.last == 10)
        // A position that is used again holds another record.
        #expect(try await log.append([9], id: "other", after: 10) == 11)
        #expect(try await log.read(from: 11).records == [[9]])
    }

    @Test(arguments: BrokerKind.allCases)
    func frozenBrokersTimeOutAndLateAnswersAreIgnored(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture(kind)
        let connection = try fixture.connect(answerTimeout: .milliseconds(400))
        let log = AwaitedLog(try connection.log("board"))
        try await log.create()
        try await log.fill(3)
        try fixture.broker.freeze()
        let answers = Answers<UInt64>()
        for position in UInt64(3)..<13 {
            log.log.append(record(position + 1), id: "r\(position + 1)", after: position) {
                answers.add(position, $0)
            }
        }
        try await answers.wait(for: 10)
        #expect(answers.failures.map(\.code) == Array(repeating: .unanswered, count: 10))
        try fixture.broker.resume()
        try await fixture.waitUntilConnected(log)
        try await Task.sleep(for: .milliseconds(300))
        #expect(answers.count == 10)
        // The frozen broker may have executed some; each retry receives the first attempt's result.
        try await log.fill(10, after: 3)
        #expect(try await log.read(from: 1).records == (1...13).map(record))
    }

    @Test(arguments: BrokerKind.allCases)
    func callsFailWithoutABrokerAndSucceedOnceItStarts(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture(kind)
        try fixture.broker.kill()
        let log = AwaitedLog(try fixture.connect(answerTimeout: .seconds(2)).log("board"))
        for _ in 0..<3 {
            let error = await failure { try await log.create() }
            #expect(error?.code == .unavailable)
        }
        try fixture.broker.start()
        for _ in 0..<400 {
            if (try? await log.create()) != nil { break }
            try await Task.sleep(for: .milliseconds(25))
        }
        try await log.fill(2)
        #expect(try await log.read(from: 1).records.count == 2)
    }

    @Test(arguments: BrokerKind.allCases)
    func closingAConnectionAnswersEveryCallExactlyOnce(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture(kind)
        for delay in [0, 1, 5, 20] {
            let connection = try fixture.connect()
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
            #expect(answers.duplicateKeys.isEmpty)
            let codes = Set(answers.failures.map(\.code))
            #expect(codes.isSubset(of: [.unavailable, .unanswered]))
        }
    }

    @Test(arguments: BrokerKind.allCases)
    func droppedConnectionsReleaseTheirLogs(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture(kind)
        weak var dropped: AnyObject?
        do {
            // The log holds the only reference to its connection.
            let (port, name) = (try fixture.broker.port, "board")
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

/// The number of `SIGPIPE` signals received.
private let brokenPipes = Atomic(0)

/// Faults of servers and client libraries that adapters work around.
@Suite(.serialized)
struct LibraryFaultTests {
    /// NATS 2.9 crashes if a client requests a message of a stream that is being created.
    @Test(arguments: BrokerKind.allCases)
    func readingAStreamDuringItsCreationDoesNotCrashTheBroker(_ kind: BrokerKind) async throws {
        let fixture = try BrokerFixture(kind)
        let creators = try (0..<2).map { _ in try fixture.connect() }
        // Reads of a stream that does not exist yet take this long.
        let readers = try (0..<4).map { _ in
            try fixture.connect(answerTimeout: .milliseconds(500))
        }
        for round in 0..<6 {
            func logs(_ connections: [Connection]) throws -> [AwaitedLog] {
                try connections.map { AwaitedLog(try $0.log("board-\(round)")) }
            }
            let (new, read) = (try logs(creators), try logs(readers))
            try await withThrowingTaskGroup { group in
                for log in new { group.addTask { try await log.create() } }
                for (index, log) in read.enumerated() {
                    group.addTask {
                        for _ in 0..<8 {
                            for register in LogRegister.allCases {
                                _ = try? await log.read(register)
                            }
                            if index == 0 { _ = try? await log.read(from: 1, wait: .zero) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try #require(try fixture.broker.isRunning)
        }
    }

    @Test func natsStreamsWithoutDirectReadsAreReadable() async throws {
        let fixture = try BrokerFixture(.nats)
        try BrokerOperator(try fixture.broker).makeStreamWithoutDirectReads()
        let log = try await fixture.log()
        #expect(try await log.read(.lease) == nil)
        let revision = try await log.set([1, 2], in: .lease, expecting: nil)
        #expect(
            try await log.read(.lease) == LogRegisterValue(bytes: [1, 2], revision: revision)
        )
        try await log.put([3], at: 0, of: "s")
        #expect(try await log.chunk(at: 0, of: "s") == [3])
        #expect(try await log.chunk(at: 1, of: "s") == nil)
    }

    @Test func writingToAClosedRedisConnectionRaisesNoSignal() async throws {
        let fixture = try BrokerFixture(.redis)
        let log = try await fixture.log()
        let before = signal(SIGPIPE) { _ in brokenPipes.add(1, ordering: .relaxed) }
        defer { signal(SIGPIPE, before) }
        // A blocked handler stops the queue, so that a write detects the closed connection.
        let held = DispatchSemaphore(value: 0)
        let (answers, count) = (Answers<UInt64>(), 20_000)
        log.log.read(.lease) { _ in held.wait() }
        try await Task.sleep(for: .milliseconds(50))
        try fixture.broker.kill()
        let sending = Task.detached {
            for number in 0..<UInt64(count) {
                log.log.set([1], in: .lease, expecting: nil) { answers.add(number, $0) }
            }
        }
        // The first commands are written before the link reads.
        try await Task.sleep(for: .milliseconds(2))
        held.signal()
        await sending.value
        try await answers.wait(for: count)
        #expect(answers.failures.count == count)
        #expect(brokenPipes.load(ordering: .relaxed) == 0)
    }
}
