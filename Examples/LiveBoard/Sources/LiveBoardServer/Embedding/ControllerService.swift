import CollectionPipeline
import NIOCore
import ServiceLifecycle

/// Closes a controller when its group shuts down: first accepted updates are deployed, or the time is up; then readers
/// are notified that nothing comes any more.
///
/// It stands before the editors of the list in the group, because services shut down in reverse order.
struct ControllerService<Source: CollectionDataSource>: Service {
    let controller: DataController<Source>
    var drainingTimeout = Duration.seconds(10)

    func run() async {
        await cancelWhenGracefulShutdown { await controller.run(drainingTimeout: drainingTimeout) }
    }
}

/// A lane over an event loop: the work of a list's main lane runs where connections are served, without a thread or a
/// queue of its own.
///
/// An event loop is serial, and runs its work in order and never before the call returns, which is what a ``Lane``
/// promises. Two lanes over one loop are serial together. The loop must outlive every controller on it, and its handlers
/// must not wait for a controller.
final class EventLoopLane: Lane {
    let label: String
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop, label: String) {
        self.eventLoop = eventLoop
        self.label = label
    }

    var isCurrent: Bool { eventLoop.inEventLoop }

    func enqueue(_ work: @escaping @Sendable () -> Void) { eventLoop.execute(work) }
}
