import Dispatch

/// Which of Dispatch's pools of threads a lane draws on.
///
/// Main lanes may block, in a waiting call; what they wait for must then find a thread in another pool.
/// Workers, which use the default class, have a third.
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

/// A serial lane on a Dispatch queue of its own.
///
/// The queue targets a global queue that does not grow threads for blocked serial queues: a thousand
/// lanes cost no thread each.
class DispatchLane: Lane, @unchecked Sendable {  // all stored properties are constants
    let label: String
    let queue: DispatchQueue

    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    init(label: String, queue: DispatchQueue) {
        self.label = label
        self.queue = queue
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// A lane over a queue of its own in one of the service classes of ``LaneClass``.
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
/// Use it only where somebody drains that queue: `dispatchMain()`, `RunLoop.main.run()`, or an
/// `async` main function. A program whose main thread blocks never runs what is enqueued here.
public final class MainQueueLane: Lane {
    /// The one lane over `DispatchQueue.main`.
    public static let shared = MainQueueLane()

    private let lane = DispatchLane(label: "main", queue: .main)

    private init() {}

    /// Always `main`.
    public var label: String { lane.label }

    /// Whether the caller runs on the main queue, whichever thread drains it.
    public var isCurrent: Bool { lane.isCurrent }

    /// Runs `work` on the main queue, later.
    public func enqueue(_ work: @escaping @Sendable () -> Void) { lane.enqueue(work) }
}
