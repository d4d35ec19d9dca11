import CollectionPipeline

/// Runs tasks on a lane: on a lane of a simulation every piece of a task between two suspensions is a step, so
/// that asynchronous code too is run in every order, and comes again from its seed.
///
/// ```swift
/// let client = LaneTaskExecutor(simulation.makeLane(label: "client"))
/// Task(executorPreference: client) {
///     try await controller.performBatchUpdates { feed, changes in … }
/// }
/// simulation.run()
/// ```
///
/// What the task calls must be neither bound to an actor nor a task of its own that does not inherit the
/// preference: those run elsewhere.
public final class LaneTaskExecutor: TaskExecutor {
    private let lane: any Lane

    /// Makes an executor for the tasks of one lane.
    public init(_ lane: any Lane) { self.lane = lane }

    /// Takes in a piece of a task; the runtime calls it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lane.enqueue { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
