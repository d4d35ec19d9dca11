import CollectionPipeline
import Dispatch
import Foundation
import Synchronization

// Costs of idle controllers and of hops between lanes, and the distribution of measuring over
// workers.

extension Benchmark {
    static let controllers: [Benchmark] = [
        Benchmark(
            "empty-change-set",
            "an empty change set from submission to completion, after a rest of 200 µs in which threads"
                + " go to sleep: over the bare hops between its lanes",
            goal: .ratioAtMost(2)
        ) { bench in
            let view = ImmediateView()
            let controller = DataController(
                dataSource: CountsSource(Outline.thousand.counts, lifetime: DispatchGroup()),
                view: view
            )
            try controller.reload()
            let main = EmulatedMainLane()
            let editing = DispatchEnvironment().makeLane(label: "pipeline-benchmarks.editing")
            return bench.samples(.thousand) {
                nanosecondsOfTrip(from: controller.lane) { arrived in
                    // If the call throws, the completion is called nevertheless.
                    let list = controller.assumeIsolated()
                    _ = try? list.performBatchUpdates(completion: { _ in arrived() })
                }
            } over: {
                nanosecondsOfTrip(from: main) { arrived in
                    // To the editing lane and back, and a separate block for the completion.
                    editing.enqueue { main.enqueue { main.enqueue(arrived) } }
                }
            }
        },
        Benchmark(
            "measuring.two-workers",
            "10,000 nodes of 20 µs measured by two workers, with one worker as reference, wall time",
            goal: .ratioAtLeast(1.85)
        ) { bench in
            let load = SpinLoad(nanoseconds: 20_000)
            return try bench.samples(.few) {
                try nanosecondsOfMeasuring(10_000, load, workers: 2)
            } over: {
                try nanosecondsOfMeasuring(10_000, load, workers: 1)
            }
        },
        Benchmark(
            "controllers.memory",
            "bytes for each of 1,000 controllers of 100 items, their elements not counted",
            in: .bytes,
            goal: .valueAtMost(8 * 1024)
        ) { _ in
            guard let mark = Heap.Mark() else { return nil }
            var fleet: ControllerFleet? = try ControllerFleet(count: 1_000)
            let all = mark.growth
            let elements = fleet?.elements ?? []
            let ended = fleet?.ended
            fleet = nil
            try ended?.waitUntilGone()
            // The elements and an array of them remain.
            let kept = mark.growth
            BlackHole.consume(elements.count)
            let array = elements.capacity * MemoryLayout<CollectionElement>.stride
            return Measurement(exactly: (all - (kept - Double(array))) / 1_000)
        },
        Benchmark(
            "controllers.threads",
            "threads of the process with 1,000 controllers alive: over those with one; at most 3 a core"
                + " and 4 more",
            in: .threads,
            goal: .valueAtMost(Double(3 * ProcessInfo.processInfo.activeProcessorCount + 4))
        ) { _ in
            let one = try ControllerFleet(count: 1)
            let before = threadCount
            let fleet = try ControllerFleet(count: 1_000)
            guard let before, let after = threadCount else { return nil }
            BlackHole.consume(one.elements.count + fleet.elements.count)
            return Measurement(exactly: Double(after), over: Double(before))
        },
    ]

    /// The number of threads as Linux counts them.
    private static var threadCount: Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    /// Measures the wall time of a trip from a lane and back to it, after threads had time to go to
    /// sleep. The thread that waits takes no part in it.
    ///
    /// - Parameter depart: called on the lane; it must call its argument on the lane again.
    private static func nanosecondsOfTrip(
        from lane: any Lane,
        _ depart: @escaping @Sendable (_ arrived: @escaping @Sendable () -> Void) -> Void
    ) -> Double {
        usleep(200)
        let time = Tally()
        let done = DispatchSemaphore(value: 0)
        lane.enqueue {
            let start = Stopwatch.wallNanoseconds
            depart {
                time.add(Int(Stopwatch.wallNanoseconds - start))
                done.signal()
            }
        }
        done.wait()
        return Double(time.count)
    }

    /// Loads slow nodes, and returns how long measuring them took.
    private static func nanosecondsOfMeasuring(
        _ nodes: Int,
        _ load: SpinLoad,
        workers: Int
    ) throws -> Double {
        let observer = MeasuringObserver()
        let controller = DataController(
            dataSource: SpinningSource(count: nodes, load),
            environment: DispatchEnvironment(workerCount: workers),
            observer: observer
        )
        try controller.reload()
        guard observer.elements.count == nodes else {
            throw Failure("\(observer.elements.count) of \(nodes) nodes were measured")
        }
        return observer.duration.load(ordering: .acquiring) / .nanoseconds(1)
    }
}

/// Many small controllers, each with a main lane of its own, loaded and idle.
private final class ControllerFleet {
    private let controllers: [DataController<CountsSource>]
    /// Entered until all controllers are released.
    let ended: DispatchGroup

    init(count: Int) throws {
        let ended = DispatchGroup()
        self.ended = ended
        controllers = (0..<count).map { _ in
            DataController(dataSource: CountsSource([100], lifetime: ended))
        }
        // All loads run at the same time, so that they contend for threads.
        let outcomes = controllers.map { controller in
            let outcome = AwaitedOutcome()
            controller.enqueueBatchUpdates { _, changes in
                changes.reloadData()
            } completion: {
                outcome.note($0)
            }
            return outcome
        }
        for outcome in outcomes { try outcome.waitUntilDeployed() }
        // The block that called the completion may still be running.
        for controller in controllers { controller.lane.waitUntilIdle() }
    }

    var elements: [CollectionElement] {
        controllers.flatMap { $0.visibleMap.items.lazy.map(\.element) }
    }
}

private final class MeasuringObserver: PipelineObserver {
    let duration = Atomic<Duration>(.zero)
    let elements = Tally()

    func observe(_ event: PipelineEvent) {
        guard event.kind == .measuringFinished else { return }
        duration.store(event.duration ?? .zero, ordering: .releasing)
        elements.add(event.elementCount ?? 0)
    }
}

/// One section of nodes that are slow to measure.
private final class SpinningSource: CollectionDataSource {
    private let count: Int
    private let load: SpinLoad

    init(count: Int, _ load: SpinLoad) {
        self.count = count
        self.load = load
    }

    func numberOfItems(inSection section: Int) -> Int { count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [load] in Node(load: load) }
    }

    private final class Node: CollectionNode {
        private let load: SpinLoad

        init(load: SpinLoad) { self.load = load }

        func measure(in range: SizeRange) -> Size {
            load.run()
            return range.clamp(Size(width: 80, height: 1))
        }
    }
}

/// Work that keeps a processor busy for a given time, without touching memory.
///
/// It counts steps and reads no clock, so the time that a thread waits for a processor does not
/// count.
private struct SpinLoad: Sendable {
    private let steps: Int

    /// Measures how many steps this processor executes in the given time.
    init(nanoseconds: Double) {
        let trial = 200_000
        let times = (0..<15).map { _ in Stopwatch.threadNanoseconds { Self.spin(trial) } }
        steps = max(1, Int(nanoseconds / (Samples(times).median / Double(trial))))
    }

    func run() { Self.spin(steps) }

    private static func spin(_ steps: Int) {
        var value = UInt(truncatingIfNeeded: steps)
        // Each step needs the previous one, so neither compiler nor processor can run them in
        // parallel.
        for _ in 0..<steps {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        }
        BlackHole.consume(Int(truncatingIfNeeded: value))
    }
}
