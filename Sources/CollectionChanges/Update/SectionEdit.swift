/// One section taken out or put in.
public struct SectionEdit: Hashable, Sendable {
    /// Where: an old index in a take-out, a new index in a put-in.
    public var section: Int

    /// Why.
    public var role: EditRole

    /// Where the other half of a reload or move is: a new index in a take-out, an old index in a
    /// put-in; nil for deletes and inserts.
    public var counterpart: Int?

    /// How many fresh items an inserted or reloaded section arrives with, before items are put into
    /// it one by one; 0 for take-outs and for moved sections, which carry what is left in them.
    public var freshItemCount: Int

    /// How to animate it.
    public var animation: AnimationOption

    /// Makes an edit; nothing is checked.
    public init(
        section: Int,
        role: EditRole,
        counterpart: Int? = nil,
        freshItemCount: Int = 0,
        animation: AnimationOption = .automatic
    ) {
        self.section = section
        self.role = role
        self.counterpart = counterpart
        self.freshItemCount = freshItemCount
        self.animation = animation
    }
}
