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
        afterNanoseconds delay: UInt64,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        let delay = Int(clamping: delay)
        DispatchQueue.global(qos: .userInitiated)
            .asyncAfter(deadline: .now() + .nanoseconds(delay)) { lane.enqueue(work) }
    }

    /// The machine's uptime.
    public var nowNanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// A Dispatch semaphore.
    public func makeSignal() -> any PipelineSignal { SemaphoreSignal() }
}
