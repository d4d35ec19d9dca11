import Dispatch

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
