import CollectionElements
import Dispatch

// The thread of a paused step is held, and another thread continues the run until the step is
// chosen to continue. There may be many threads, but only one of them runs at any time.

extension Simulation {
    /// A thread that is held while other threads continue the run.
    struct HeldThread {
        /// The steps that have begun on the thread, the innermost last.
        let places: [Running]
        let thread: UInt
        let baton = DispatchSemaphore(value: 0)
    }

    /// A step that has begun and is not running.
    struct PausedStep {
        let innermost: Running
        let held: HeldThread
        /// The signal that the step waits for; `nil` if the step only yields.
        let signal: ObjectIdentifier?
    }

    /// Pauses the current step, so that other steps run before it continues. Any ready work may run
    /// first, and at least one step does. A node that simulates a long measurement calls this
    /// method.
    ///
    /// Does nothing outside the steps of this simulation.
    public func yield() { pause(for: nil) }

    /// Waits for a signal while other steps run. If no remaining work can send the signal, the
    /// simulation records a `deadlock` and this method returns.
    func wait(for signal: ObjectIdentifier) {
        var isStuck = false
        while !isStuck, !state.withLock({ $0.take(signal) }) {
            if isWithinStep {
                pause(for: signal)
                isStuck = state.withLock { $0.isStuck(at: signal) }
            } else if !step() {
                isStuck = true
                note(.deadlock(report: report))
            }
        }
    }

    func signal(_ signal: ObjectIdentifier) {
        state.withLock { $0.signals[signal, default: 0] += 1 }
    }

    func forget(_ signal: ObjectIdentifier) { state.withLock { $0.signals[signal] = nil } }

    private var isWithinStep: Bool {
        state.withLock { !$0.running.isEmpty && $0.thread == Self.currentThread }
    }

    private func pause(for signal: ObjectIdentifier?) {
        guard let held = state.withLock({ $0.pause(for: signal, on: Self.currentThread) }) else {
            return
        }
        if !unpark() { PooledThread.run { self.drive() } }
        hold(held)
    }

    /// Resumes a paused step. Returns when the step ends or pauses again.
    func resume(_ step: PausedStep) {
        let held = state.withLock { state in
            let held = HeldThread(places: state.running, thread: Self.currentThread)
            state.parked.append(held)
            return held
        }
        letGo(step.held)
        hold(held)
    }

    /// Continues the run on this thread until a parked thread can continue.
    private func drive() {
        while !unpark() {
            switch state.withLock({ $0.takeNext() }) {
            case .begin(let step): begin(step)
            case .resume(let step): return letGo(step.held)
            case nil: return
            }
        }
    }

    /// Lets the thread that was parked last continue. Returns `false` if there is none.
    private func unpark() -> Bool {
        guard let parked = state.withLock({ $0.parked.popLast() }) else { return false }
        letGo(parked)
        return true
    }

    /// Passes the run to a held thread.
    private func letGo(_ held: HeldThread) {
        state.withLock { ($0.running, $0.thread) = (held.places, held.thread) }
        held.baton.signal()
    }

    /// Blocks the current thread until it is released.
    private func hold(_ held: HeldThread) {
        held.baton.wait()
        // The work of the other threads happens before this point. The lock shows that to
        // ThreadSanitizer.
        state.withLock { _ in }
    }
}

extension Simulation.State {
    /// Records that the step on this thread pauses. Returns `nil` if the step must not pause, or if
    /// it only yields and nothing else is ready.
    fileprivate mutating func pause(
        for signal: ObjectIdentifier?,
        on thread: UInt
    ) -> Simulation.HeldThread? {
        guard self.thread == thread, let innermost = running.last, !isRushing else { return nil }
        if signal == nil, ready.isEmpty { return nil }
        let held = Simulation.HeldThread(places: running, thread: thread)
        paused.append(Simulation.PausedStep(innermost: innermost, held: held, signal: signal))
        hasJustPaused = signal == nil
        pauses += 1
        running = []
        return held
    }

    fileprivate mutating func take(_ signal: ObjectIdentifier) -> Bool {
        guard let count = signals[signal], count > 0 else { return false }
        signals[signal] = count - 1
        return true
    }

    /// Returns whether a step that waits for a signal should stop waiting.
    fileprivate mutating func isStuck(at signal: ObjectIdentifier) -> Bool {
        guard isRushing, signals[signal] ?? 0 == 0 else { return false }
        hopelessWaits += 1
        // Code that waits again and again for such a signal cannot be stopped in any other way.
        if hopelessWaits > 10_000 { fatalError("\(fault.map { "\($0)" } ?? report)") }
        return true
    }

    mutating func note(_ fault: SimulationFault) {
        if self.fault == nil { self.fault = fault }
    }
}

/// A reusable thread that continues a run while another thread is held in a paused step.
private struct PooledThread {
    private let queue: DispatchQueue

    private static let idle = Lock<[PooledThread]>([])

    static func run(_ work: @escaping @Sendable () -> Void) {
        let thread =
            idle.withLock { $0.popLast() }
            ?? PooledThread(queue: DispatchQueue(label: "simulation.thread"))
        thread.queue.async {
            work()
            idle.withLock { $0.append(thread) }
        }
    }
}
