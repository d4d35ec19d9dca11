/// How a flow layout is set up, as a value: what it lays out with beside the view and the content.
struct FlowSettings: Hashable, Sendable {
    let direction: ScrollDirection
    let lineSpacing: Double
    let interitemSpacing: Double
    let itemSize: Size
    let hasOwnItemSize: Bool
    /// The size of items that were not yet shown; nil if sizes are known beforehand.
    let estimate: Size?
    let headerReferenceSize: Size
    let footerReferenceSize: Size
    let inset: EdgeInsets
    let insetReference: SectionInsetReference

    /// The size of every item of which nobody says more; nil where they are measured.
    var fixedItemSize: Size? { estimate == nil && hasOwnItemSize ? itemSize : nil }

    init(_ layout: FlowLayout) {
        direction = layout.scrollDirection
        lineSpacing = layout.minimumLineSpacing
        interitemSpacing = layout.minimumInteritemSpacing
        itemSize = layout.itemSize
        hasOwnItemSize = layout.hasOwnItemSize
        estimate = layout.effectiveEstimate
        headerReferenceSize = layout.headerReferenceSize
        footerReferenceSize = layout.footerReferenceSize
        inset = layout.sectionInset
        insetReference = layout.sectionInsetReference
    }
}

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
