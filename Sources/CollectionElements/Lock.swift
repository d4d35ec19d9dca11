import Dispatch
import Synchronization

/// The only lock type of the library: a mutex around the state that it guards.
///
/// The atomic flag next to the mutex is written and read under it. It has no measurable cost and
/// makes the hand-over visible to ThreadSanitizer, which cannot see into the standard library's
/// mutex and reports false races without it.
///
/// A lock is a leaf: no user code runs under it, and no other lock is acquired under it.
@usableFromInline
package struct Lock<State>: ~Copyable, Sendable {
    // The mutex accepts and returns only `sending` values. The lock itself guards the state, so
    // this box may be `Sendable`.
    @usableFromInline struct LockedValue: @unchecked Sendable {
        @usableFromInline var state: State
        @usableFromInline init(_ state: State) { self.state = state }
    }

    @usableFromInline struct SendableResult<Value>: @unchecked Sendable {  // passed to the caller
        @usableFromInline var value: Value
        @usableFromInline init(_ value: Value) { self.value = value }
    }

    @usableFromInline let mutex: Mutex<LockedValue>
    @usableFromInline let fence = Atomic<Bool>(false)

    @inlinable
    package init(_ state: State) { mutex = Mutex(LockedValue(state)) }

    /// Runs `body` with exclusive access to the state.
    @inlinable @inline(__always)
    package func withLock<Result, Failure>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { guarded throws(Failure) -> SendableResult<Result> in
            _ = fence.load(ordering: .acquiring)
            defer { fence.store(true, ordering: .releasing) }
            return SendableResult(try body(&guarded.state))
        }.value
    }
}

/// A counter that a thread can wait on: each `wait` consumes one `signal`.
public protocol PipelineSignal: Sendable {
    /// Releases one waiting thread, or the next thread that waits.
    func signal()

    /// Blocks until a signal is available, and consumes it.
    func wait()
}

/// A signal that blocks its thread with a semaphore.
package struct SemaphoreSignal: PipelineSignal {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func signal() { semaphore.signal() }

    package func wait() { semaphore.wait() }
}

/// Suspends the task until the callback that `start` receives is called, and returns the value that
/// is passed to it. The callback must be called exactly once.
///
/// The work that the callback's thread did before the call is visible to the task afterwards. The
/// atomic flag lets ThreadSanitizer see that too, because it cannot see a continuation's own
/// synchronisation.
package func suspend<Value: Sendable>(
    _ start: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
    let fence = Fence()
    let value = await withCheckedContinuation { continuation in
        start { value in
            fence.flag.store(true, ordering: .releasing)
            continuation.resume(returning: value)
        }
    }
    _ = fence.flag.load(ordering: .acquiring)
    return value
}

private final class Fence: Sendable {
    let flag = Atomic<Bool>(false)
}
