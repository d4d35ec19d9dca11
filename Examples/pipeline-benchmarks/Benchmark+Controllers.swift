import CollectionPipeline
import Foundation

// What a controller costs by being there.

extension Benchmark {
    static let controllers: [Benchmark] = [
        Benchmark(
            "controllers.memory",
            "bytes for each of 1,000 controllers of 100 items, their elements not counted",
            in: .bytes,
            goal: .valueAtMost(8 * 1024)
        ) { bench in
            guard let mark = Heap.Mark() else { return nil }
            let count = bench.scale.controllers
            var fleet: ControllerFleet? = try ControllerFleet(count: count)
            let all = mark.growth
            let elements = fleet?.elements ?? []
            let ended = fleet?.ended
            fleet = nil
            try ended?.waitUntilGone()
            let kept = mark.growth
            BlackHole.consume(UInt(elements.count))
            let array = elements.capacity * MemoryLayout<CollectionElement>.stride
            let each = ControllerFleet.bytesEach(of: count, all: all, kept: kept, array: array)
            return Measurement(Samples(exactly: each))
        },
        Benchmark(
            "controllers.threads",
            "threads of the process with 1,000 controllers alive: over those with one; at most 3 a core"
                + " and 4 more",
            in: .threads,
            goal: .valueAtMost(Double(3 * ProcessInfo.processInfo.activeProcessorCount + 4))
        ) { bench in
            let one = try ControllerFleet(count: 1)
            let before = threadCount
            let fleet = try ControllerFleet(count: bench.scale.controllers)
            guard let before, let after = threadCount else { return nil }
            BlackHole.consume(UInt(one.elements.count + fleet.elements.count))
            return Measurement(
                Samples(exactly: Double(after)),
                over: Samples(exactly: Double(before))
            )
        },
    ]

    /// As Linux counts them.
    private static var threadCount: Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
}
