import CollectionPipeline
import Dispatch
import Synchronization

/// An emulated main lane that measures how long its blocks keep it busy.
///
/// The objects that a block holds are released within the measured time, because that keeps the
/// lane busy too.
final class MeteredLane: Lane {
    private let lane = EmulatedMainLane(label: "pipeline-benchmarks.main")
    private let times = Mutex(Times())

    /// The work of a lane.
    struct Times {
        /// Thread CPU time of all blocks.
        var nanoseconds: UInt64 = 0
        /// Thread CPU time of the longest block.
        var longestNanoseconds: UInt64 = 0
        var blocks = 0
        /// Stays 0 if allocations are not counted.
        var allocations = 0
    }

    var label: String { lane.label }

    var isCurrent: Bool { lane.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let box = WorkBox(work)
        lane.enqueue { [self] in
            let allocations = Heap.allocationCount ?? 0
            let start = Stopwatch.threadNanoseconds
            box.run()
            let time = Stopwatch.threadNanoseconds - start
            let allocationsEnd = Heap.allocationCount ?? 0
            times.withLock { times in
                times.nanoseconds += time
                times.longestNanoseconds = max(times.longestNanoseconds, time)
                times.blocks += 1
                times.allocations += allocationsEnd - allocations
            }
        }
    }

    /// Waits until everything that is enqueued has run, and returns the measurements since the
    /// previous call. Not on this lane.
    @discardableResult
    func takeTimes() -> Times {
        lane.waitUntilIdle()
        return times.withLock { times in
            defer { times = Times() }
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

extension Lane {
    /// Returns when everything that is enqueued has run; not on this lane.
    func waitUntilIdle() {
        let idle = DispatchSemaphore(value: 0)
        enqueue { idle.signal() }
        idle.wait()
    }
}

extension DispatchGroup {
    /// Returns when every controller whose source entered the group is released with all its
    /// objects.
    ///
    /// - Parameter seconds: far above the second that freeing a million elements takes.
    func waitUntilGone(within seconds: Int = 30) throws {
        guard wait(timeout: .now() + .seconds(seconds)) == .success else {
            throw Failure("a released controller still exists after \(seconds) s")
        }
    }
}

/// Lets a thread that is on no lane wait for a completion.
final class AwaitedOutcome: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let outcome = Mutex<UpdateOutcome?>(nil)

    /// The completion.
    func note(_ result: UpdateResult) {
        outcome.withLock { $0 = result.outcome }
        arrived.signal()
    }

    /// Returns when the change set is deployed.
    func waitUntilDeployed() throws(Failure) {
        arrived.wait()
        let outcome = outcome.withLock { $0 }
        guard case .deployed = outcome else {
            throw Failure("expected a deployed change set, found \(String(describing: outcome))")
        }
    }
}

extension DataController {
    /// Submits a change of the model with its edits, and returns when they are deployed. Not on the
    /// main lane.
    func deploy(
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) -> Void
    ) throws(Failure) {
        let outcome = AwaitedOutcome()
        lane.enqueue { [self] in
            // The completion receives what the call throws.
            _ = try? assumeIsolated().performBatchUpdates(updates, completion: outcome.note)
        }
        try outcome.waitUntilDeployed()
    }

    /// Loads everything, and returns when it is deployed; not on the main lane.
    func reload() throws(Failure) { try deploy { _, changes in changes.reloadData() } }
}
