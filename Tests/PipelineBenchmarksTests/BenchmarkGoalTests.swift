import Foundation
import Testing

@testable import pipeline_benchmarks

/// What is claimed about costs; all else is only reported.
@Suite struct BenchmarkGoalTests {
    private static let goals: [String: Goal] = [
        "change-set.growth": .ratioAtMost(4),
        "change-set.allocations": .valueAtMost(110),
        "change-set.asks": .valueAtMost(24),
        "change-set.events": .valueAtMost(10),
        "change-set.copying-map": .ratioAtLeast(1_000),
        "change-set.copying-map.many-sections": .ratioAtLeast(100),
        "element-at-path": .ratioAtMost(20),
        "element-at-path.allocations": .valueAtMost(0),
        "path-of-element": .ratioAtMost(60),
        "path-of-element.allocations": .valueAtMost(0),
        "iterate": .ratioAtMost(3),
        "map.build": .ratioAtMost(2.5),
        "map.insert.allocations": .valueAtMost(10),
        "map.memory": .valueAtMost(160),
        "validate.1000": .ratioAtMost(3),
        "validate.100000": .ratioAtMost(3),
        "validate.many-sections": .ratioAtMost(3),
        "validate.allocations": .valueAtMost(12),
        "apply": .ratioAtMost(3), "digest": .ratioAtMost(0.1),
        "difference.same": .ratioAtLeast(100),
        "difference.append": .ratioAtLeast(100),
        "difference.prepend": .ratioAtLeast(100),
        "difference.rand1": .ratioAtLeast(45),
        "difference.dk": .ratioAtLeast(10),
        "difference.shuffle": .ratioAtLeast(1.2),
        "difference.reverse": .ratioAtLeast(1.2),
        "difference.same.standard-library": .ratioAtLeast(6),
        "difference.append.standard-library": .ratioAtLeast(15),
        "difference.prepend.standard-library": .ratioAtLeast(15),
        "difference.rand1.standard-library": .ratioAtLeast(60),
        "difference.sections.rand1": .ratioAtLeast(35),
        "difference.sections.cross": .ratioAtLeast(15),
        "difference.sections.secs": .ratioAtLeast(35),
        "difference.dragged-row.moves": .valueAtMost(1),
        "difference.shared-snapshot": .ratioAtMost(4),
        "compose": .ratioAtMost(4),
        "compose.missed": .valueAtMost(500),
        "compose.missed.memory": .ratioAtMost(3),
        "rebase": .valueAtMost(50e6),
        "encode": .ratioAtMost(5),
        "encode.bytes": .valueAtMost(10),
        "publish.paused": .ratioAtMost(1.05),
        "publish.paused.memory": .valueAtMost(256),
        "publish.resume": .valueAtMost(5e6),
        "publish.resume.bytes": .ratioAtMost(1.2),
        "publish.windows": .valueAtMost(50e3),
        "replicate.take": .ratioAtMost(3),
        "replicate.seal": .ratioAtMost(2),
        "empty-change-set": .ratioAtMost(2),
        "measuring.two-workers": .ratioAtLeast(1.85),
        "controllers.memory": .valueAtMost(8_192),
        "controllers.threads": .valueAtMost(
            Double(4 + 3 * ProcessInfo.processInfo.activeProcessorCount)
        ),
        "layout.one-height.allocations": .valueAtMost(36),
        "layout.one-height": .ratioAtMost(4),
        "layout.ten-rows": .ratioAtMost(4),
        "layout.prefix-sums": .ratioAtLeast(1_000),
        "layout.visible": .ratioAtMost(4),
        "layout.flow.prepare": .ratioAtMost(4),
        "view.scroll": .ratioAtMost(2),
        "ranges.update": .ratioAtMost(2), "ranges.scroll": .ratioAtMost(2),
        "prepared.nodes": .valueAtMost(10), "prepared.main-lane": .valueAtMost(0),
        "prepared.scroll": .ratioAtMost(1.5), "prepared.through.nodes": .ratioAtMost(1),
        "prepared.through.alive": .valueAtMost(10), "prepared.through.last": .ratioAtMost(1.1),
        "prepared.fling": .valueAtMost(0), "prepared.measured-first": .ratioAtLeast(1_000),
    ]

    @Test func everyGoalIsTheOneThatIsClaimed() {
        let stated = Benchmark.all.compactMap { benchmark in
            benchmark.goal.map { (benchmark.name, $0) }
        }
        #expect(Dictionary(uniqueKeysWithValues: stated) == Self.goals)
    }

    @Test func figuresAreTimesUnlessTheirNameSaysOtherwise() {
        for benchmark in Benchmark.all {
            let unit: Benchmark.Unit =
                switch benchmark.name.split(separator: ".").last {
                case "allocations": .allocations
                case "asks": .asks
                case "events": .events
                case "bytes", "memory": .bytes
                case "moves": .moves
                case "threads": .threads
                case "nodes" where benchmark.name.contains("through"): .nodes
                case "nodes", "alive": .viewports
                case "measured-first": .nodes
                case "fling": .frames
                case "main-lane": .sections
                default: .nanoseconds
                }
            #expect(benchmark.unit == unit, "\(benchmark.name)")
        }
    }

    @Test func aFullRunIsAsLargeAsTitlesSay() {
        for scale in [Scale.full, .quick] {
            #expect(scale.million == .init(10, 100_000))
            #expect(scale.million.numberOfItems == 1_000_000)
            #expect(scale.manySections == .init(10_000, 100))
            #expect(scale.manySmallSections == .init(10_000, 10))
            #expect(scale.lookUps == 100_000)
            #expect(scale.controllers == 1_000)
            #expect(scale.nodes == 10_000)
            #expect(scale.identifiers == 100_000)
            #expect(scale.missed == 1_000_000)
            #expect(scale.rows == 1_000_000)
        }
        #expect(Scale.thousand == .init(10, 100) && Scale.ordinary == .init(400, 10))
        #expect(Scale.full.count(.thousand) * 8 == 10_000)
    }

    @Test func quickRunsRepeatAThirdAsOften() {
        for repetitions in [Repetitions.few, .dozens, .hundreds, .thousand] {
            #expect(Scale.full.count(repetitions) == repetitions.rawValue)
            #expect(Scale.quick.count(repetitions) == repetitions.rawValue / 3)
            #expect(Scale(repetitionDivisor: 10_000).count(repetitions) == 1)
        }
        #expect(Scale(sizeDivisor: 200).million == .init(10, 500))
    }
}
