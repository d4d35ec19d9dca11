/// What a submission, or a whole controller, waits for.
@nonexhaustive
public enum PipelineWait: Hashable, Sendable {
    /// Room in the backlog: the view must deploy what was accepted earlier.
    case room
    /// The end of a batch that is open across turns.
    case batchEnd
}
