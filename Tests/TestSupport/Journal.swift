import CollectionElements
import Dispatch

/// A list that any thread may append to and that a test can wait for.
package final class Journal<Value: Sendable>: Sendable {
    private let state = Lock(State())

    private struct State {
        var values: [Value] = []
        var waiters: [(count: Int, resume: @Sendable () -> Void)] = []
    }

    package init() {}

    package func append(_ value: Value) {
        let ready = state.withLock { state -> [(count: Int, resume: @Sendable () -> Void)] in
            state.values.append(value)
            if state.waiters.isEmpty { return [] }
            let count = state.values.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters = state.waiters.filter { $0.count > count }
            return ready
        }
        for waiter in ready { waiter.resume() }
    }

    /// A copy of all values appended so far.
    package var values: [Value] { state.withLock { $0.values.map { $0 } } }

    package var count: Int { state.withLock { $0.values.count } }

    package func removeAll() { state.withLock { $0.values = [] } }

    /// Waits until there are at least `count` values, and returns all of them.
    @discardableResult
    package func values(count: Int) async -> [Value] {
        await suspend { (resume: @escaping @Sendable (()) -> Void) in
            let isReady = state.withLock { state in
                if state.values.count >= count { return true }
                state.waiters.append((count, { resume(()) }))
                return false
            }
            if isReady { resume(()) }
        }
        return values
    }
}

/// Blocks threads until a test opens it.
package final class Gate: Sendable {
    private let state: Lock<State>
    private let arrivals = Journal<Void>()

    private struct State {
        var isOpen: Bool
        var held: [DispatchSemaphore] = []
    }

    package init(isOpen: Bool = false) { state = Lock(State(isOpen: isOpen)) }

    /// Passes the gate; **blocks** while it is closed.
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

    /// Releases all waiting threads and lets later ones pass.
    package func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for semaphore in held { semaphore.signal() }
    }

    package func close() { state.withLock { $0.isOpen = false } }

    package var arrivalCount: Int { arrivals.count }

    /// Returns when there were at least `count` arrivals at the gate.
    package func reached(by count: Int = 1) async { await arrivals.values(count: count) }
}
