import CollectionElements
import Dispatch

/// Holds threads back for as long as a test likes.
package final class Gate: Sendable {
    private let state: Lock<State>
    private let arrivals = Journal<Void>()

    private struct State {
        var isOpen: Bool
        var held: [DispatchSemaphore] = []
    }

    package init(isOpen: Bool = false) { state = Lock(State(isOpen: isOpen)) }

    /// Goes through; **blocks** while the gate is closed.
    package func pass() {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard !state.isOpen else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.held.append(semaphore)
            return semaphore
        }
        arrivals.append(())
        semaphore?.wait()
    }

    /// Lets everybody through, now and from now on.
    package func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for semaphore in held { semaphore.signal() }
    }

    package func close() { state.withLock { $0.isOpen = false } }

    /// How many have come to the gate so far.
    package var arrivalCount: Int { arrivals.count }

    /// Returns when at least that many have come to the gate.
    package func reached(by count: Int = 1) async { await arrivals.values(count: count) }
}
