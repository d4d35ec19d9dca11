import CollectionElements

/// Carries a task's cancellation to a submission that waits for room.
final class CancellationBox: Sendable {
    private let state = Lock(State())

    private struct State {
        var isCancelled = false
        var hasComeIn = false
        var handler: (@Sendable () -> Void)?
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the submission was let in, after which cancelling has no effect.
    var hasComeIn: Bool { state.withLock { $0.hasComeIn } }

    /// The submission is let in: whatever was to be cancelled is let go of.
    func comeIn() {
        state.withLock { $0.hasComeIn = true }
        forget()
    }

    func cancel() {
        let handler = state.withLock { state in
            state.isCancelled = true
            defer { state.handler = nil }
            return state.handler
        }
        handler?()
    }

    /// Calls `handler` once, now if cancelling came first; never where the submission was let in.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            guard !state.hasComeIn else { return false }
            if !state.isCancelled { state.handler = handler }
            return state.isCancelled
        }
        if isCancelled { handler() }
    }

    /// Lets go of the handler, which holds what it would cancel.
    func forget() {
        // It ends outside the lock.
        _ = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
    }
}
