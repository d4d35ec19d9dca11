import Glibc

/// A value behind a lock, which is a leaf: nothing is called from inside that takes another lock or runs others' code.
///
/// Over pthread, because ThreadSanitizer sees what that does.
package final class Guarded<Value>: @unchecked Sendable {
    // @unchecked: `value` is read and written under `mutex` only.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Makes it with a first value.
    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs a piece of work on the value, alone.
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
