import CollectionElements
import CollectionPipeline
import Dispatch
import Foundation
import PipelineTesting

/// A simulation that its own thread runs whenever there is work: for tests that call it from tasks
/// and threads.
///
/// The steps depend on when these calls arrive, so a run cannot be replayed. Its purpose is a
/// pipeline with one thread, a virtual clock and random interleavings.
///
/// The thread ends when the last lane or environment of the simulation is released: they share a
/// `Life`, which the thread does not retain.
package final class PumpedSimulation: Sendable {
    fileprivate let simulation: Simulation
    private let state = Lock(State())
    private let pause = DispatchSemaphore(value: 0)

    private struct State {
        var thread: pthread_t?
        /// Whether work arrived since the thread last looked.
        var isAwake = false
        var isResting = false
        var hasEnded = false
    }

    /// Makes a simulation that starts to run immediately; its main lane and environment keep it
    /// running.
    package static func makeStage(seed: UInt64, workerCount: Int) -> Stage {
        let pump = PumpedSimulation(Simulation(seed: seed, workerCount: workerCount))
        Thread.detachNewThread { pump.run() }
        let life = Life(pump)
        let lane = pump.simulation.makeLane(label: "test.main")
        return Stage(lane: PumpedLane(lane, life), environment: PumpedEnvironment(life: life))
    }

    private init(_ simulation: Simulation) { self.simulation = simulation }

    private func run() {
        state.withLock { $0.thread = pthread_self() }
        while simulation.step() || rest() {}
    }

    /// Makes the thread look for work again. Any thread may call it.
    fileprivate func wake() {
        let isResting = state.withLock { state in
            defer { state.isResting = false }
            state.isAwake = true
            return state.isResting
        }
        if isResting { pause.signal() }
    }

    /// Blocks the thread until work arrives; returns `false` if none can arrive any more.
    private func rest() -> Bool {
        let (rests, hasEnded) = state.withLock { state in
            state.isResting = !state.isAwake && !state.hasEnded
            state.isAwake = false
            return (state.isResting, state.hasEnded)
        }
        if rests { pause.wait() }
        return !hasEnded
    }

    /// Waits for a signal. On the simulation's own thread, it runs other steps while it waits.
    fileprivate func wait(for signal: DispatchSemaphore) {
        let thread = state.withLock { $0.thread }
        guard let thread, pthread_equal(thread, pthread_self()) != 0 else { return signal.wait() }
        while signal.wait(timeout: .now()) != .success {
            if !simulation.step() { _ = rest() }
        }
    }

    /// Ends the thread when it is released.
    fileprivate final class Life: Sendable {
        let pump: PumpedSimulation

        init(_ pump: PumpedSimulation) { self.pump = pump }

        deinit {
            pump.state.withLock { $0.hasEnded = true }
            pump.wake()
        }
    }
}

private final class PumpedLane: Lane {
    private let base: any Lane
    private let life: PumpedSimulation.Life

    init(_ base: any Lane, _ life: PumpedSimulation.Life) {
        self.base = base
        self.life = life
    }

    var label: String { base.label }

    var isCurrent: Bool { base.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        base.enqueue(work)
        life.pump.wake()
    }
}

private struct PumpedEnvironment: ForwardingEnvironment {
    let life: PumpedSimulation.Life

    var base: any PipelineEnvironment { life.pump.simulation.environment }

    func makeLane(label: String) -> any Lane { PumpedLane(base.makeLane(label: label), life) }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        base.fork(parts: parts, joinOn: lane, body: body, join: join)
        life.pump.wake()
    }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: delay, on: lane, work)
        life.pump.wake()
    }

    func makeSignal() -> any PipelineSignal { Signal(life: life) }

    private struct Signal: PipelineSignal {
        let life: PumpedSimulation.Life
        private let semaphore = DispatchSemaphore(value: 0)

        init(life: PumpedSimulation.Life) { self.life = life }

        func signal() {
            semaphore.signal()
            life.pump.wake()
        }

        func wait() { life.pump.wait(for: semaphore) }
    }
}
