import Dispatch

/// A serial queue for calls that block, apart from lanes, event loops and the threads of Swift's own tasks.
final class BlockingWork<State>: Sendable {
    private let queue: DispatchQueue
    // The queue alone reads and writes it.
    private nonisolated(unsafe) var state: State

    init(label: String, _ state: sending State) {
        queue = DispatchQueue(label: label)
        self.state = state
    }

    /// Calls `body` with the state, and returns what it returns.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (inout State) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try body(&state) })
            }
        }
    }
}
