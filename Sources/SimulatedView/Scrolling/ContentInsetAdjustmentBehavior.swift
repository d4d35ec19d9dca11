/// How much of the safe area a view adds to its content inset.
///
/// Source: UIScrollView.ContentInsetAdjustmentBehavior.
@nonexhaustive
public enum ContentInsetAdjustmentBehavior: String, Hashable, Sendable, CaseIterable {
    /// Its upper and lower edge; what lies at the sides is for the layout, which may ask for
    /// ``SectionInsetReference/fromSafeArea``.
    case automatic
    /// All of it.
    case always
    /// Nothing.
    case never
}
