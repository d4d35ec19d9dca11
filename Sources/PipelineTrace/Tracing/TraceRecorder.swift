import CollectionElements
import CollectionPipeline

/// Keeps the newest entries in memory, so that a trace or a text can be made from them later.
///
/// Shape: the newest entries, at most ``limit``, in the order in which they were received; entries
/// from one lane are in the order of that lane. ``droppedCount`` is the number of older entries
/// that were dropped. Traces and texts report that number too.
///
/// Threading: usable from anywhere. Retained: only text and numbers, no object of the pipeline.
///
/// Complexity: O(1) for each entry. A controller produces about twenty entries for each change set
/// if its environment is traced, and about ten otherwise.
public final class TraceRecorder: TraceReceiver {
    /// The maximum number of entries, at least 1.
    public let limit: Int

    private let state = Lock(State())

    private struct State {
        var entries: [TraceEntry] = []
        /// The index of the oldest entry, once the limit is reached.
        var first = 0
        var droppedCount = 0
    }

    /// Creates a recorder.
    ///
    /// - Parameter limit: The maximum number of entries. The default, 65,536, needs about 15 MB and
    ///   holds the last few thousand change sets: enough to show what led to the moment of
    ///   interest.
    public init(limit: Int = 1 << 16) { self.limit = max(1, limit) }

    /// Stores an entry. Drops the oldest entry if the recorder is full.
    public func receive(_ entry: TraceEntry) {
        // The dropped entry is freed outside the lock.
        var dropped: TraceEntry? = entry
        state.withLock { state in
            guard state.entries.count == limit else {
                state.entries.append(entry)
                return
            }
            dropped = state.entries[state.first]
            state.entries[state.first] = entry
            state.first = (state.first + 1) % limit
            state.droppedCount += 1
        }
        _ = dropped
    }

    /// The stored entries, the oldest first.
    ///
    /// Complexity: O(n).
    public var entries: [TraceEntry] {
        state.withLock { Array($0.entries[$0.first...] + $0.entries[..<$0.first]) }
    }

    /// The number of older entries that were dropped.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }
}

/// A destination for the entries of a trace: a ``TraceRecorder`` keeps them, a
/// ``ChromeTraceStream`` writes them out.
///
/// A receiver is a pipeline observer. It can observe several pipelines if their names
/// (`PipelineConfiguration.name`) differ; otherwise their submissions could not be distinguished.
/// If it is only an observer, it receives only events. A ``TracedEnvironment`` adds the work of
/// every lane and worker.
///
/// ```swift
/// let recorder = TraceRecorder()
/// let traced = TracedEnvironment("feed", receiver: recorder)
/// let controller = DataController(
///     dataSource: Feed(), view: view, configuration: named("feed"),
///     lane: traced.mainLane(EmulatedMainLane()), environment: traced, observer: recorder)
/// …
/// let bytes = ChromeTrace.json(of: recorder.entries, droppedCount: recorder.droppedCount)
/// ```
///
/// Threading: called from any thread, by several threads at the same time, in order for each lane.
/// The implementation must not block.
public protocol TraceReceiver: PipelineObserver {
    /// Receives an entry.
    func receive(_ entry: TraceEntry)
}

extension TraceReceiver {
    /// Receives an event; called by the pipeline.
    public func observe(_ event: PipelineEvent) { receive(.event(TraceEntry.Event(event))) }
}
