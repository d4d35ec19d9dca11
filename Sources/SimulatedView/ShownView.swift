import CollectionLayouts

/// A view in the viewport, or on its way there.
struct ShownView {
    let view: CollectionReusableView
    /// What was applied last.
    var attributes: LayoutAttributes
    /// Whether `willDisplay` was called for it.
    var isAnnounced = false
    /// Whether it is to be asked for the size that it wants.
    var needsPreferred = true
    /// Whether it is asked for the first time.
    var isNew = true
}
