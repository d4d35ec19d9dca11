import CollectionElements
import CollectionReplication
import PipelineTestSupport
import PipelineTesting
import Testing

/// What `ReplicatedLog` says of logs, sentence by sentence.
@Suite("A log in memory", .endsHangs)
struct MemoryLogTests {
    private static func makeLog(
        _ substrate: Substrate,
        _ configuration: MemoryBrokerConfiguration = MemoryBrokerConfiguration()
    ) async throws -> (MemoryBroker, MemoryLog) {
        let environment = substrate.makeStage().environment
        let broker = MemoryBroker(environment: environment, configuration: configuration)
        let log = broker.makeLog(label: "member")
        try await ask { log.create($0) }
        return (broker, log)
    }

    @Test(arguments: Substrate.allCases)
    func nothingIsThereBeforeItIsMade(_ substrate: Substrate) async throws {
        let broker = MemoryBroker(environment: substrate.makeStage().environment)
        let log = broker.makeLog(label: "member")
        #expect(await code { log.append([1], id: "1", after: 0, $0) } == .missing)
        #expect(await code { log.read(from: 1, limit: .all, wait: .zero, $0) } == .missing)
        #expect(await code { log.purge(through: 1, $0) } == .missing)
        #expect(await code { log.put([1], at: 0, of: "a", $0) } == .missing)
        #expect(await code { log.chunk(at: 0, of: "a", $0) } == .missing)
        #expect(await code { log.removeSnapshots(before: "a", $0) } == .missing)
        #expect(await code { log.read(.head, $0) } == .missing)
        #expect(await code { log.set([], in: .head, expecting: nil, $0) } == .missing)
        #expect(broker.contents == nil)
        try await ask { log.create($0) }
        #expect(try await log.append(1, after: 0) == 1)
        try await ask { log.create($0) }
        #expect(broker.contents?.log == [[1]], "made already, and so it stays")
    }

    // MARK: Appending

    @Test(arguments: Substrate.allCases)
    func appendsNameTheNewestPositionAndTakeTheNext(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        #expect(try await log.append(10, after: 0) == 1)
        #expect(try await log.append(11, after: 1) == 2)
        for wrong in [0, 1, 3, UInt64.max] {
            do throws(LogError) {
                _ = try await log.append(12, after: wrong)
                Issue.record("appended after \(wrong)")
            } catch {
                #expect(error.code == .conflict)
                #expect(error.last == 2)
            }
        }
        #expect(broker.contents?.log == [[10], [11]])
    }

    @Test(arguments: Substrate.allCases)
    func severalAppendsMayBeUnderWay(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        let answers = Journal<Result<UInt64, LogError>>()
        for number in 0..<50 {
            log.append([UInt8(number)], id: "\(number)", after: UInt64(number)) {
                answers.append($0)
            }
        }
        #expect(await answers.values(count: 50) == (1...50).map { .success($0) })
        #expect(broker.contents?.log == (0..<50).map { [UInt8($0)] })
    }

