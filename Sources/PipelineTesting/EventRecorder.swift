import CollectionElements
import CollectionPipeline

/// Keeps the events of pipelines, for tests to look at.
///
/// ```swift
/// let recorder = EventRecorder()
/// let controller = DataController(dataSource: Feed(), observer: recorder)
/// …
/// #expect(recorder.events(.rejected).isEmpty)
/// ```
///
/// Shape: the oldest events up to the capacity, in the order in which they came; ``count`` tells how many
/// there were.
///
/// Threading: usable from anywhere.
public final class EventRecorder: PipelineObserver {
    private let state = Lock(State())
    private let capacity: Int

    private struct State {
        var events: [PipelineEvent] = []
        var count = 0
    }

    /// Makes a recorder.
    ///
    /// - Parameter capacity: how many events it keeps; what a test looks at, and bounded.
    public init(capacity: Int = 1 << 16) { self.capacity = max(0, capacity) }

    /// Notes an event; the pipeline calls it.
    public func observe(_ event: PipelineEvent) {
        state.withLock { state in
            state.count += 1
            if state.events.count < capacity { state.events.append(event) }
        }
    }

    /// The events that were kept.
    public var events: [PipelineEvent] { state.withLock { $0.events } }

    /// How many there were.
    public var count: Int { state.withLock { $0.count } }

    /// The events of one kind.
    public func events(_ kind: PipelineEvent.Kind) -> [PipelineEvent] {
        events.filter { $0.kind == kind }
    }

    /// The names of the events of a submission, in order; with nil, of those that have none.
    public func kinds(of submission: SubmissionID?) -> [String] {
        events.filter { $0.submission == submission }.map(\.kind.rawValue)
    }
}
