import CollectionPipeline
import PipelineTestSupport
import Synchronization
import Testing

@testable import pipeline_benchmarks

/// Every benchmark, with next to nothing to measure: what it did is told from counts.
@Suite struct BenchmarkRunTests {
    /// What a benchmark came to.
    private struct Run: Equatable, CustomStringConvertible {
        /// How many figures its value and its reference are made of; -1 without a reference.
        var samples: [Int] = []
        /// How many change sets there were of so many edits each.
        var sets: [Int: Int] = [:]
        /// What was given away on this thread, and the sum of what of that is a number.
        var consumed: [UInt64] = []

        var description: String {
            let list = sets.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return "\(samples), [\(list.joined(separator: ", "))], \(consumed)"
        }
    }

    /// Counts the edits of what is accepted.
    private final class EditCounter: PipelineObserver {
        private let counts = Mutex<[Int: Int]>([:])

        func observe(_ event: PipelineEvent) {
            guard event.kind == .accepted, let count = event.editCount else { return }
            counts.withLock { $0[count, default: 0] += 1 }
        }

        func take() -> [Int: Int] {
            counts.withLock { counts in
                defer { counts = [:] }
                return counts
            }
        }
    }

    /// One repetition of most, and 4 of what is quick; 5,000 items instead of a million.
    private static let scale = Scale(repetitionDivisor: 300, sizeDivisor: 200)

    /// How much one figure stands for, where that is not one thing.
    private static let perFigure: [String: Double] = [
        "element-at-path": 500, "path-of-element": 500, "iterate": 5_000, "initial-load": 5_000,
        "validate.1000": 32, "validate.many-sections": 32,
        // Measured with the two before it.
        "prepared.through.last": 0,
    ]

    @Test(.endsHangs)
    func everyBenchmarkMeasuresWhatItSays() throws {
        let observer = EditCounter()
        let bench = Workbench(Self.scale, observer: observer)
        for benchmark in Benchmark.all {
            let before = BlackHole.consumed
            let start = Stopwatch.wallNanoseconds
            guard let measurement = try benchmark.measure(bench) else {
                // Where nobody counts allocations or bytes.
                #expect([.allocations, .bytes].contains(benchmark.unit), "\(benchmark.name)")
                continue
            }
            let elapsed = Double(Stopwatch.wallNanoseconds - start)
            let after = BlackHole.consumed
            let run = Run(
                samples: [measurement.value.count, measurement.reference?.count ?? -1],
                sets: observer.take(),
                consumed: [after.count - before.count, after.sum &- before.sum]
            )
            #expect(run.description == Self.expected[benchmark.name], "\(benchmark.name)")
            expectPlausible(benchmark, measurement, elapsed)
        }
        try bench.clear()
    }

