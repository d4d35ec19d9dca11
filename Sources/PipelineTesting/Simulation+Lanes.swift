import CollectionElements
import CollectionPipeline

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// The sources of steps: work on lanes, parts of forks, and timers.

extension Simulation {
    /// Returns a new serial lane. If the label is already in use, a number is appended, so that the
    /// lanes differ in timelines.
    public func makeLane(label: String) -> any Lane {
        let (index, label) = state.withLock { state in
            state.queues.append(FIFO())
            let index = state.queues.count - 1
            state.labels.append(state.labels.contains(label) ? "\(label) \(index)" : label)
            return (index, state.labels[index])
        }
        return SimulatedLane(self, index, label)
    }

    /// The environment for a controller, with the lanes, workers, timers and clock of this
    /// simulation.
    public var environment: any PipelineEnvironment { SimulatedEnvironment(simulation: self) }

    func enqueue(_ work: @escaping @Sendable () -> Void, on lane: Int) {
        state.withLock { state in
            state.queues[lane].append(Work(number: state.numbers, run: work))
            state.numbers += 1
        }
    }

    func isCurrent(_ place: Executor) -> Bool {
        state.withLock { $0.running.last?.place == place && $0.thread == Self.currentThread }
    }

    static var currentThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}

extension Duration {
    /// Returns the time after a delay, limited to the longest duration. A negative delay counts as
    /// zero.
    package func later(by delay: Duration) -> Duration {
        let (sum, overflows) = attoseconds.addingReportingOverflow(max(0, delay.attoseconds))
        return Duration(attoseconds: overflows ? .max : sum)
    }
}

/// A lane of a simulation.
final class SimulatedLane: Lane {
    private let simulation: Simulation
    private let index: Int
    let label: String

    init(_ simulation: Simulation, _ index: Int, _ label: String) {
        self.simulation = simulation
        self.index = index
        self.label = label
    }

    var isCurrent: Bool { simulation.isCurrent(.lane(index)) }

    func enqueue(_ work: @escaping @Sendable () -> Void) { simulation.enqueue(work, on: index) }

    /// The executor is created with the first task. It has a separate lane, because tasks do not
    /// run on a real main lane either.
    private let executor = Lock<LaneTaskExecutor?>(nil)

    var taskExecutor: (any TaskExecutor)? {
        if let executor = executor.withLock({ $0 }) { return executor }
        let new = LaneTaskExecutor(simulation.makeLane(label: "\(label).tasks"))
        return executor.withLock { executor in
            executor = executor ?? new
            return executor
        }
    }
}

/// The lanes, workers, timers and clock of a simulation.
struct SimulatedEnvironment: PipelineEnvironment {
    let simulation: Simulation

    func makeLane(label: String) -> any Lane { simulation.makeLane(label: label) }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        simulation.state.withLock { state in
            state.forks.append(
                Simulation.Fork(
                    number: state.numbers,
                    unstarted: Array(0..<parts),
                    unfinished: parts,
                    lane: lane,
                    body: body,
                    join: join
                )
            )
            state.numbers += 1
        }
    }

    var workerCount: Int { simulation.state.withLock { $0.workerCount } }

    var isCurrentWorker: Bool { simulation.isCurrent(.worker) }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        simulation.state.withLock { state in
            let timer = Simulation.Timer(
                deadline: state.now.later(by: delay),
                number: state.numbers,
                lane: lane,
                run: work
            )
            let position =
                state.timers.firstIndex { $0.deadline > timer.deadline } ?? state.timers.count
            state.timers.insert(timer, at: position)
            state.numbers += 1
        }
    }

    var now: Duration { simulation.now }

    func makeSignal() -> any PipelineSignal { SimulatedSignal(simulation) }
}

/// A counting signal. A step that waits for it pauses.
final class SimulatedSignal: PipelineSignal {
    private let simulation: Simulation

    init(_ simulation: Simulation) { self.simulation = simulation }

    deinit { simulation.forget(ObjectIdentifier(self)) }

    func signal() { simulation.signal(ObjectIdentifier(self)) }

    func wait() { simulation.wait(for: ObjectIdentifier(self)) }
}

/// Runs tasks on a lane. On a lane of a simulation, each piece of a task between two suspension
/// points is a step, so that the simulation covers the orders of asynchronous code too, and a seed
/// repeats them.
///
/// ```swift
/// let client = LaneTaskExecutor(simulation.makeLane(label: "client"))
/// Task(executorPreference: client) {
///     try await controller.performBatchUpdates { feed, changes in … }
/// }
/// simulation.run()
/// ```
///
/// The task must not call code that is isolated to an actor, or create tasks that do not inherit
/// the preference: such code runs elsewhere.
public final class LaneTaskExecutor: TaskExecutor {
    private let lane: any Lane

    /// Creates an executor that runs tasks on `lane`.
    public init(_ lane: any Lane) { self.lane = lane }

    /// Enqueues a piece of a task; called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lane.enqueue { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
