/// One item removed or inserted.
public struct ItemEdit: Hashable, Sendable {
    /// Where: an old path in a removal, a new path in an insertion.
    public var path: ItemPath

    // The next two in this order, in which an edit takes 48 bytes, and not 56.

    /// Where the other half of a reload or move is: a new path in a removal, an old path in an
    /// insertion; nil for deletes and inserts.
    public var associatedWith: ItemPath?

    /// Why.
    public var role: EditRole

    /// How to animate it.
    public var animation: AnimationOption

    /// Makes an edit; nothing is checked.
    public init(
        path: ItemPath,
        role: EditRole,
        associatedWith: ItemPath? = nil,
        animation: AnimationOption = .automatic
    ) {
        self.path = path
        self.role = role
        self.associatedWith = associatedWith
        self.animation = animation
    }
}
