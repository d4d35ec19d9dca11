import CollectionPipeline
import NIOCore
import ServiceLifecycle

/// A service that closes a controller when its group shuts down. The controller deploys accepted
/// updates until the draining timeout, and then notifies readers that no updates follow.
///
/// Put it before the services that edit the list, because a group shuts down services in reverse
/// order.
struct ControllerService<Source: CollectionDataSource>: Service {
    let controller: DataController<Source>
    var drainingTimeout = Duration.seconds(10)

    func run() async {
        await cancelWhenGracefulShutdown { await controller.run(drainingTimeout: drainingTimeout) }
    }
}

/// A lane that runs on an event loop. The list's main lane then needs no thread or queue of its
/// own, because it shares a thread with connections.
///
/// An event loop is serial, runs its work in order, and never runs it before `enqueue(_:)` returns,
/// as ``Lane`` requires. Two lanes on one loop are serial together. The loop must outlive every
/// controller on it, and its handlers must not wait for a controller.
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
