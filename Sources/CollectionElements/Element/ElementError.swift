/// Why an element has no node.
@nonexhaustive
public enum ElementError: Error, Hashable, Sendable {
    /// The element was removed before its node was made.
    case removedBeforeAllocation

    /// The data source gives models alone, and there is nothing to make a node of them.
    case modelOnly
}
