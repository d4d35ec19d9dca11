/// One section removed or inserted.
public struct SectionEdit: Hashable, Sendable {
    /// Where: an old index in a removal, a new index in an insertion.
    public var section: Int

    /// Why.
    public var role: EditRole

    /// Where the other half of a reload or move is: a new index in a removal, an old index in an
    /// insertion; nil for deletes and inserts.
    public var associatedWith: Int?

    /// How many fresh items an inserted or reloaded section arrives with, before items are put into
    /// it one by one; 0 for removals and for moved sections, which carry what is left in them.
    public var freshItemCount: Int

    /// How to animate it.
    public var animation: AnimationOption

    /// Makes an edit; nothing is checked.
    public init(
        section: Int,
        role: EditRole,
        associatedWith: Int? = nil,
        freshItemCount: Int = 0,
        animation: AnimationOption = .automatic
    ) {
        self.section = section
        self.role = role
        self.associatedWith = associatedWith
        self.freshItemCount = freshItemCount
        self.animation = animation
    }
}
