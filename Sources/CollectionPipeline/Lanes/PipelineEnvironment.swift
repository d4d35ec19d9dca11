import Dispatch

/// The external services of a pipeline: the lanes and workers of its background work, the time, and
/// the means by which a thread waits.
///
/// The library uses nothing else of this kind, so an environment that controls every step makes a
/// whole pipeline repeatable. ``DispatchEnvironment`` is the real environment.
public protocol PipelineEnvironment: Sendable {
    /// Creates a serial lane for background work.
    func makeLane(label: String) -> any Lane

    /// Runs `body` once for each of `parts` indexes, in any order and in parallel, on workers that
    /// all pipelines share, and then runs `join` on `lane`. The caller does not wait.
    ///
    /// Every part happens before `join`. `parts` is at least 1.
    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    )

    /// The number of parts of a fork that can run at the same time.
    var workerCount: Int { get }

    /// Whether the caller runs inside a part of a fork.
    var isCurrentWorker: Bool { get }

    /// Runs `work` on `lane` when at least `delay` has passed: immediately if `delay` is negative.
    /// A delay of more than a century may be shortened.
    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    )

    /// The time since an arbitrary start, which never decreases and is not negative. Only the
    /// difference between two times of the same environment is meaningful.
    var now: Duration { get }

    /// Creates a signal that a thread can wait for.
    func makeSignal() -> any PipelineSignal
}

/// The real environment: Dispatch queues, the shared workers of the process, and the machine's
/// clock.
public struct DispatchEnvironment: PipelineEnvironment {
    private let pool: WorkerPool

    /// Creates an environment with the workers that every pipeline of the process shares.
    public init() { pool = .shared }

    /// Creates an environment with `workerCount` separate workers, for tests and for work that must
    /// not compete with other pipelines.
    public init(workerCount: Int) { pool = WorkerPool(width: workerCount) }

    /// Returns a serial queue as a lane.
    public func makeLane(label: String) -> any Lane {
        DispatchLane(label: label, class: .editing)
    }

    /// Runs the parts on the workers.
    public func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        pool.run(parts: parts, body: body) { lane.enqueue(join) }
    }

    /// The number of workers: by default the number of the machine's processors.
    public var workerCount: Int { pool.width }

    /// Whether the caller is one of the workers of any pipeline.
    public var isCurrentWorker: Bool { WorkerPool.isCurrentWorker }

    /// Runs `work` on `lane` after a delay, with a Dispatch timer.
    public func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        let delay = DispatchTimeInterval.nanoseconds(delay.nanosecondsClamped)
        DispatchQueue.global(qos: .userInitiated)
            .asyncAfter(deadline: .now() + delay) { lane.enqueue(work) }
    }

    /// The machine's uptime.
    public var now: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    /// Returns a Dispatch semaphore as a signal.
    public func makeSignal() -> any PipelineSignal { SemaphoreSignal() }
}

extension Duration {
    /// The duration in nanoseconds, rounded up and limited to the range from 0 to the largest
    /// integer.
    var nanosecondsClamped: Int {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int(clamping: max(0, rest > 0 ? whole + 1 : whole))
    }
}
