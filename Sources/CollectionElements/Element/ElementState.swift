/// How far the preparation of an element's content has come.
@nonexhaustive
public enum ElementState: Sendable {
    /// Nobody has begun; or nobody has again, after the node was released.
    case pending
    /// A worker is making or measuring the node.
    case allocating
    /// Measured within this range.
    case measured(SizeRange)
    /// Given up because a later change set removed the element; the size is an estimate.
    case skipped
    /// The node's provider or its measuring threw; the size is an estimate.
    case failed(any Error)
}
