import Dispatch

/// The real environment: Dispatch queues, the process's shared workers, the machine's clock.
public struct DispatchEnvironment: PipelineEnvironment {
    private let pool: WorkerPool

    /// Uses the workers that every pipeline of the process shares.
    public init() { pool = .shared }

    /// Uses `workerCount` workers of its own: for tests, and for work that must not compete with
    /// that of other pipelines.
    public init(workerCount: Int) { pool = WorkerPool(width: workerCount) }

    /// A serial queue.
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

    /// The number of workers: by default that of the machine's processors.
    public var workerCount: Int { pool.width }

    /// Whether the caller is one of the workers of any pipeline.
    public var isCurrentWorker: Bool { WorkerPool.isCurrentWorker }

    /// Uses a Dispatch timer.
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

    /// A Dispatch semaphore.
    public func makeSignal() -> any PipelineSignal { SemaphoreSignal() }
}

extension Duration {
    /// The whole nanoseconds that are at least as long, from 0 to as many as fit.
    var nanosecondsClamped: Int {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int(clamping: max(0, rest > 0 ? whole + 1 : whole))
    }
}
