import Dispatch

/// A main lane that needs no main thread: a private serial queue that knows whether the caller is on
/// it.
///
/// This is the default main lane of a controller, because a server seldom drains the process's main
/// queue. It is a `SerialExecutor`, so an application's own actor can live on it and call the
/// controller's synchronous members directly:
///
/// ```swift
/// actor Feed {
///     let lane: EmulatedMainLane
///     nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }
///     init(lane: EmulatedMainLane) { self.lane = lane }
/// }
/// ```
///
/// Threading: every member may be used from anywhere.
public final class EmulatedMainLane: Lane, SerialExecutor {
    private let lane: DispatchLane

    /// Makes a lane.
    public init(label: String = "CollectionPipeline.main") {
        lane = DispatchLane(label: label, class: .main)
    }

    /// The name of the lane and of its queue.
    public var label: String { lane.label }

    /// Whether the caller runs on this lane.
    public var isCurrent: Bool { lane.isCurrent }

    /// Runs `work` on this lane, later.
    public func enqueue(_ work: @escaping @Sendable () -> Void) { lane.enqueue(work) }

    /// Runs a job of the Swift runtime on this lane, later.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        lane.enqueue { job.runSynchronously(on: executor) }
    }

    /// This lane as an executor for `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Stops the process where the caller is not on this lane.
    public func checkIsolated() { requireCurrent("Isolated code") }

    /// Whether the caller is on this lane, for the Swift runtime.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
