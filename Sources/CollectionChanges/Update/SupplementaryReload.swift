/// Supplementary elements of one kind in one section, to be asked for again.
public struct SupplementaryReload: Hashable, Sendable {
    /// Which elements.
    public var kind: SupplementaryKind

    /// In which section, by its new index.
    public var newSection: Int

    /// How to animate it.
    public var animation: AnimationOption

    /// Makes a reload; nothing is checked.
    public init(
        kind: SupplementaryKind,
        newSection: Int,
        animation: AnimationOption = .automatic
    ) {
        self.kind = kind
        self.newSection = newSection
        self.animation = animation
    }
}
