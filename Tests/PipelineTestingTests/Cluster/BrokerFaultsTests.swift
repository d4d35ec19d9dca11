import CollectionElements
import CollectionReplication
import PipelineTestSupport
import PipelineTesting
import Testing

@Suite("What goes wrong with brokers", .endsHangs)
struct BrokerFaultsTests {
    /// What is seen of something over some seeds.
    private static func seen<Value: Hashable>(_ body: (UInt64) -> Value) -> Set<Value> {
        Set((0..<60).map(body))
    }

    // MARK: On the way

    @Test func whatIsLostIsNotDone() {
        let seen = Self.seen { seed in
            let scene = BrokerScene([.requestIsLost: 1], seed: seed)
            let answer = scene.append(1, after: 0)
            #expect(scene.records == [])
            return answer?.code
        }
        #expect(seen == [nil, .unanswered])
    }

    @Test func whatIsNotAnsweredIsDone() {
        let seen = Self.seen { seed in
            let scene = BrokerScene([.answerIsLost: 1], seed: seed)
            let answer = scene.append(1, after: 0)
            #expect(scene.records == [[1]])
            return answer?.code
        }
        #expect(seen == [nil, .unanswered])
    }

    @Test func appendsOfOneMemberNeverOvertakeEachOther() {
        let seen = Self.seen { seed in
            let scene = BrokerScene([.requestIsDelayed: 0.5], seed: seed)
            let other = scene.broker.makeLog(label: "other")
            let arrivals = Journal<String>()
            for number in 0..<4 {
                scene.log.append([UInt8(number)], id: "\(number)", after: UInt64(number)) { _ in
                    arrivals.append("\(number)")
                }
            }
            other.read(.head) { _ in arrivals.append("head") }
            scene.simulation.run()
            #expect(scene.records == [[0], [1], [2], [3]])
            #expect(arrivals.values.filter { $0 != "head" } == ["0", "1", "2", "3"])
            return arrivals.values
        }
        #expect(seen.count == 5, "others come anywhere in between")
    }

    @Test func delayedAnswersOvertakeEachOther() {
        let seen = Self.seen { seed in
            let scene = BrokerScene([.answerIsDelayed: 0.5], seed: seed)
            let answers = Journal<Int>()
            for number in 0..<3 {
                scene.log.append([UInt8(number)], id: "\(number)", after: UInt64(number)) { _ in
                    answers.append(number)
                }
            }
            scene.simulation.run()
            return answers.values
        }
        #expect(seen.count == 6)
    }

