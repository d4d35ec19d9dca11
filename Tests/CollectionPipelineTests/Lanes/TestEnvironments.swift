import CollectionElements
import CollectionPipeline
import PipelineTestSupport

/// An environment whose clock goes on by a step at every look, and whose timers come when a test lets time pass.
final class SteppedEnvironment: ForwardingEnvironment {
    let base: any PipelineEnvironment
    private let step: Duration
    private let state = Lock(State())

    private struct State {
        var now = Duration.seconds(10)
        var timers: [(lane: any Lane, work: @Sendable () -> Void)] = []
    }

    init(_ base: any PipelineEnvironment, step: Duration = .zero) {
        self.base = base
        self.step = step
    }

    var now: Duration {
        state.withLock { state in
            state.now += step
            return state.now
        }
    }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) { state.withLock { $0.timers.append((lane, work)) } }

    /// Sets the clock on, and lets every timer come that was started by then; returns when they have run.
    func pass(_ duration: Duration) async {
        let timers = state.withLock { state in
            defer { state.timers = [] }
            state.now += duration
            return state.timers
        }
        for timer in timers { await timer.lane.run { timer.work() } }
    }
}
