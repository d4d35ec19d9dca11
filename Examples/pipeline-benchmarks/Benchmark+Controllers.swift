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
        ) { _ in
            guard let start = Heap.bytesInUse else { return nil }
            let count = 1_000
            var fleet: ControllerFleet? = try ControllerFleet(count: count)
            let all = (Heap.bytesInUse ?? 0) - start
            let elements = fleet?.elements ?? []
            let ended = fleet?.ended
            fleet = nil
            try ended?.waitUntilGone()
            let array = elements.capacity * MemoryLayout<CollectionElement>.stride
            let elementsAlone = (Heap.bytesInUse ?? 0) - start - array
            BlackHole.consume(UInt(elements.count))
            return Measurement(Samples(exactly: Double(all - elementsAlone) / Double(count)))
        },
        Benchmark(
            "controllers.threads",
            "threads of the process with 1,000 controllers alive: over those with one; at most 3 a core"
                + " and 4 more",
            in: .threads,
            goal: .valueAtMost(Double(3 * ProcessInfo.processInfo.activeProcessorCount + 4))
        ) { _ in
            let one = try ControllerFleet(count: 1)
            guard let before = threadCount else { return nil }
            let fleet = try ControllerFleet(count: 1_000)
            guard let after = threadCount else { return nil }
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
