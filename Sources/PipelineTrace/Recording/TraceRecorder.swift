import CollectionElements
import CollectionPipeline

/// Keeps what happened last, for a trace or a text to be made of it when somebody wants to look.
///
/// Shape: the newest entries, at most ``limit``, in the order in which they came, which is that of each lane; ``leftOut``
/// tells how many older ones were dropped for them. What is made of them says so too.
///
/// Threading: usable from anywhere. What is retained: nothing of the pipeline but words.
///
/// Complexity: O(1) for an entry. A controller has some twenty entries a change set where its environment is traced,
/// and ten otherwise.
public final class TraceRecorder: TraceReceiver {
    /// How many entries are kept, at least 1.
    public let limit: Int

    private let state = Lock(State())

    private struct State {
        var entries: [TraceEntry] = []
        /// Where the oldest is, once the limit is reached.
        var first = 0
        var leftOut = 0
    }

    /// Makes a recorder.
    ///
    /// - Parameter limit: how many entries it keeps. The default, 65,536, are some 15 MB and the last few thousand
    ///   change sets: what led to the moment at which somebody looks.
    public init(limit: Int = 1 << 16) { self.limit = max(1, limit) }

    /// Takes an entry, and drops the oldest where there is no room.
    public func receive(_ entry: TraceEntry) {
        // What it held is freed behind the lock.
        var dropped: TraceEntry? = entry
        state.withLock { state in
            guard state.entries.count == limit else {
                state.entries.append(entry)
                return
            }
            dropped = state.entries[state.first]
            state.entries[state.first] = entry
            state.first = (state.first + 1) % limit
            state.leftOut += 1
        }
        _ = dropped
    }

    /// What was kept, the oldest first.
    ///
    /// Complexity: O(n).
    public var entries: [TraceEntry] {
        state.withLock { Array($0.entries[$0.first...] + $0.entries[..<$0.first]) }
    }

    /// How many older ones were dropped.
    public var leftOut: Int { state.withLock { $0.leftOut } }
}
