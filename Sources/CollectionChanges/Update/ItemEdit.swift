/// One item taken out or put in.
public struct ItemEdit: Hashable, Sendable {
    /// Where: an old path in a take-out, a new path in a put-in.
    public var path: ItemPath

    /// Why.
    public var role: EditRole

    /// Where the other half of a reload or move is: a new path in a take-out, an old path in a
    /// put-in; nil for deletes and inserts.
    public var counterpart: ItemPath?

    /// How to animate it.
    public var animation: AnimationOption

    /// Makes an edit; nothing is checked.
    public init(
        path: ItemPath,
        role: EditRole,
        counterpart: ItemPath? = nil,
        animation: AnimationOption = .automatic
    ) {
        self.path = path
        self.role = role
        self.counterpart = counterpart
        self.animation = animation
    }
}
