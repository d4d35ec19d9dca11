/// A node that knows which element it shows, and so can find out where that is, and ask to be measured again.
///
/// ```swift
/// final class Row: PlacedNode {
///     private let place = Mutex<ElementReference?>(nil)
///
///     func willShow(_ element: ElementReference) { place.withLock { $0 = element } }
///
///     func pictureArrived() { place.withLock { $0 }?.element?.setNeedsLayout() }
/// }
/// ```
///
/// Source: the index path and the element of Texture's cell node.
public protocol PlacedNode: CollectionNode {
    /// Tells which element the node was made for: once, on the thread that made the node, before it is told the
    /// traits and measured.
    ///
    /// One node that is given for several elements is told of each.
    func willShow(_ element: ElementReference)
}

/// What a node keeps of its element: the element keeps the node alive, and not the other way round.
public struct ElementReference: Sendable {
    /// The element; nil when the last map that had it is gone.
    public weak let element: CollectionElement?

    init(_ element: CollectionElement) { self.element = element }
}