    @Test func whatComesTwiceIsAppendedOnceByWhomRemembers() {
        for seed in 0..<60 as Range<UInt64> {
            let scene = BrokerScene([.requestComesTwice: 1], seed: seed)
            #expect(scene.append(1, after: 0) == .success(1))
            #expect(scene.append(2, after: 1) == .success(2))
            #expect(scene.records == [[1], [2]])
        }
        let seen = Self.seen { seed in
            let scene = BrokerScene([.requestComesTwice: 1], seed: seed, rememberedAppends: 0)
            let answer = scene.append(1, after: 0)
            #expect(scene.records == [[1]])
            if case .failure(let error) = answer { #expect(error.last == 1) }
            return answer?.code
        }
        #expect(seen == [nil, .conflict], "its own record is in the way")
    }

    @Test func aRegisterThatIsSetTwiceIsInConflictWithItself() {
        let seen = Self.seen { seed in
            let scene = BrokerScene([.requestComesTwice: 1], seed: seed)
            let answer = scene.ask { scene.log.set([1], in: .lease, expecting: nil, $0) }
            let value = scene.ask { scene.log.read(.lease, $0) }
            #expect((try? value?.get())??.bytes == [1])
            return answer?.code
        }
        #expect(seen == [nil, .conflict])
    }

    @Test func whoIsCutOffComesBack() {
        let seen = Self.seen { seed in
            let scene = BrokerScene([.memberIsCutOff: 1], seed: seed)
            let answers = Journal<Int>()
            scene.log.append([1], id: "1", after: 0) { _ in answers.append(1) }
            for _ in 0..<4 { scene.simulation.step() }
            let isDone = scene.records == [[1]]
            scene.simulation.endFaults()
            scene.simulation.run()
            #expect(scene.ask { scene.log.read(.head, $0) } == .success(nil))
            return isDone
        }
        #expect(seen == [false, true])
    }

    // MARK: At the broker

    @Test func aBrokerThatIsDownComesUp() {
        let seen = Self.seen { seed in
            let scene = BrokerScene([.brokerIsDown: 0.5], seed: seed)
            let answer = scene.append(1, after: 0)
            scene.simulation.endFaults()
            scene.simulation.run()
            #expect(scene.append(2, after: answer == .success(1) ? 1 : 0)?.code == nil)
            return answer?.code
        }
        #expect(seen == [nil, .unavailable])
    }

    @Test func aStoreThatIsRolledBackHasWhatItHadOnce() {
        let seen = Self.seen { seed in
            let scene = BrokerScene([.storeIsRolledBack: 0.2], seed: seed)
            var regressions = 0
            var count = 0
            for number in 0..<20 {
                _ = scene.append(UInt8(number), after: UInt64(count))
                let records = scene.records ?? []
                if records.count <= count { regressions += 1 }
                count = records.count
                let bytes = records.map { $0[0] }
                #expect(bytes == bytes.sorted())
            }
            return regressions > 0
        }
        #expect(seen == [false, true])
    }

    @Test func aLogThatIsDeletedIsMissing() {
        let scene = BrokerScene([.logIsDeleted: 1])
        #expect(scene.append(1, after: 0)?.code == .missing)
        #expect(scene.broker.contents == nil)
        scene.simulation.endFaults()
        #expect(scene.ask { scene.log.create($0) }?.code == nil)
        #expect(scene.append(1, after: 0) == .success(1))
    }

    @Test func whatIsPurgedByAnOperatorIsSomeOrAllOfIt() {
        let seen = Self.seen { seed in
            let scene = BrokerScene([.recordsArePurged: 1], seed: seed)
            for number in 0..<4 { scene.broker.appendFromStranger([UInt8(number)]) }
            _ = scene.ask { scene.log.read(.head, $0) }
            return scene.records ?? []
        }
        #expect(seen == [[[1], [2], [3]], [[2], [3]], [[3]], []])
    }

    @Test func anyPartOfASnapshotMayBeLost() throws {
        let calm = BrokerScene([:])
        for (name, index) in [("a", 0), ("a", 1), ("b", 0)] {
            #expect(calm.ask { calm.log.put([1], at: index, of: name, $0) }?.code == nil)
        }
        let contents = calm.broker.contents
        let seen = Self.seen { seed in
            let scene = BrokerScene([.chunkIsLost: 1], seed: seed)
            scene.broker.restore(contents)
            scene.log.read(.head) { _ in }
            while scene.simulation.faultCounts.isEmpty { scene.simulation.step() }
            scene.simulation.endFaults()
            return [("a", 0), ("a", 1), ("b", 0)].map { name, index in
                let answer = scene.ask { scene.log.chunk(at: index, of: name, $0) }
                return answer == .success([1])
            }
        }
        #expect(seen == [[false, true, true], [true, false, true], [true, true, false]])
    }

    @Test func strangersAppendAnything() {
        let record = Array(0..<100 as Range<UInt8>)
        var kinds: Set<String> = []
        for seed in 0..<200 as Range<UInt64> {
            let scene = BrokerScene([.strangerAppends: 0.5], seed: seed, foreignRecords: [[7, 7]])
            var appended = 0
            for number in 0..<4 {
                let newest = UInt64(scene.records?.count ?? 0)
                let answer = scene.ask {
                    scene.log.append(record, id: "\(number)", after: newest, $0)
                }
                if answer?.code == nil { appended += 1 }
            }
            for found in scene.records ?? [] {
                let difference = zip(found, record).count { $0 != $1 }
                switch found {
                case record: break
                case [7, 7]: kinds.insert("foreign")
                case _ where found.count == 100 && difference == 1: kinds.insert("flipped")
                case _ where difference == 0: kinds.insert("cut short")
                default: kinds.insert("garbage")
                }
            }
            let copies = (scene.records ?? []).count { $0 == record }
            if copies > appended { kinds.insert("old") }
        }
        #expect(kinds == ["foreign", "flipped", "cut short", "garbage", "old"])
    }

    @Test func anExpectationMayBeIgnored() {
        let scene = BrokerScene([.expectationIsIgnored: 1])
        #expect(scene.append(1, after: 5) == .success(1))
        #expect(scene.append(2, after: 0) == .success(2))
        #expect(scene.records == [[1], [2]])
        #expect(scene.ask { scene.log.set([1], in: .head, expecting: 9, $0) }?.code == nil)
        #expect(scene.ask { scene.log.set([2], in: .head, expecting: nil, $0) }?.code == nil)
        scene.simulation.endFaults()
        #expect(scene.append(3, after: 0)?.code == .conflict)
        #expect(scene.ask { scene.log.set([3], in: .head, expecting: nil, $0) }?.code == .conflict)
    }

    @Test func whatWasAppendedMayBeForgotten() {
        let scene = BrokerScene([.appendsAreForgotten: 1])
        #expect(scene.append(1, after: 0) == .success(1))
        #expect(scene.append(1, after: 0)?.code == .conflict)
    }

    // MARK: All together

    /// A member that appends until it has appended so many, asking where it is whenever it does not know.
    private final class Appender: Sendable {
        private let log: MemoryLog
        private let state: Lock<(left: Int, answers: Int)>
        private let label: String

        init(_ log: MemoryLog, label: String, count: Int) {
            (self.log, self.label) = (log, label)
            state = Lock((count, 0))
        }

        var isDone: Bool { state.withLock { $0.left == 0 } }

        func goOn(_ position: UInt64 = 0) {
            let left = state.withLock { $0.left }
            guard left > 0 else { return }
            let record = Array("\(label) \(left)".utf8)
            log.append(record, id: "\(label) \(left)", after: position) { [self] result in
                switch result {
                case .success(let position):
                    state.withLock { $0.left -= 1 }
                    goOn(position)
                case .failure(let error) where error.code == .missing:
                    log.create { [self] _ in goOn() }
                case .failure(let error): goOn(error.last ?? 0)
                }
            }
        }
    }

    private static func runAll(seed: UInt64, _ strategy: SchedulingStrategy) -> (
        Simulation, [[UInt8]]?
    ) {
        let scene = BrokerScene(FaultPoint.brokerRates, seed: seed, strategy: strategy)
        let appenders = (0..<3).map { number in
            Appender(scene.broker.makeLog(label: "\(number)"), label: "\(number)", count: 20)
        }
        for appender in appenders { appender.goOn() }
        #expect(scene.simulation.run(atMost: 100_000))
        scene.broker.heal()
        // Whose answer was lost goes on by itself.
        for appender in appenders where !appender.isDone {
            appender.goOn()
            scene.simulation.run(atMost: 100_000)
            #expect(appender.isDone)
        }
        return (scene.simulation, scene.records)
    }

    @Test func everythingHappensAndComesAgain() {
        var counts: [FaultPoint: Int] = [:]
        for seed in 0..<100 as Range<UInt64> {
            let (first, records) = Self.runAll(seed: seed, .random)
            counts.merge(first.faultCounts) { $0 + $1 }
            let (second, same) = Self.runAll(seed: seed, .choices(first.choices))
            #expect(second.fingerprint == first.fingerprint)
            #expect(same == records)
        }
        #expect(Set(counts.keys) == Set(FaultPoint.brokerRates.keys))
    }

    @Test func onThreadsEverybodyIsDoneOnceItIsHealed() async {
        for seed in 0..<10 as Range<UInt64> {
            let environment = Substrate.jittered.makeStage(seed: seed).environment
            let broker = MemoryBroker(
                environment: environment,
                faults: BrokerFaults(seed: seed, longestDelay: .milliseconds(2))
            )
            let answers = Journal<Int>()
            let logs = (0..<3).map { broker.makeLog(label: "\($0)") }
            for number in 0..<30 {
                for log in logs {
                    log.append([UInt8(number)], id: "\(number)", after: 0) { _ in
                        answers.append(number)
                    }
                    log.read(from: 1, limit: .all, wait: .milliseconds(1)) { _ in
                        answers.append(100 + number)
                    }
                }
            }
            broker.heal()
            for log in logs {
                #expect(await code { log.create($0) } == nil)
                #expect(await code { log.read(from: 1, limit: .all, wait: .zero, $0) } == nil)
            }
            let most = answers.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }.values.max()
            #expect(most ?? 0 <= 3, "nobody is answered twice")
        }
    }

    @Test func aReadThatWaitsKeepsNoBroker() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        weak var released: MemoryBroker?
        weak var log: MemoryLog?
        do {
            let broker = MemoryBroker(environment: simulation.environment)
            let member = broker.makeLog(label: "member")
            (released, log) = (broker, member)
            member.create { _ in }
            member.read(from: 1, limit: .all, wait: .seconds(600)) { _ in }
            for _ in 0..<3 { simulation.step() }
            #expect(simulation.now == .zero)
            member.close()
        }
        #expect(released == nil)
        #expect(log == nil)
        simulation.run()
    }
}

extension Result where Failure == LogError {
    /// The code of its error; nil for none.
    fileprivate var code: LogError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}
