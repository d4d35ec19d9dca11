import CollectionPipeline
import Dispatch
import Synchronization

/// The emulated main lane with instruments: how long its work kept it busy.
///
/// What a block holds is released inside the measured time, because that too keeps a lane busy.
final class MeteredLane: Lane {
    private let lane: EmulatedMainLane
    private let times = Mutex(LaneTimes())

    init(label: String = "pipeline-benchmarks.main") { lane = EmulatedMainLane(label: label) }

    var label: String { lane.label }

    var isCurrent: Bool { lane.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let box = WorkBox(work)
        lane.enqueue { [self] in
            let allocations = Heap.allocationCount ?? 0
            let wall = Stopwatch.wallNanoseconds
            let start = Stopwatch.threadNanoseconds
            box.run()
            let end = Stopwatch.threadNanoseconds
            let wallEnd = Stopwatch.wallNanoseconds
            let allocationsEnd = Heap.allocationCount ?? 0
            times.withLock { times in
                times.nanoseconds += end - start
                times.wallNanoseconds += wallEnd - wall
                times.longestNanoseconds = max(times.longestNanoseconds, end - start)
                times.missedFrames += Int((end - start) / LaneTimes.frameNanoseconds)
                times.blocks += 1
                times.allocations += allocationsEnd - allocations
            }
        }
    }

    /// What was measured since this was called last, once everything enqueued so far has run; from
    /// another thread.
    func takeTimes() -> LaneTimes {
        let settled = DispatchSemaphore(value: 0)
        lane.enqueue { settled.signal() }
        settled.wait()
        return times.withLock { times in
            defer { times = LaneTimes() }
            return times
        }
    }

    /// Holds a block until it has run, and no longer.
    private final class WorkBox: @unchecked Sendable {  // the lane runs it, once
        private var work: (@Sendable () -> Void)?

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        @inline(never)
        func run() {
            let work = work
            self.work = nil
            work?()
        }
    }
}
