import CollectionElements
import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What a broker keeps at its limits, in which order it answers, and how long faults that last are in the way.
@Suite("A broker at its limits and after its faults", .endsHangs)
struct BrokerWayTests {
    private typealias Batch = Result<LogBatch, LogError>

    // MARK: Bytes

    /// The limit itself is still kept, whatever was removed before.
    @Test func exactlyAsManyBytesAreKeptAsMayBe() {
        var configuration = MemoryBrokerConfiguration()
        configuration.logByteLimit = 10
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let broker = MemoryBroker(
            environment: simulation.environment,
            configuration: configuration
        )
        broker.restore(BrokerContents())
        let steps = [(4, [4]), (6, [4, 6]), (0, [4, 6, 0]), (1, [6, 0, 1]), (3, [6, 0, 1, 3])]
        for (count, expected) in steps {
            broker.appendFromStranger(Array(repeating: 7, count: count))
            #expect(broker.contents?.log.map(\.count) == expected)
        }
        broker.purge(through: 2)
        for count in [5, 1] { broker.appendFromStranger(Array(repeating: 8, count: count)) }
        #expect(
            broker.contents?.log.map(\.count) == [0, 1, 3, 5, 1],
            "what is purged counts no more"
        )
        broker.appendFromStranger([9])
        #expect(broker.contents?.log.map(\.count) == [3, 5, 1, 1])
    }

    // MARK: Reads that wait

    @Test func whoWaitsIsAnsweredInTheOrderOfTheReads() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let broker = MemoryBroker(environment: simulation.environment)
        broker.restore(BrokerContents())
        let logs = (0..<3).map { broker.makeLog(label: "\($0)") }
        let answers = Journal<Int>()
        // The second asks once more.
        for (number, member) in [2, 0, 1, 0].enumerated() {
            logs[member].read(from: 1, limit: .all, wait: .seconds(600)) { result in
                #expect((try? result.get())?.records == [[5]])
                answers.append(number)
            }
        }
        while broker.state.withLock({ $0.waiting.count }) < 4 { simulation.step() }
        #expect(answers.values == [])
        broker.appendFromStranger([5])
        simulation.run()
        #expect(answers.values == [0, 1, 2, 3])
    }

    // MARK: For a while

    /// A scene in which a fault has happened to a request, and none does any more.
    private static func after(_ fault: FaultPoint, seed: UInt64) -> BrokerScene {
        let scene = BrokerScene([fault: 1], seed: seed, strategy: .inOrder)
        scene.log.read(.head) { _ in }
        while scene.simulation.faultCounts.isEmpty { scene.simulation.step() }
        scene.simulation.endFaults()
        return scene
    }

    /// Whether what is asked for is done and answered.
    private static func isDone(_ scene: BrokerScene) -> Bool {
        scene.ask { scene.log.set([1], in: .lease, expecting: nil, $0) }?.isSuccess == true
    }

    @Test func whoIsCutOffMeanwhileStaysSoUntilItIsMended() {
        for seed in 0..<12 as Range<UInt64> {
            let scene = Self.after(.memberIsCutOff, seed: seed)
            scene.log.cutOff(.both)
            scene.simulation.run()
            #expect(!Self.isDone(scene), "the end of the fault is not that of the cut")
            #expect(scene.simulation.now > .zero)
            scene.log.mend()
            #expect(Self.isDone(scene))
        }
    }

    @Test func whoIsCutOffByAFaultComesBackByItself() {
        for seed in 0..<12 as Range<UInt64> {
            let scene = Self.after(.memberIsCutOff, seed: seed)
            scene.simulation.run()
            #expect(Self.isDone(scene))
        }
    }

    @Test func aBrokerThatIsStoppedMeanwhileStaysSoUntilItIsStarted() {
        for seed in 0..<12 as Range<UInt64> {
            let scene = Self.after(.brokerIsDown, seed: seed)
            scene.broker.stop()
            scene.simulation.run()
            #expect(!Self.isDone(scene))
            scene.broker.start()
            #expect(Self.isDone(scene))
        }
    }

    // MARK: Appends in a line

    /// However many appends are late, only the first of them waits for its time.
    @Test func aLineHasOneTimer() {
        for seed in 0..<10 as Range<UInt64> {
            let scene = BrokerScene([.requestIsDelayed: 1], seed: seed, strategy: .inOrder)
            let count = 12
            for number in 0..<count {
                let position = UInt64(number)
                scene.log.append([UInt8(number)], id: "\(number)", after: position) { _ in }
            }
            scene.simulation.run()
            #expect(scene.records?.count == count)
            // Each is sent, waits at most once, and is answered.
            #expect(scene.simulation.steps <= 3 * count)
            #expect(scene.simulation.steps > 2 * count)
        }
    }

    // MARK: Strangers

    /// What strangers append, over many seeds, where they have seen some records and have foreign ones.
    private static func strange(_ seen: [[UInt8]], _ foreign: [[UInt8]]) -> [[UInt8]] {
        (0..<1000 as Range<UInt64>).map { seed in
            let scene = BrokerScene(
                [.strangerAppends: 1],
                seed: seed,
                strategy: .inOrder,
                foreignRecords: foreign
            )
            scene.broker.state.withLock { $0.seen = seen }
            scene.ask { scene.log.read(.head, $0) }
            #expect(scene.records?.count == 1)
            return scene.records?.first ?? []
        }
    }

    @Test func strangersAppendEachKindAboutAsOften() {
        let found = Self.strange([[0, 0]], [[9, 9, 9], [8, 8, 8]])
        let counts = found.reduce(into: [:] as [[UInt8]: Int]) { $0[$1, default: 0] += 1 }
        // Any bit of it, and only one.
        let flipped = (0..<16).map { bit in
            var bytes: [UInt8] = [0, 0]
            bytes[bit / 8] = 1 << (bit % 8)
            return counts[bytes] ?? 0
        }
        #expect(flipped.allSatisfy { $0 > 0 })
        #expect((150...250).contains(flipped.reduce(0, +)))
        for foreign in [9, 8] as [UInt8] {
            #expect((70...130).contains(counts[[foreign, foreign, foreign]] ?? 0))
        }
        // All of it as it was, or cut short behind any byte.
        #expect((220...320).contains(counts[[0, 0]] ?? 0))
        #expect((40...100).contains(counts[[0]] ?? 0))
        #expect((40...100).contains(counts[[]] ?? 0))
        let longest = found.map(\.count).max() ?? 0
        #expect((190...200).contains(longest), "or bytes that are nothing")
    }

    @Test func whoHasSeenNothingAppendsBytesOrNothing() {
        let found = Self.strange([], [])
        let nothing = found.count { $0.isEmpty }
        #expect((750...850).contains(nothing))
        #expect(found.allSatisfy { $0.count <= 200 })
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
