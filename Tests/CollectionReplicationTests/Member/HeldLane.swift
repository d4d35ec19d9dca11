import CollectionPipeline
import PipelineTestSupport

/// A lane that does nothing while it is held, and then everything that came meanwhile.
final class HeldLane: Lane {
    let base: any Lane
    private let state = Lock(State())

    private struct State {
        var isHeld = false
        var work: [@Sendable () -> Void] = []
    }

    init(_ base: any Lane) { self.base = base }

    var label: String { base.label }
    var isCurrent: Bool { base.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.isHeld { state.work.append(work) }
            return state.isHeld
        }
        if !isHeld { base.enqueue(work) }
    }

    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let work = state.withLock { state in
            state.isHeld = false
            defer { state.work = [] }
            return state.work
        }
        for work in work { base.enqueue(work) }
    }
}

/// An environment one of whose lanes can be held.
final class HoldingEnvironment: ForwardingEnvironment {
    let base: any PipelineEnvironment
    let lane: HeldLane

    /// - Parameter label: that of the lane.
    init(_ base: any PipelineEnvironment, holding label: String) {
        self.base = base
        lane = HeldLane(base.makeLane(label: label))
    }

    func makeLane(label: String) -> any Lane {
        label == lane.label ? lane : base.makeLane(label: label)
    }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: delay, on: (lane as? HeldLane)?.base ?? lane, work)
    }
}
