import CollectionReplication
import Dispatch
import Glibc

/// An error in the options of a connection or in a log's name, found before contacting a broker.
public struct JournalSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public let code: Code

    /// A sentence that describes the error, with the values concerned.
    public let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension JournalSetupError {
    /// A kind of error. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name, which is stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A collection name or namespace that the broker's naming rules do not allow.
        public static let name = Code(rawValue: "name")
        /// An option that the broker's client library rejects, such as an unreadable file.
        public static let option = Code(rawValue: "option")
    }
}

/// The rules for names of namespaces, collections and snapshots.
package enum JournalNames {
    package static func checkNamespace(_ name: String) throws(JournalSetupError) {
        if isPlain(name, upTo: 32) { return }
        throw JournalSetupError(
            .name,
            "Expected a namespace of 1 to 32 letters and digits, found \(name.debugDescription)."
        )
    }

    package static func checkCollection(_ name: String) throws(JournalSetupError) {
        if isPlain(name, upTo: 64, or: "-_") { return }
        throw JournalSetupError(
            .name,
            """
            Expected a collection name of 1 to 64 letters, digits, hyphens and underscores, \
            found \(name.debugDescription).
            """
        )
    }

    /// Returns an error if the chunk index or the snapshot name is invalid.
    package static func fault(ofChunk index: Int, of snapshot: String) -> LogError? {
        if !isPlain(snapshot, upTo: 100, or: "-") {
            return LogError(
                .rejected,
                """
                Expected a snapshot name of 1 to 100 letters, digits and hyphens, \
                found \(snapshot.debugDescription).
                """
            )
        }
        if index >= 0 { return nil }
        return LogError(.rejected, "Expected a chunk index of at least 0, found \(index).")
    }

    private static func isPlain(
        _ name: String,
        upTo length: Int,
        or others: StaticString = ""
    ) -> Bool {
        (1...length).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: others.withUTF8Buffer { $0.contains(byte) }
                }
            }
    }
}

/// The completion handler of a ``ReplicatedLog`` call.
public typealias LogAnswer<Value> = @Sendable (Result<Value, LogError>) -> Void

extension Result where Failure == LogError {
    /// Returns the value, or passes the error to the completion handler of a call and returns `nil`.
    package func value<Value>(orFail answer: (Result<Value, LogError>) -> Void) -> Success? {
        switch self {
        case .success(let value): return value
        case .failure(let error):
            answer(.failure(error))
            return nil
        }
    }
}

/// A value protected by a lock, which is a leaf: its holder takes no other lock and calls no
/// callback.
///
/// The lock is a pthread mutex because ThreadSanitizer understands it.
package final class LockedValue<Value>: @unchecked Sendable {
    // @unchecked: `value` is accessed only while `mutex` is locked.
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

/// The deadlines of pending requests, in request order.
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
        // Compacts when half of the array is unused, for amortized constant time.
        if head > 64, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
    }
}

/// The first position of a log, as its broker last reported it.
package final class FirstPosition: Sendable {
    private let state = LockedValue((first: UInt64(1), checkedAt: DispatchTime?.none))

    package init() {}

    /// Records the position that the broker reported.
    package func note(_ first: UInt64) { state.withLock { $0 = (first, .now()) } }

    /// Records that the records through a position were purged.
    package func notePurge(through position: UInt64) {
        state.withLock { $0.first = max($0.first, position + 1) }
    }

    /// Returns the known position, and refreshes it if it is older than a second.
    package func known(_ refresh: () -> Void) -> UInt64 {
        let (first, isOld) = state.withLock { state in
            let now = DispatchTime.now()
            let isOld = state.checkedAt.map { $0 + .seconds(1) < now } ?? true
            if isOld { state.checkedAt = now }
            return (state.first, isOld)
        }
        if isOld { refresh() }
        return first
    }
}

extension Duration {
    /// The duration in whole milliseconds, at least one, for client libraries.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 1 << 40 else { return 1 << 50 }
        return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// The duration as a Dispatch time interval.
    package var timeInterval: DispatchTimeInterval {
        .milliseconds(Int(min(wholeMilliseconds, 1 << 40)))
    }
}
