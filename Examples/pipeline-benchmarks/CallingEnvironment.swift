import CollectionPipeline

/// An environment whose lanes do everything at once on the thread that calls, so that it can be measured there. For one
/// thread, and work that enqueues nothing on the lane that it is on.
struct CallingEnvironment: PipelineEnvironment {
    private final class CallingLane: Lane {
        let label: String
        let isCurrent = true

        init(label: String) { self.label = label }

        func enqueue(_ work: @escaping @Sendable () -> Void) { work() }
    }

    private let dispatch = DispatchEnvironment()

    func makeLane(label: String) -> any Lane { CallingLane(label: label) }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        for part in 0..<parts { body(part) }
        join()
    }

    var workerCount: Int { 1 }
    var isCurrentWorker: Bool { false }
    var now: Duration { dispatch.now }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        dispatch.schedule(after: delay, on: lane, work)
    }

    func makeSignal() -> any PipelineSignal { dispatch.makeSignal() }
}
