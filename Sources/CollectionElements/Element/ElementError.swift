/// Why an element has no node.
@nonexhaustive
public enum ElementError: Error, Hashable, Sendable {
    /// The element was removed before its node was made.
    case removedBeforeAllocation

    /// The data source gives models alone, and there is nothing to make a node of them.
    case modelOnly
}

extension ElementError: CustomStringConvertible {
    /// Why there is no node, and what to do.
    public var description: String {
        switch self {
        case .removedBeforeAllocation: "The element was removed before its node was made"
        case .modelOnly:
            "The data source gives models alone, so there is no node; read content.model, or make"
                + " nodes of models by a ModelDataSource"
        }
    }
}
