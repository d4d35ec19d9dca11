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

/// The workers that measure: at most `width` threads at a time, whoever asks.
///
/// Jobs take turns part by part, so a large load of one controller does not keep the small update of
/// another waiting. There is no thread while there is no work.
final class WorkerPool: Sendable {
    /// The pool that all controllers of a process share, one worker a processor.
    static let shared = WorkerPool(width: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    let width: Int

    private static let key = DispatchSpecificKey<Bool>()
    // A service class of its own: see `LaneClass`.
    private let queue = DispatchQueue(
        label: "CollectionPipeline.workers",
        attributes: .concurrent,
        target: .global(qos: .default)
    )
    private let schedule = Lock(Schedule())

    /// Makes a pool of at least one worker, also where a machine does not say how many it has.
    init(width: Int) {
        self.width = max(1, width)
        queue.setSpecific(key: Self.key, value: true)
    }

    static var isCurrentWorker: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Runs `body` for every part, then `completion` once, on the worker that came last.
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
            // The last part to end, whichever it is, has seen all others end.
            if job.unfinished.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                job.completion()
            }
        }
    }
}

extension WorkerPool {
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

    /// Which part comes next: a value, so that the lock around it covers bookkeeping only.
    struct Schedule {
        /// Jobs with parts left, in the order of their turns.
        private var open: [(job: Job, nextPart: Int)] = []
        private var turn = 0
        private var workers = 0

        /// Takes a job in; returns how many workers to start for it.
        mutating func add(_ job: Job, width: Int) -> Int {
            open.append((job, 0))
            let started = min(job.parts, width - workers)
            workers += max(0, started)
            return max(0, started)
        }

        /// The next part for a worker, or nil, and then the worker is counted as gone.
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
