/// What of a ``FlowLayout`` is no longer right.
///
/// As it is made it says that sizes and metrics must be asked for again. With items or supplementary
/// views listed, only theirs are.
///
/// Source: UICollectionViewFlowLayoutInvalidationContext.
open class FlowLayoutInvalidationContext: LayoutInvalidationContext {
    /// Whether sizes, insets and spacings are to be asked for again; otherwise the layout keeps them.
    public var invalidatesFlowLayoutDelegateMetrics = true

    /// Whether lines are to be broken and placed again; otherwise the layout keeps them.
    public var invalidatesFlowLayoutAttributes = true
}
