import Dispatch

/// The pool of Dispatch threads that a lane uses.
///
/// Main lanes may block in a waiting call; the work that they wait for must then find a thread in
/// another pool. Workers, which use the default class, have a third pool.
enum LaneClass {
    case main
    case editing

    var qos: DispatchQoS.QoSClass {
        switch self {
        case .main: .userInteractive
        case .editing: .userInitiated
        }
    }
}

/// A serial lane on a separate Dispatch queue.
///
/// The queue targets a global queue that does not create threads for blocked serial queues: a
/// thousand lanes do not need a thread each.
class DispatchLane: Lane, @unchecked Sendable {  // all stored properties are constants
    let label: String
    let queue: DispatchQueue

    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    init(label: String, queue: DispatchQueue) {
        self.label = label
        self.queue = queue
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// Creates a lane over a new queue in a service class of ``LaneClass``.
    convenience init(label: String, class: LaneClass) {
        self.init(
            label: label,
            queue: DispatchQueue(label: label, target: .global(qos: `class`.qos))
        )
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

/// The process's real main queue as a lane.
///
/// Use it only if the program drains that queue, with `dispatchMain()`, `RunLoop.main.run()` or an
/// `async` main function. If the main thread of a program blocks, work that is enqueued here never
/// runs.
public final class MainQueueLane: Lane {
    /// The one lane over `DispatchQueue.main`.
    public static let shared = MainQueueLane()

    private let lane = DispatchLane(label: "main", queue: .main)

    private init() {}

    /// The label `main`.
    public var label: String { lane.label }

    /// Whether the caller runs on the main queue, on any thread that drains it.
    public var isCurrent: Bool { lane.isCurrent }

    /// Runs `work` on the main queue, later.
    public func enqueue(_ work: @escaping @Sendable () -> Void) { lane.enqueue(work) }
}

/// A main lane that needs no main thread: a private serial queue that knows whether the caller runs
/// on it.
///
/// This is the default main lane of a controller, because a server rarely drains the process's main
/// queue. It is a `SerialExecutor`, so an actor of the application can run on it and call the
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
/// Threading: every member may be used from any thread.
public final class EmulatedMainLane: Lane, SerialExecutor {
    private let lane: DispatchLane

    /// Creates a lane.
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

    /// Returns this lane as an executor for `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Stops the process if the caller does not run on this lane.
    public func checkIsolated() { requireCurrent("Isolated code") }

    /// Returns whether the caller runs on this lane, for the Swift runtime.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
