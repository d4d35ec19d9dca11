/// Why an element has no node.
public enum ElementError: Error, Hashable, Sendable {
    /// The element was removed before its node was made.
    case removedBeforeAllocation
}
