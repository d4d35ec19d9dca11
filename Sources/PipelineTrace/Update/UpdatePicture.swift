import CollectionLayouts

/// What an update did to a layout: the moment before it, the moment after it, and what was edited.
///
/// Drawn with ``svg(style:)``, the two stand side by side, every edit is marked in a way of its own, and
/// an arrow leads from the old place of whatever moved to its new one.
///
/// ```swift
/// let update = try changes.validated(from: [3, 1], to: [2, 2])
/// let picture = UpdatePicture(old: before, new: after, applying: update)
/// let text = picture.svg()
/// ```
///
/// Shape: places of ``old`` are in the view's index space before the update, those of ``new`` in the one
/// after it. Threading: a value, usable anywhere.
public struct UpdatePicture: Hashable, Sendable {
    /// The moment before.
    public var old: LayoutPicture

    /// The moment after.
    public var new: LayoutPicture

    /// What happened, in the order in which moves are numbered.
    public var edits: [Edit]

    /// One thing that happened to an element, or to a section as a whole.
    @nonexhaustive
    public enum Edit: Hashable, Sendable {
        /// The element is new.
        case inserted(new: LayoutPlace)
        /// The element is gone.
        case deleted(old: LayoutPlace)
        /// The element was replaced.
        case reloaded(old: LayoutPlace, new: LayoutPlace)
        /// The element is elsewhere.
        case moved(old: LayoutPlace, new: LayoutPlace)
        /// The section is elsewhere, with everything that is in it.
        case movedSection(old: Int, new: Int)
        /// The section was replaced, with everything that is in it and has no edit of its own.
        case reloadedSection(old: Int, new: Int)
    }

    /// Makes a picture of edits that somebody knows. Those of places that are not in the pictures are left
    /// out, and counted.
    public init(old: LayoutPicture, new: LayoutPicture, edits: [Edit]) {
        self.old = old
        self.new = new
        self.edits = edits
    }
}
