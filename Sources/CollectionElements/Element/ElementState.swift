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

/// A node measured itself as something that is no size.
public struct MeasurementError: Error, Hashable, Sendable {
    /// What the node answered.
    public let size: Size
    /// What it was asked for.
    public let sizeRange: SizeRange
}

extension MeasurementError: CustomStringConvertible {
    /// What the node answered, and what may limit it where nothing does.
    public var description: String {
        let answer = "A node measured itself as \(size.width) × \(size.height), which is no size"
        let isUnlimited =
            size.width == .infinity && sizeRange.maximum.width == .infinity
            || size.height == .infinity && sizeRange.maximum.height == .infinity
        guard isUnlimited else { return "\(answer)." }
        return "\(answer): nothing limits it. A view does, or the data source's"
            + " sizeRange(forItemAt:)."
    }
}
