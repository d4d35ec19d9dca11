import CollectionPipeline

/// One thing that a trace shows: an event of a pipeline, work on a lane or a worker, or a number at a moment.
///
/// A ``TraceReceiver`` is told of them; ``ChromeTrace`` and ``PipelineTimeline`` make something to look at of them.
@nonexhaustive
public enum TraceEntry: Hashable, Sendable {
    /// Something happened in a pipeline.
    case event(Event)
    /// A lane or a worker was busy.
    case work(Work)
    /// Something was counted.
    case count(Count)

    /// When it happened; of work, when that began.
    public var timestamp: Duration {
        switch self {
        case .event(let event): event.timestamp
        case .work(let work): work.start
        case .count(let count): count.timestamp
        }
    }

    /// The pipeline that it belongs to.
    public var pipeline: String {
        switch self {
        case .event(let event): event.pipeline
        case .work(let work): work.pipeline
        case .count(let count): count.pipeline
        }
    }
}
