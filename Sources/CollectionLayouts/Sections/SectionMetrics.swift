import CollectionElements

/// Answers the questions of a ``ComposedLayout`` about sections and items; every member is optional.
///
/// It is found as ``LayoutHost/layoutMetrics``. Paths and sections are in the view's index space, of the
/// state that is being prepared. It is asked when a section is prepared, about that section only.
///
/// Threading: main lane of the view. It must not change the layout or the view from within.
///
/// Source: UICollectionViewDelegateFlowLayout.
public protocol SectionMetrics: AnyObject {
    /// The size of an item; nil to leave it to the pipeline's measurement, or to the section's layout.
    func size(ofItemAt path: ItemPath) -> Size?

    /// What holds for a whole section.
    func metrics(ofSection section: Int) -> SectionMetricValues
}

extension SectionMetrics {
    /// Nil.
    public func size(ofItemAt path: ItemPath) -> Size? { nil }

    /// Nothing.
    public func metrics(ofSection section: Int) -> SectionMetricValues { SectionMetricValues() }
}

/// What holds for a whole section; nil where its layout's own values hold.
public struct SectionMetricValues: Hashable, Sendable {
    /// The free space around the items, but not around header and footer.
    public var insets: EdgeInsets?

    /// The space between lines, along the scroll direction.
    public var lineSpacing: Double?

    /// The space between items of a line, across the scroll direction.
    public var interitemSpacing: Double?

    /// The extent of the header along the scroll direction; 0 for no header.
    public var headerExtent: Double?

    /// The extent of the footer along the scroll direction; 0 for no footer.
    public var footerExtent: Double?

    /// Makes values; they are checked when a section is prepared.
    public init(
        insets: EdgeInsets? = nil,
        lineSpacing: Double? = nil,
        interitemSpacing: Double? = nil,
        headerExtent: Double? = nil,
        footerExtent: Double? = nil
    ) {
        self.insets = insets
        self.lineSpacing = lineSpacing
        self.interitemSpacing = interitemSpacing
        self.headerExtent = headerExtent
        self.footerExtent = footerExtent
    }
}
