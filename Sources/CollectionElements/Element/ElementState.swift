/// The progress of preparing an element's content.
@nonexhaustive
public enum ElementState: Sendable {
    /// Preparation has not started, or has not restarted since the node was released.
    case pending
    /// A worker is making or measuring the node.
    case allocating
    /// The node was measured within this range.
    case measured(SizeRange)
    /// Preparing was skipped because a later change set removed the element or the controller was
    /// closed; the size is an estimate.
    case skipped
    /// The node's provider or measuring threw an error; the size is an estimate.
    case failed(any Error)
}

/// The reason why an element has no node.
@nonexhaustive
public enum ElementError: Error, Hashable, Sendable {
    /// The element was removed before its node was made.
    case removedBeforeAllocation

    /// The data source provides only models, and no function makes nodes from them.
    case modelOnly
}

extension ElementError: CustomStringConvertible {
    /// The reason why the element has no node, with a suggestion.
    public var description: String {
        switch self {
        case .removedBeforeAllocation: "The element was removed before its node was made"
        case .modelOnly:
            "The data source provides only models, so there is no node; read content.model, or make"
                + " nodes from models with a ModelDataSource"
        }
    }
}

/// The error of a node whose measured size is invalid.
public struct MeasurementError: Error, Hashable, Sendable {
    /// The size that the node returned.
    public let size: Size
    /// The range that the node was measured in.
    public let sizeRange: SizeRange
}

extension MeasurementError: CustomStringConvertible {
    /// The size that the node returned, with a suggestion if its range is unlimited.
    public var description: String {
        let answer =
            "A node measured itself as \(size.width) × \(size.height), which is not a valid size"
        let isUnlimited =
            size.width == .infinity && sizeRange.maximum.width == .infinity
            || size.height == .infinity && sizeRange.maximum.height == .infinity
        guard isUnlimited else { return "\(answer)." }
        return "\(answer): its size range is unlimited. Attach a view, or limit the range in"
            + " the data source's sizeRange(forItemAt:)."
    }
}

/// A revision of an element's content that is later than the first content.
final class ElementRevision: Sendable {
    let model: (any Sendable)?
    let sizeRange: SizeRange

    /// Whether the revision's provider may make a node that replaces another; otherwise the
    /// provider is used only if the element has no node by then.
    let mayReplaceNode: Bool

    /// Whether the revision may be shown before it is prepared, because it shows the same model as
    /// before, with the same node.
    let mayBeDeferred: Bool

    /// The size to use while this revision is not measured: that of the previous one.
    let previousSize: Size?

    /// The provider that makes the node again after it was released; `nil` if nodes are not
    /// released.
    let keptProvider: NodeProvider?

    /// Guarded by the lock. Written by the thread that has claimed the element, and by the main
    /// lane when the revision is shown; read by every thread.
    let body: Lock<Body>

    struct Body {
        var progress = ContentProgress()
        var node: RevisionNode
    }

    init(
        model: (any Sendable)?,
        sizeRange: SizeRange,
        provider: NodeProvider?,
        keptProvider: NodeProvider?,
        keepsNode: Bool,
        previousSize: Size?,
        retried: ElementRevision?
    ) {
        self.model = model
        self.sizeRange = sizeRange
        self.keptProvider = keptProvider
        mayReplaceNode = provider != nil && !keepsNode
        mayBeDeferred = keepsNode
        self.previousSize = previousSize
        body = Lock(Body(node: provider.map { .provided($0, retrying: retried) } ?? .spent))
    }
}
