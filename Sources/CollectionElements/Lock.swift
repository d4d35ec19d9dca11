import Synchronization

/// The one lock of the library: a mutex around the state that it guards.
///
/// The atomic flag beside the mutex is written and read under it. It costs nothing measurable and
/// makes the hand-over visible to ThreadSanitizer, which cannot see into the standard library's
/// mutex and reports false races without it.
///
/// A lock is a leaf: user code never runs under it, and no other lock is taken under it.
@usableFromInline
package struct Lock<State>: ~Copyable, Sendable {
    // The mutex only lets `sending` values in and out; what is locked here is guarded by the lock
    // itself, so the box vouches for it.
    @usableFromInline struct Guarded: @unchecked Sendable {
        @usableFromInline var state: State
        @usableFromInline init(_ state: State) { self.state = state }
    }

    @usableFromInline struct Carried<Value>: @unchecked Sendable {  // leaves with the caller
        @usableFromInline var value: Value
        @usableFromInline init(_ value: Value) { self.value = value }
    }

    @usableFromInline let mutex: Mutex<Guarded>
    @usableFromInline let fence = Atomic<Bool>(false)

    @inlinable
    package init(_ state: State) { mutex = Mutex(Guarded(state)) }

    /// Runs `body` with exclusive access to the state.
    @inlinable @inline(__always)
    package func withLock<Result, Failure>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { guarded throws(Failure) -> Carried<Result> in
            _ = fence.load(ordering: .acquiring)
            defer { fence.store(true, ordering: .releasing) }
            return Carried(try body(&guarded.state))
        }.value
    }
}
