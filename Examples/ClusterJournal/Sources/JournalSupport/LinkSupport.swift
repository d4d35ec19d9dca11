import CollectionReplication
import Dispatch
import Glibc

/// A call's answer of a ``ReplicatedLog``.
public typealias LogAnswer<Value> = @Sendable (Result<Value, LogError>) -> Void

/// A value behind a lock. The lock is a leaf: nothing that runs under it takes another lock or calls others' code.
///
/// It uses pthread, because ThreadSanitizer sees what that does.
package final class Guarded<Value>: @unchecked Sendable {
    // @unchecked: `value` is read and written under `mutex` only.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

/// The deadlines of requests that wait, in the order of the requests.
package struct DeadlineQueue {
    private var entries: [(token: UInt64, deadline: DispatchTime)] = []
    private var head = 0

    package init() {}

    /// The oldest request and its deadline.
    package var first: (token: UInt64, deadline: DispatchTime)? {
        head < entries.count ? entries[head] : nil
    }

    package mutating func append(_ token: UInt64, at deadline: DispatchTime) {
        entries.append((token, deadline))
    }

    package mutating func removeFirst() {
        head += 1
        // Moved to the front when half of it is used up, so that a request costs constant time.
        if head > 64, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
    }
}

extension Duration {
    /// Whole milliseconds, at least one, as client libraries count.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 1 << 40 else { return 1 << 50 }
        return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// The same duration for deadlines of Dispatch.
    package var timeInterval: DispatchTimeInterval {
        .milliseconds(Int(min(wholeMilliseconds, 1 << 40)))
    }
}
