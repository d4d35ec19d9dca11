import CollectionElements
import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The workers that measure: at most `width` threads at a time for all controllers.
///
/// Jobs alternate part by part, so that a large load of one controller does not delay a small
/// update of another. Without work there are no threads.
final class WorkerPool: Sendable {
    /// The pool that all controllers of a process share, with one worker per processor.
    static let shared = WorkerPool(width: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    let width: Int

    private static let key = DispatchSpecificKey<Bool>()
    // The quality of service differs from those of `LaneClass`.
    private let queue = DispatchQueue(
        label: "CollectionPipeline.workers",
        attributes: .concurrent,
        target: .global(qos: .default)
    )
    private let schedule = Lock(Schedule())

    /// Creates a pool of at least one worker, even if the number of processors is unknown.
    init(width: Int) {
        self.width = max(1, width)
        queue.setSpecific(key: Self.key, value: true)
    }

    static var isCurrentWorker: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Runs `body` for every part, and then `completion` once, on the worker that finishes last.
    func run(
        parts: Int,
        body: @escaping @Sendable (Int) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        let job = Job(parts: parts, body: body, completion: completion)
        let newWorkers = schedule.withLock { $0.add(job, width: width) }
        for _ in 0..<newWorkers { queue.async { self.work() } }
    }

    private func work() {
        while let (job, part) = schedule.withLock({ $0.nextPart() }) {
            job.body(part)
            // The part that ends last happens after all others.
            if job.unfinished.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                job.completion()
            }
        }
    }

    final class Job: Sendable {
        let parts: Int
        let body: @Sendable (Int) -> Void
        let completion: @Sendable () -> Void
        let unfinished: Atomic<Int>

        init(
            parts: Int,
            body: @escaping @Sendable (Int) -> Void,
            completion: @escaping @Sendable () -> Void
        ) {
            self.parts = parts
            self.body = body
            self.completion = completion
            unfinished = Atomic(parts)
        }
    }

    /// The order of parts: a value, so that the lock around it is held only for bookkeeping.
    struct Schedule {
        /// The jobs with remaining parts, in the order of their turns.
        private var open: [(job: Job, nextPart: Int)] = []
        private var turn = 0
        private var workers = 0

        /// Adds a job, and returns the number of workers to start for it.
        mutating func add(_ job: Job, width: Int) -> Int {
            open.append((job, 0))
            let started = min(job.parts, width - workers)
            workers += max(0, started)
            return max(0, started)
        }

        /// Returns the next part for a worker. If there is none, returns `nil` and counts the
        /// worker as ended.
        mutating func nextPart() -> (Job, Int)? {
            guard !open.isEmpty else {
                workers -= 1
                return nil
            }
            if turn >= open.count { turn = 0 }
            let (job, part) = open[turn]
            if part + 1 == job.parts {
                open.remove(at: turn)
            } else {
                open[turn].nextPart = part + 1
                turn += 1
            }
            return (job, part)
        }
    }
}
