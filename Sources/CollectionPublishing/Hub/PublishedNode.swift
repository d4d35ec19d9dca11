/// A node that renders what readers are shown of its element.
///
/// Render in step 3, on a worker: in the provider or in `measure(in:)`. A node that takes new models in place
/// (``ReconfigurableNode``) renders them in `measure(_:in:)` and has the new payload from `update(to:)` on; one that
/// does not is replaced by another whenever its element is reconfigured, which is simplest: ``PayloadNode``.
public protocol PublishedNode: CollectionNode {
    /// What readers are shown. Asked on the main lane, once for each update that brings, changes or measures the
    /// element; nil while there is nothing: then readers keep what they had of it, if anything.
    var payload: PublishedPayload? { get }
}

/// A node that is its payload: rendered when it is made, and never changed.
///
/// ```swift
/// func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
///     let row = rows[path.item]
///     return { PayloadNode("<li>\(row.title)</li>") }
/// }
/// ```
public final class PayloadNode: PublishedNode {
    /// What readers are shown.
    public let payload: PublishedPayload?

    private let size: Size

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - payload: what readers are shown.
    ///   - size: what measuring it gives, for a layout beside the hub; nothing by default.
    public init(_ payload: PublishedPayload, size: Size = .zero) {
        self.payload = payload
        self.size = size
    }

    /// The size that the node was made with.
    public func measure(in range: SizeRange) -> Size { size }
}
