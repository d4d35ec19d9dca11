import CollectionPublishing
import NIOCore

/// A lane over an event loop: what belongs to a list's main lane then runs where connections are served, with no thread or
/// queue of its own.
///
/// An event loop is serial, runs what it is given in order and never before the call returns, which is what a ``Lane``
/// promises. Two lanes over one loop are serial together. The loop must outlive every controller on it: close
/// them before it is shut down. Nothing may wait on it, so a controller's `waitUntilReached(_:)` is not for its handlers.
final class EventLoopLane: Lane {
    let label: String
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop, label: String) {
        self.eventLoop = eventLoop
        self.label = label
    }

    /// True in any work of the event loop, also what others gave it.
    var isCurrent: Bool { eventLoop.inEventLoop }

    func enqueue(_ work: @escaping @Sendable () -> Void) { eventLoop.execute(work) }
}