    @Test(arguments: Substrate.allCases)
    func aSecondAttemptIsAnsweredAsTheFirst(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        _ = try await log.append(1, after: 0)
        _ = try await log.append(2, after: 1)
        #expect(try await log.append(1, after: 0) == 1)
        #expect(broker.contents?.log == [[1], [2]])
        #expect(await code { log.append([9], id: "9", after: 0, $0) } == .conflict)
        #expect(
            await code { log.append([9], id: "9", after: 0, $0) } == .conflict,
            "what was not appended is no duplicate"
        )
        broker.forgetAppends()
        #expect(await code { log.append([1], id: "1", after: 0, $0) } == .conflict)
    }

    @Test(arguments: [0, 1, 3])
    func soManyAppendsAreRemembered(_ count: Int) async throws {
        var configuration = MemoryBrokerConfiguration()
        configuration.rememberedAppends = count
        let (broker, log) = try await Self.makeLog(.dispatch, configuration)
        for number in 0..<5 { _ = try await log.append(UInt8(number), after: UInt64(number)) }
        for number in 0..<5 {
            let isKnown = number >= 5 - count
            let found = await code { answer in
                log.append([UInt8(number)], id: "\(number)", after: UInt64(number), answer)
            }
            #expect(found == (isKnown ? nil : .conflict), "\(number)")
        }
        #expect(broker.contents?.log.count == 5)
    }

    // MARK: Reading

    @Test(arguments: Substrate.allCases)
    func readsGiveWhatIsThereFromAPositionOn(_ substrate: Substrate) async throws {
        let (_, log) = try await Self.makeLog(substrate)
        for number in 0..<5 { _ = try await log.append(UInt8(number), after: UInt64(number)) }
        for position in 1...5 {
            for count in 0...6 {
                let limit = LogReadLimit(records: count, bytes: 1000)
                let batch = try await log.records(from: UInt64(position), limit)
                let expected = (position...5).prefix(max(1, count)).map { [UInt8($0 - 1)] }
                #expect(batch.records == expected)
                #expect(batch.start == UInt64(position))
                #expect(batch.first == 1)
                #expect(batch.last == 5)
            }
        }
        let few = try await log.records(from: 2, LogReadLimit(records: 10, bytes: 2))
        #expect(few.records == [[1], [2]], "as soon as there are so many bytes, no more comes")
        let one = try await log.records(from: 2, LogReadLimit(records: 10, bytes: -1))
        #expect(one.records == [[1]])
        #expect(await code { log.read(from: 0, limit: .all, wait: .zero, $0) } == .rejected)
    }

    // Not where time passes by itself as soon as nothing else happens.
    @Test(arguments: Substrate.threaded)
    func aReadWaitsForTheNextRecord(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        let other = broker.makeLog(label: "other")
        _ = try await log.append(1, after: 0)
        let answers = Journal<Result<LogBatch, LogError>>()
        other.read(from: 2, limit: .all, wait: .seconds(600)) { answers.append($0) }
        await other.settle()
        #expect(answers.count == 0)
        _ = try await log.append(2, after: 1)
        let batch = try await answers.values(count: 1)[0].get()
        #expect(batch == LogBatch(start: 2, records: [[2]], first: 1, last: 2))
    }

    @Test(arguments: Substrate.allCases)
    func aReadThatHasWaitedLongEnoughIsAnsweredWithNothing(_ substrate: Substrate) async throws {
        let (_, log) = try await Self.makeLog(substrate)
        let none = LogBatch(start: 1, records: [], first: 1, last: 0)
        for wait in [Duration.zero, .milliseconds(1), .seconds(-1)] {
            #expect(try await ask { log.read(from: 1, limit: .all, wait: wait, $0) } == none)
        }
    }

    @Test(arguments: Substrate.allCases)
    func aReadBehindTheEndIsAnsweredAtOnce(_ substrate: Substrate) async throws {
        let (_, log) = try await Self.makeLog(substrate)
        _ = try await log.append(1, after: 0)
        for position in [3, 4, UInt64.max] {
            let batch = try await ask {
                log.read(from: position, limit: .all, wait: .seconds(600), $0)
            }
            #expect(batch == LogBatch(start: position, records: [], first: 1, last: 1))
        }
    }

    // MARK: Purging

    @Test(arguments: Substrate.allCases)
    func whatIsPurgedIsGoneAndPositionsStay(_ substrate: Substrate) async throws {
        let (_, log) = try await Self.makeLog(substrate)
        for number in 0..<5 { _ = try await log.append(UInt8(number), after: UInt64(number)) }
        try await ask { log.purge(through: 2, $0) }
        var batch = try await log.records(from: 1)
        #expect(batch == LogBatch(start: 3, records: [[2], [3], [4]], first: 3, last: 5))
        try await ask { log.purge(through: 1, $0) }
        #expect(try await log.records(from: 1) == batch)
        try await ask { log.purge(through: .max, $0) }
        batch = try await log.records(from: 1)
        #expect(batch.records.isEmpty && batch.first == 6 && batch.last == 5)
        #expect(try await log.append(9, after: 5) == 6)
        #expect(try await log.records(from: 1).records == [[9]])
    }

    @Test func noMoreBytesAreKeptThanMayBe() async throws {
        var configuration = MemoryBrokerConfiguration()
        configuration.logByteLimit = 10
        configuration.recordByteLimit = 12
        let (broker, log) = try await Self.makeLog(.dispatch, configuration)
        for number in 0..<4 {
            let record = Array(repeating: UInt8(number), count: 4)
            _ = try await ask { log.append(record, id: "\(number)", after: UInt64(number), $0) }
        }
        #expect(broker.contents?.log.map { $0[0] } == [2, 3])
        let large = Array(repeating: UInt8(9), count: 12)
        #expect(try await ask { log.append(large, id: "9", after: 4, $0) } == 5)
        #expect(broker.contents?.log == [large], "the newest is kept in any case")
        #expect(await code { log.append(large + [9], id: "10", after: 5, $0) } == .rejected)
        #expect(await code { log.put(large + [9], at: 0, of: "a", $0) } == .rejected)
    }

    // MARK: Snapshots and registers

    @Test(arguments: Substrate.allCases)
    func partsOfSnapshotsAreKept(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        try await ask { log.put([1], at: 0, of: "a-1", $0) }
        try await ask { log.put([2], at: 1, of: "a-1", $0) }
        try await ask { log.put([3], at: 0, of: "B", $0) }
        try await ask { log.put([4], at: 1, of: "a-1", $0) }
        #expect(try await ask { log.chunk(at: 0, of: "a-1", $0) } == [1])
        #expect(try await ask { log.chunk(at: 1, of: "a-1", $0) } == [4])
        #expect(try await ask { log.chunk(at: 2, of: "a-1", $0) } == nil)
        #expect(try await ask { log.chunk(at: 0, of: "c", $0) } == nil)
        try await ask { log.removeSnapshots(before: "B", $0) }
        #expect(broker.contents?.snapshotNames == ["B", "a-1"])
        try await ask { log.removeSnapshots(before: "a-1", $0) }
        #expect(broker.contents?.snapshotNames == ["a-1"])
        #expect(try await ask { log.chunk(at: 0, of: "a-1", $0) } == [1])
        #expect(try await ask { log.chunk(at: 0, of: "B", $0) } == nil)
    }

    @Test(arguments: ["", "a b", "a/b", "ä", String(repeating: "a", count: 101)])
    func aNameIsOfLettersDigitsAndHyphens(_ name: String) async throws {
        let (_, log) = try await Self.makeLog(.dispatch)
        #expect(await code { log.put([1], at: 0, of: name, $0) } == .rejected)
        #expect(await code { log.put([1], at: -1, of: "a", $0) } == .rejected)
        let longest = String(repeating: "z", count: 100)
        #expect(await code { log.put([1], at: .max, of: longest, $0) } == nil)
    }

    @Test(arguments: Substrate.allCases)
    func aRegisterIsSetWhereItIsAsExpected(_ substrate: Substrate) async throws {
        let (_, log) = try await Self.makeLog(substrate)
        #expect(try await ask { log.read(.lease, $0) } == nil)
        #expect(await code { log.set([1], in: .lease, expecting: 0, $0) } == .conflict)
        let first = try await ask { log.set([1], in: .lease, expecting: nil, $0) }
        #expect(await code { log.set([2], in: .lease, expecting: nil, $0) } == .conflict)
        #expect(
            try await ask { log.read(.lease, $0) } == LogRegisterValue(bytes: [1], revision: first)
        )
        let second = try await ask { log.set([1], in: .lease, expecting: first, $0) }
        #expect(second != first, "the same bytes are another setting")
        #expect(await code { log.set([3], in: .lease, expecting: first, $0) } == .conflict)
        #expect(try await ask { log.read(.head, $0) } == nil, "each is by itself")
        let head = try await ask { log.set([7], in: .head, expecting: nil, $0) }
        #expect(head != second)
    }

    // MARK: Operators

    @Test(arguments: Substrate.allCases)
    func aStoppedBrokerSaysSoAndGoesOnWithWhatItHad(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        _ = try await log.append(1, after: 0)
        broker.stop()
        #expect(await code { log.append([2], id: "2", after: 1, $0) } == .unavailable)
        #expect(await code { log.create($0) } == .unavailable)
        #expect(
            await code { log.read(from: 1, limit: .all, wait: .seconds(600), $0) } == .unavailable
        )
        broker.start()
        #expect(try await log.append(2, after: 1) == 2)
        #expect(broker.contents?.log == [[1], [2]])
    }

    @Test(arguments: Substrate.threaded)
    func whoWaitsIsToldWhatBecomesOfTheLog(_ substrate: Substrate) async throws {
        for change in 0..<3 {
            let (broker, log) = try await Self.makeLog(substrate)
            let made = broker.contents
            _ = try await log.append(1, after: 0)
            let answers = Journal<Result<LogBatch, LogError>>()
            log.read(from: 2, limit: .all, wait: .seconds(600)) { answers.append($0) }
            _ = try await ask { log.read(.head, $0) }
            switch change {
            case 0: broker.stop()
            case 1: broker.restore(nil)
            default: broker.restore(made)
            }
            let answer = await answers.values(count: 1)[0]
            switch change {
            case 0: #expect(answer == .failure(.isStopped))
            case 1: #expect(answer == .failure(.isGone))
            default:
                #expect(
                    answer == .success(LogBatch(start: 2, records: [], first: 1, last: 0)),
                    "the log ends before it by now"
                )
            }
        }
    }

    @Test(arguments: Substrate.allCases)
    func aDeletedLogBeginsAnew(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        _ = try await log.append(1, after: 0)
        try await ask { log.put([1], at: 0, of: "a", $0) }
        _ = try await ask { log.set([1], in: .lease, expecting: nil, $0) }
        broker.restore(nil)
        #expect(await code { log.append([2], id: "2", after: 1, $0) } == .missing)
        try await ask { log.create($0) }
        #expect(try await ask { log.read(.lease, $0) } == nil)
        #expect(try await ask { log.chunk(at: 0, of: "a", $0) } == nil)
        #expect(try await log.append(1, after: 0) == 1, "nor is it remembered what was appended")
    }

    @Test(arguments: Substrate.allCases)
    func anOlderCopyHasWhatThereWasThen(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        _ = try await log.append(1, after: 0)
        let copy = broker.contents
        _ = try await log.append(2, after: 1)
        broker.restore(copy)
        #expect(await code { log.append([3], id: "3", after: 2, $0) } == .conflict)
        #expect(try await log.append(4, after: 1) == 2)
        #expect(broker.contents?.log == [[1], [4]])
        broker.appendFromStranger([5, 5])
        #expect(broker.contents?.log == [[1], [4], [5, 5]])
        #expect(await code { log.append([6], id: "6", after: 2, $0) } == .conflict)
    }

    // MARK: Connections

    @Test(arguments: Substrate.threaded)
    func whoIsCutOffIsNotAnswered(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        let other = broker.makeLog(label: "other")
        let answers = Journal<Result<UInt64, LogError>>()
        log.cutOff(.requests)
        log.append([1], id: "1", after: 0) { answers.append($0) }
        await log.settle()
        #expect(broker.contents?.log == [])
        log.mend()
        log.cutOff(.answers)
        log.append([2], id: "2", after: 0) { answers.append($0) }
        await log.settle()
        #expect(broker.contents?.log == [[2]], "it was done, and nobody says so")
        #expect(try await other.append(3, after: 1) == 2, "others are not cut off")
        broker.heal()
        #expect(try await log.append(4, after: 2) == 3)
        #expect(answers.count == 0)
    }

    @Test(arguments: Substrate.threaded)
    func aClosedConnectionIsNotAnswered(_ substrate: Substrate) async throws {
        let (broker, log) = try await Self.makeLog(substrate)
        let answers = Journal<String>()
        log.read(from: 1, limit: .all, wait: .seconds(600)) { _ in answers.append("read") }
        await log.settle()
        // What answers is held up, or the append could be answered before the connection is closed.
        let gate = Gate()
        defer { gate.open() }
        log.lanes.answers.enqueue { gate.pass() }
        log.append([1], id: "1", after: 0) { _ in answers.append("append") }
        log.close()
        gate.open()
        log.append([2], id: "2", after: 1) { _ in answers.append("late append") }
        await log.settle()
        #expect(broker.contents?.log == [[1]], "what was on its way may arrive")
        #expect(answers.values == [])
    }
}

extension MemoryLog {
    /// Returns when the requests so far have arrived, and the answers so far were given.
    fileprivate func settle() async {
        await suspend { resume in lanes.requests.enqueue { resume(()) } }
        await suspend { resume in lanes.answers.enqueue { resume(()) } }
    }
}

extension LogError {
    fileprivate static let isStopped = LogError(.unavailable, "the broker is stopped")
    fileprivate static let isGone = LogError(
        .missing,
        "there is no log: it was never made, or is deleted"
    )
}
