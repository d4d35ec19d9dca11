import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// A seed in a report is worth something only as long as it gives the same as it did then. Who changes what
/// seeds give writes the new numbers here.
@Suite("What seeds have always given") struct KeptSeedTests {
    /// FNV-1a over the bytes of a text.
    private struct Digest {
        private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ text: String) {
            for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
    }

    @Test func aSeedGivesThePlanThatItAlwaysGave() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var digest = Digest()
        for seed: UInt64 in 0..<600 {
            let data = try encoder.encode(RunPlan(seed: seed))
            digest.add(String(decoding: data, as: UTF8.self))
        }
        #expect(digest.value == 8_855_728_026_447_734_915)
    }

    /// A script with lanes that enqueue on each other, forks, timers, pauses and faults.
    private func run(_ simulation: Simulation, _ digest: inout Digest) {
        let journal = Journal<String>()
        let lanes = (0..<4).map { simulation.makeLane(label: "lane \($0)") }
        for (index, lane) in lanes.enumerated() {
            for number in 0..<5 {
                lane.enqueue {
                    journal.append("\(index).\(number)")
                    if simulation.happens(.closes) { journal.append("fault") }
                    if number == 2 { simulation.yield() }
                    lanes[(index + 1) % 4].enqueue { journal.append("from \(index).\(number)") }
                }
            }
        }
        for number in 0..<2 {
            simulation.environment.fork(
                parts: 5,
                joinOn: lanes[number],
                body: { journal.append("part \(number).\($0)") },
                join: { journal.append("join \(number)") }
            )
            simulation.environment.schedule(
                after: .nanoseconds(9 - number),
                on: lanes[2]
            ) {
                let time = Int(simulation.now / .nanoseconds(1))
                journal.append("timer \(number) at \(time)")
            }
        }
        simulation.run()
        for text in journal.values { digest.add(text) }
        digest.add("\(simulation.choices) \(simulation.fingerprint) \(simulation.steps)")
    }

    static let strategies: [(SchedulingStrategy, UInt64)] = [
        (.inOrder, 1_456_490_694_167_187_630),
        (.random, 17_005_820_213_034_761_555),
        (.sticky(0.6), 9_493_444_897_476_313_522),
        (.prioritized(changes: 40), 13_286_900_275_941_795_779),
        (.delayBounded(60), 12_916_472_254_488_336_259),
        (.choices([1, 0, 2, 1, 1, 3]), 945_326_941_765_899_605),
    ]

    @Test(arguments: strategies)
    func aStrategySchedulesAsItAlwaysDid(_ strategy: SchedulingStrategy, _ kept: UInt64) {
        var digest = Digest()
        for seed: UInt64 in 0..<12 {
            let simulation = Simulation(
                seed: seed,
                strategy: strategy,
                faultRates: [.closes: 0.25]
            )
            run(simulation, &digest)
        }
        #expect(digest.value == kept, "\(strategy)")
    }

    /// Whole runs, with the steps that a pipeline takes in them.
    @Test func aPlanTakesTheStepsThatItAlwaysTook() {
        var digest = Digest()
        for seed: UInt64 in 0..<120 {
            let result = SimulatedRun.run(RunPlan(seed: seed))
            digest.add("\(result.fingerprint) \(result.steps) \(result.opportunities)")
            for (name, count) in result.marks.sorted(by: { $0.key < $1.key }) {
                digest.add("\(name) \(count)")
            }
        }
        #expect(digest.value == 4_476_675_915_950_555_674)
    }

    private enum Change: CaseIterable {
        case edit, lie, replaceSection, reconfigureSome, insertAtTop
    }

    @Test func aModelChangesAsItAlwaysDid() {
        var digest = Digest()
        for seed: UInt64 in 0..<60 {
            var random = SeededGenerator(seed: seed)
            let model = ReferenceModel(
                nodes: WatchedNodes(fates: Simulation(seed: 1)),
                sections: random.next(below: 5),
                items: random.next(below: 9)
            )
            if seed % 7 == 0 { model.isDiverged = { true } }
            for number in 0..<5 {
                let batch = OpenBatch(id: SubmissionID(rawValue: number))
                var changes = BatchRecorder(batch)
                switch Change.allCases[number == 0 ? 0 : random.next(below: 5)] {
                case .edit: model.edit(&random, &changes)
                case .lie: model.lie(&random, &changes)
                case .replaceSection:
                    digest.add("\(model.replaceSection(&random) ?? -1)")
                case .reconfigureSome: model.reconfigureSome(&random, &changes)
                case .insertAtTop: digest.add("\(model.insertAtTop() != nil)")
                }
                digest.add("\(batch.changes.operations)")
                for section in model.sections {
                    digest.add("\(section.id)")
                    for item in section.items { digest.add(" \(item.id).\(item.revision)") }
                }
            }
        }
        #expect(digest.value == 13_870_854_260_537_738_713)
    }
}
