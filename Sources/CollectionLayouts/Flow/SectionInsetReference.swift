/// What the insets of sections are measured from.
@nonexhaustive
public enum SectionInsetReference: String, Hashable, Sendable, CaseIterable {
    /// The content inset.
    case fromContentInset
    /// What bars and rounded corners leave free.
    case fromSafeArea
    /// The view's margins.
    case fromLayoutMargins
}
