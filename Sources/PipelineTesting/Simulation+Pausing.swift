import CollectionElements
import Dispatch

// Steps that pause. The thread of such a step stays where it is, and another goes on with the run until the
// step is chosen to go on: so there may be many threads, but only one of them ever runs.

extension Simulation {
    /// A thread that stands still while others go on with the run.
    struct HeldThread {
        /// Where steps of it are under way; the innermost last.
        let places: [Running]
        let thread: UInt
        let baton = DispatchSemaphore(value: 0)
    }

    /// A step that is under way, and not running.
    struct PausedStep {
        let innermost: Running
        let held: HeldThread
        /// What it waits for; nil where it only lets others run.
        let signal: ObjectIdentifier?
    }

    /// Lets others run in the middle of a step: whatever is ready may come before the step goes on, and at
    /// least one thing does. A node that takes long to measure is one that calls this.
    ///
    /// Outside the steps of this simulation it does nothing.
    public func yield() { pause(for: nil) }

    /// Waits for a signal that is not there yet; others run meanwhile. Where nobody can give it any more, the
    /// simulation has a `deadlock`, and this returns.
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
        if !unpark() { Strand.run { self.drive() } }
        hold(held)
    }

    /// Lets a paused step go on, and returns when it ends or pauses again.
    func resume(_ step: PausedStep) {
        let held = state.withLock { state in
            let held = HeldThread(places: state.running, thread: Self.currentThread)
            state.parked.append(held)
            return held
        }
        letGo(step.held)
        hold(held)
    }

    /// Goes on with the run on a thread of its own, as long as nobody else can.
    private func drive() {
        while !unpark() {
            switch state.withLock({ $0.takeNext() }) {
            case .begin(let step): begin(step)
            case .resume(let step): return letGo(step.held)
            case nil: return
            }
        }
    }

    /// Lets the thread go on that was parked last; false where there is none.
    private func unpark() -> Bool {
        guard let parked = state.withLock({ $0.parked.popLast() }) else { return false }
        letGo(parked)
        return true
    }

    /// Hands the run over to a thread that was held.
    private func letGo(_ held: HeldThread) {
        state.withLock { ($0.running, $0.thread) = (held.places, held.thread) }
        held.baton.signal()
    }

    /// Holds this thread until it is let go.
    private func hold(_ held: HeldThread) {
        held.baton.wait()
        // What the other threads did has happened before: ThreadSanitizer sees that by the lock.
        state.withLock { _ in }
    }
}

extension Simulation.State {
    /// Notes that the step that runs on this thread pauses; nil where it must not, or where nothing else is
    /// ready.
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

    /// Whether who waits for a signal should give up.
    fileprivate mutating func isStuck(at signal: ObjectIdentifier) -> Bool {
        guard isRushing, signals[signal] ?? 0 == 0 else { return false }
        hopelessWaits += 1
        // Whoever waits again and again can be stopped in no other way.
        if hopelessWaits > 10_000 { fatalError("\(fault.map { "\($0)" } ?? report)") }
        return true
    }

    mutating func note(_ fault: SimulationFault) {
        if self.fault == nil { self.fault = fault }
    }
}

/// A thread that goes on with a run while another is held in a step that has paused.
private struct Strand {
    private let queue: DispatchQueue

    private static let idle = Lock<[Strand]>([])

    static func run(_ work: @escaping @Sendable () -> Void) {
        let strand =
            idle.withLock { $0.popLast() }
            ?? Strand(queue: DispatchQueue(label: "simulation.strand"))
        strand.queue.async {
            work()
            idle.withLock { $0.append(strand) }
        }
    }
}