    /// No times can be longer than it took to find them, and no items larger than what all take together.
    private func expectPlausible(
        _ benchmark: Benchmark,
        _ measurement: Measurement,
        _ elapsed: Double
    ) {
        if benchmark.unit == .bytes { #expect(abs(measurement.value.median) < 256e6) }
        guard benchmark.unit == .nanoseconds else { return }
        let count = Self.perFigure[benchmark.name] ?? 1
        let total = measurement.value.sum + (measurement.reference?.sum ?? 0)
        #expect(total > 0, "\(benchmark.name)")
        #expect(total * count <= elapsed, "\(benchmark.name)")
    }

    /// As ``Run`` has it. A reload has an edit for each section; every seed is fixed, and so are the sums.
    private static let expected: [String: String] = [
        "change-set.growth": "[1, 1], [10: 102], [0, 0]",
        "change-set.copying-map": "[1, 1], [10: 2], [2, 20]",
        "change-set.single-insert": "[1, 1], [1: 2, 10: 2], [0, 0]",
        "change-set.allocations": "[1, -1], [10: 2], [0, 0]",
        "change-set.asks": "[1, -1], [10: 3], [0, 0]",
        "change-set.events": "[1, -1], [10: 3], [0, 0]",
        "element-at-path": "[1, 1], [], [2000, 0]",
        "element-at-path.allocations": "[1, -1], [], [500, 0]",
        "path-of-element": "[1, 1], [], [2000, 511260]",
        "path-of-element.allocations": "[1, -1], [], [501, 128262]",
        "path-of-element.first": "[1, -1], [10: 2], [2, 220]",
        "iterate": "[1, 1], [], [20008, 0]",
        "initial-load": "[1, -1], [10: 2], [0, 0]",
        "change-set.copying-map.many-sections": "[1, 1], [10: 2, 50: 1], [2, 100]",
        "change-set.named-sections": "[1, 1], [10: 4], [0, 0]",
        "map.build": "[1, 1], [], [4, 20000]",
        "map.memory": "[1, 1], [], [1, 10000]",
        "map.insert": "[4, -1], [], [5, 25015]",
        "map.insert.allocations": "[1, -1], [], [2, 10003]",
        "validate.1000": "[1, 1], [], [128, 15470]",
        "validate.100000": "[1, 1], [], [4, 500]",
        "validate.many-sections": "[1, 1], [], [128, 534]",
        "validate.allocations": "[1, -1], [], [2, 10]",
        "apply": "[1, 1], [10: 7], [0, 0]",
        "digest": "[1, 1], [10: 2], [0, 0]",
        "difference.same": "[1, 1], [], [4, 0]",
        "difference.append": "[1, 1], [], [4, 20]",
        "difference.prepend": "[1, 1], [], [4, 20]",
        "difference.rand1": "[1, 1], [], [4, 40]",
        "difference.dk": "[1, 1], [], [4, 440]",
        "difference.shuffle": "[1, 1], [], [4, 2844]",
        "difference.reverse": "[1, 1], [], [4, 2996]",
        "difference.same.standard-library": "[1, 1], [], [4, 0]",
        "difference.append.standard-library": "[1, 1], [], [4, 20]",
        "difference.prepend.standard-library": "[1, 1], [], [4, 20]",
        "difference.rand1.standard-library": "[1, 1], [], [4, 40]",
        "difference.sections.rand1": "[1, 1], [], [4, 80]",
        "difference.sections.cross": "[1, 1], [], [4, 1362]",
        "difference.sections.secs": "[1, 1], [], [4, 4004]",
        "difference.dragged-row.moves": "[1, 1], [], [0, 0]",
        "difference.shared-snapshot": "[1, 1], [], [4, 40]",
        "compose": "[1, 1], [], [64, 640]",
        "compose.missed": "[1, -1], [], [2, 188]",
        "compose.missed.memory": "[1, 1], [], [3, 3]",
        "rebase": "[1, 1], [], [4, 1020]",
        "encode": "[1, 1], [], [64, 320]",
        "encode.bytes": "[64, 64], [], [0, 0]",
        "publish.paused": "[1, 1], [], [275, 275]",
        "publish.paused.memory": "[1, 1], [], [6, 10]",
        "publish.resume": "[1, 1], [], [6, 408]",
        "publish.resume.bytes": "[1, 1], [], [4, 190]",
        "publish.windows": "[4, 4], [], [10, 40]",
        "replicate.take": "[4, 4], [], [10, 10]",
        "replicate.seal": "[4, 4], [], [5, 5]",
        "empty-change-set": "[4, 4], [0: 5, 10: 1], [0, 0]",
        "empty-change-set.back-to-back": "[1, 1], [0: 2, 10: 1], [0, 0]",
        "small-change-set": "[4, -1], [1: 5, 400: 1], [0, 0]",
        "measuring.two-workers": "[1, 1], [], [15, 16837435701503461504]",
        "measuring.two-threads": "[1, 1], [], [15, 16837435701503461504]",
        "controllers.memory": "[1, -1], [], [1, 500]",
        "controllers.threads": "[1, 1], [], [1, 600]",
        "layout.one-height": "[4, 4], [], [10, 900103]",
        "layout.one-height.allocations": "[1, -1], [], [2, 300055]",
        "layout.ten-rows": "[4, 4], [], [10, 909854]",
        "layout.prefix-sums": "[4, 1], [], [7, 1049743]",
        "layout.visible": "[4, 4], [], [10, 900738]",
        "layout.flow.prepare": "[1, 1], [], [4, 699988]",
        "view.scroll": "[9, 9], [], [0, 0]",
        "ranges.update": "[1, 1], [], [0, 0]",
        "ranges.scroll": "[1, 1], [], [0, 0]",
        "prepared.nodes": "[1, -1], [], [0, 0]",
        "prepared.main-lane": "[1, -1], [], [0, 0]",
        "prepared.scroll": "[1, 1], [], [0, 0]",
        "prepared.through.nodes": "[1, 1], [], [0, 0]",
        "prepared.through.alive": "[1, -1], [], [0, 0]",
        "prepared.through.last": "[10, 10], [], [0, 0]",
        "prepared.fling": "[1, -1], [], [0, 0]",
        "prepared.measured-first": "[1, 1], [], [0, 0]",
        "prepared.first-rows": "[1, 1], [], [0, 0]",
        "longest-block": "[1, 1], [10: 33], [0, 0]",
    ]
}
