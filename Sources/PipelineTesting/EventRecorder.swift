import CollectionElements
import CollectionPipeline

/// Records the events of pipelines for a test.
///
/// ```swift
/// let recorder = EventRecorder()
/// let controller = DataController(dataSource: Feed(), observer: recorder)
/// …
/// #expect(recorder.events(.rejected).isEmpty)
/// ```
///
/// Shape: the first events, up to the capacity, in the order in which they were received. ``count``
/// includes later events.
///
/// Threading: usable from anywhere.
public final class EventRecorder: PipelineObserver {
    private let state = Lock(State())
    private let capacity: Int

    private struct State {
        var events: [PipelineEvent] = []
        var count = 0
    }

    /// Creates a recorder.
    ///
    /// - Parameter capacity: The maximum number of events that it keeps.
    public init(capacity: Int = 1 << 16) { self.capacity = max(0, capacity) }

    /// Records an event; called by the pipeline.
    public func observe(_ event: PipelineEvent) {
        state.withLock { state in
            state.count += 1
            if state.events.count < capacity { state.events.append(event) }
        }
    }

    /// The recorded events.
    public var events: [PipelineEvent] { state.withLock { $0.events } }

    /// The number of events received, including those that exceeded the capacity.
    public var count: Int { state.withLock { $0.count } }

    /// Returns the recorded events of one kind.
    public func events(_ kind: PipelineEvent.Kind) -> [PipelineEvent] {
        events.filter { $0.kind == kind }
    }

    /// Returns the names of the events of a submission, in order. If `submission` is `nil`, returns
    /// those of events without a submission.
    public func kinds(of submission: SubmissionID?) -> [String] {
        events.filter { $0.submission == submission }.map(\.kind.rawValue)
    }
}
