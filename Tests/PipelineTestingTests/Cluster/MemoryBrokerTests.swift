import CollectionElements
import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What is chosen by chance has wide bounds here: that it is chosen, and about as often as it should be.
@Suite("A broker in memory and the way to it", .endsHangs)
struct MemoryBrokerTests {
    // MARK: Chances

    @Test func faultsHappenAsOftenAsTheirRatesSay() {
        for rate in [0, 0.1, 0.5, 0.9, 1] {
            let faults = BrokerFaults(seed: 3, rates: [.requestIsLost: rate])
            let count = (0..<2000).count { _ in faults.happens(.requestIsLost) }
            let expected = 2000 * rate
            let slack = rate == 0 || rate == 1 ? 0 : 100.0
            #expect(abs(Double(count) - expected) <= slack, "rate \(rate)")
            #expect(!faults.happens(.answerIsLost), "it has no rate")
            faults.end()
            #expect(!faults.happens(.requestIsLost))
        }
    }

    @Test func manyAppendsAreRememberedUnlessItIsSaidOtherwise() {
        let configuration = MemoryBrokerConfiguration()
        #expect(configuration.rememberedAppends == 1024)
        #expect(configuration.recordByteLimit == 1 << 20)
        #expect(configuration.logByteLimit == 1 << 28)
    }

    // MARK: Purging by itself

    @Test func whereThereIsNothingNothingIsPurged() {
        let scene = BrokerScene([.recordsArePurged: 1])
        for _ in 0..<3 { #expect(scene.ask { scene.log.read(.head, $0) } == .success(nil)) }
        let contents = scene.broker.contents
        #expect(contents?.first == 1 && contents?.last == 0)
        scene.broker.appendFromStranger([1])
        for _ in 0..<3 { #expect(scene.ask { scene.log.read(.head, $0) } == .success(nil)) }
        #expect(scene.broker.contents?.log == [])
        #expect(scene.broker.contents?.last == 1)
    }

    /// Of four records all are purged in half of the cases, and else one to four of them.
    @Test func aPartIsPurgedAboutAsOftenAsAllWhereverTheLogBegins() {
        for purged in [0, 60] as [UInt64] {
            var left: [Int: Int] = [:]
            for seed in 0..<240 as Range<UInt64> {
                let scene = BrokerScene(
                    [.recordsArePurged: 1],
                    seed: seed,
                    records: Int(purged) + 4
                )
                scene.broker.purge(through: purged)
                scene.ask { scene.log.read(.head, $0) }
                left[scene.broker.contents?.log.count ?? -1, default: 0] += 1
            }
            #expect(Set(left.keys) == [0, 1, 2, 3])
            for count in 1...3 { #expect((10...60).contains(left[count] ?? 0)) }
            #expect((110...190).contains(left[0] ?? 0))
        }
    }

    // MARK: Operating

    @Test func aBrokerThatIsHealedRuns() {
        let scene = BrokerScene([.requestIsLost: 1, .logIsDeleted: 1])
        scene.broker.stop()
        scene.log.cutOff(.both)
        #expect(scene.ask { scene.log.read(.head, $0) } != .success(nil))
        scene.broker.heal()
        #expect(scene.ask { scene.log.read(.head, $0) } == .success(nil))
        #expect(scene.ask { scene.log.append([1], id: "1", after: 0, $0) } == .success(1))
    }

    @Test func connectionsThatAreGoneAreNotKept() {
        let scene = BrokerScene([:])
        var logs: [MemoryLog] = []
        for number in 0..<4 { logs.append(scene.broker.makeLog(label: "\(number)")) }
        #expect(scene.broker.state.withLock { $0.connections.count } == 5)
        logs.removeAll()
        let last = scene.broker.makeLog(label: "last")
        let connections = scene.broker.state.withLock { $0.connections }
        #expect(connections.count == 2)
        #expect(connections.last?.log === last)
    }

    @Test func eachReadWaitsForItsOwnTime() {
        for strategy in [SchedulingStrategy.inOrder, .random] {
            let simulation = Simulation(seed: 1, strategy: strategy)
            let broker = MemoryBroker(environment: simulation.environment)
            broker.restore(BrokerContents())
            let waits = [30, 10, 20, 10, 40]
            let logs = waits.indices.map { broker.makeLog(label: "\($0)") }
            let answers = Journal<Int>()
            for (index, wait) in waits.enumerated() {
                logs[index].read(from: 1, limit: .all, wait: .milliseconds(wait)) { result in
                    let isEmpty = (try? result.get())?.records.isEmpty == true
                    #expect(isEmpty && simulation.now >= .milliseconds(wait))
                    answers.append(index)
                }
            }
            simulation.run()
            #expect(answers.values.sorted() == Array(waits.indices), "each once")
        }
    }

    // MARK: On the way

    @Test func nothingOvertakesWhereNothingIsDelayed() {
        for seed in 0..<60 as Range<UInt64> {
            let scene = BrokerScene([:], seed: seed)
            let answers = Journal<Int>()
            for number in 0..<6 {
                if number.isMultiple(of: 2) {
                    scene.log.read(.head) { _ in answers.append(number) }
                } else {
                    let position = UInt64(number / 2)
                    scene.log.append([UInt8(number)], id: "\(number)", after: position) { _ in
                        answers.append(number)
                    }
                }
            }
            scene.simulation.run()
            #expect(answers.values == Array(0..<6))
            #expect(scene.simulation.now == .zero)
        }
    }

    @Test func othersOvertakeAppendsAndAppendsOthers() {
        var seen: Set<[String]> = []
        for seed in 0..<60 as Range<UInt64> {
            let scene = BrokerScene([.requestIsDelayed: 0.5], seed: seed)
            let answers = Journal<String>()
            scene.log.append([1], id: "1", after: 0) { _ in answers.append("append") }
            scene.log.read(.head) { _ in answers.append("read") }
            scene.simulation.run()
            seen.insert(answers.values)
        }
        #expect(seen == [["append", "read"], ["read", "append"]])
    }

    @Test func whatIsDelayedTakesTime() {
        for seed in 0..<20 as Range<UInt64> {
            let scene = BrokerScene([.requestIsDelayed: 1], seed: seed)
            #expect(scene.ask { scene.log.append([1], id: "1", after: 0, $0) } == .success(1))
            let first = scene.simulation.now
            #expect(first > .zero && first <= .milliseconds(500))
            #expect(scene.ask { scene.log.read(.head, $0) } == .success(nil))
            #expect(scene.simulation.now > first)
        }
    }

    /// A register is set by the first and conflicts with it the second time, so that it is known which is answered.
    @Test func whatComesTwiceIsAnsweredByEitherAndComesAtOnceOrLater() {
        var (conflicts, later) = (0, 0)
        let count = 600
        for seed in 0..<UInt64(count) {
            let scene = BrokerScene([.requestComesTwice: 1], seed: seed, strategy: .inOrder)
            let answer = scene.ask { scene.log.set([1], in: .head, expecting: nil, $0) }
            if case .failure = answer { conflicts += 1 }
            if scene.simulation.now > .zero { later += 1 }
        }
        #expect((count * 42 / 100...count * 58 / 100).contains(conflicts))
        #expect((count / 4...count * 3 / 4).contains(later))
    }
}
