/// What a node in the viewport is told of the scrolling around it.
///
/// Source: the visibility events of Texture's cell node.
@nonexhaustive
public enum ScrollingEvent: String, Hashable, Sendable, CaseIterable {
    /// A finger begins to drag the content.
    case willBeginDragging
    /// The finger has let go.
    case didEndDragging
    /// The content has come to rest: after a finger let go of it, or at the end of an animation.
    case didStop
}
