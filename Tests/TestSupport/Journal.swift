import CollectionElements

/// A list that any thread may append to, and that a test can wait on.
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

    /// What was appended so far, in a buffer of its own.
    package var values: [Value] { state.withLock { $0.values.map { $0 } } }

    package var count: Int { state.withLock { $0.values.count } }

    package func removeAll() { state.withLock { $0.values = [] } }

    /// What was appended, as soon as there are at least `count` values.
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
