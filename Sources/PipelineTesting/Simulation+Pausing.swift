import CollectionElements
import Dispatch

// Steps that pause. The thread of such a step stays where it is, and another goes on with the run until the
// step is chosen to go on: so there may be many threads, but only one of them ever runs.

extension Simulation {
    /// A step that is under way, and not running.
    struct PausedStep {
        let number: Int
        /// Where it runs; the innermost last.
        let places: [Running]
        let thread: UInt
        let baton: DispatchSemaphore
        /// What it waits for; nil where it only lets others run.
        let signal: ObjectIdentifier?
    }

    /// A thread that has let a paused step go on, and goes on itself when that ends or pauses again.
    struct ParkedThread {
        let places: [Running]
        let thread: UInt
        let baton: DispatchSemaphore
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
        let baton = DispatchSemaphore(value: 0)
        let thread = Self.currentThread
        guard state.withLock({ $0.pause(for: signal, thread, baton) }) else { return }
        if !unpark() { Strand.run { self.drive() } }
        baton.wait()
        // What the other threads did has happened before: ThreadSanitizer sees that by the lock.
        state.withLock { _ in }
    }

    /// Lets a paused step go on, and returns when it ends or pauses again.
    func resume(_ step: PausedStep) {
        let baton = DispatchSemaphore(value: 0)
        let thread = Self.currentThread
        state.withLock { state in
            let places = state.running
            state.parked.append(ParkedThread(places: places, thread: thread, baton: baton))
            state.enter(step)
        }
        step.baton.signal()
        baton.wait()
        state.withLock { _ in }
    }

    /// Goes on with the run on a thread of its own, as long as nobody else can.
    private func drive() {
        while !unpark() {
            switch state.withLock({ $0.takeNext() }) {
            case .begin(let step): begin(step)
            case .resume(let step):
                state.withLock { $0.enter(step) }
                step.baton.signal()
                return
            case nil: return
            }
        }
    }

    /// Lets the thread go on that was parked last; false where there is none.
    private func unpark() -> Bool {
        let parked = state.withLock { state -> ParkedThread? in
            guard let parked = state.parked.popLast() else { return nil }
            (state.running, state.thread) = (parked.places, parked.thread)
            return parked
        }
        parked?.baton.signal()
        return parked != nil
    }
}

extension Simulation.State {
    /// Notes that the running step pauses; false where it must not, or where nothing else is ready.
    fileprivate mutating func pause(
        for signal: ObjectIdentifier?,
        _ thread: UInt,
        _ baton: DispatchSemaphore
    ) -> Bool {
        guard self.thread == thread, let innermost = running.last, !isRushing else { return false }
        if signal == nil, ready.isEmpty { return false }
        paused.append(
            Simulation.PausedStep(
                number: innermost.number,
                places: running,
                thread: thread,
                baton: baton,
                signal: signal
            )
        )
        hasJustPaused = signal == nil
        pauses += 1
        running = []
        return true
    }

    fileprivate mutating func enter(_ step: Simulation.PausedStep) {
        (running, thread) = (step.places, step.thread)
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
