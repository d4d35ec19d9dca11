/// What the insets of sections are measured from.
public enum SectionInsetReference: String, Hashable, Sendable, CaseIterable {
    /// The content inset.
    case contentInset
    /// What bars and rounded corners leave free.
    case safeArea
    /// The view's margins.
    case layoutMargins
}
