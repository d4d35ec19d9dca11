import CollectionElements

/// What a ``SectionLayout`` is given to lay out.
///
/// Every number in it is finite and not negative: what was not counts as zero, and was reported.
/// Optional values are nil where nobody said anything, so that the layout's own hold.
///
/// Threading: valid on the main lane, during the call that it is handed to.
public struct SectionInput {
    /// The index of the section now, in the view's index space; it changes with edits elsewhere.
    public let section: Int

    /// The axis along which the collection scrolls.
    public let scrollDirection: ScrollDirection

    /// The extent across the scroll direction that the section fills.
    public let acrossExtent: Double

    /// How many items there are.
    public let itemCount: Int

    /// What ``SectionMetrics`` say about the section.
    public let metrics: SectionMetricValues

    /// The extent of the header along the scroll direction, as it was measured.
    let measuredHeaderExtent: Double?

    /// The extent of the footer along the scroll direction, as it was measured.
    let measuredFooterExtent: Double?

    let measuredSizes: [Int: Size]
    let offeredSize: (Int) -> Size?
    let errors: SectionLayoutErrorLog

    /// The extent of the header along the scroll direction, before a layout's own.
    public var headerExtent: Double? { measuredHeaderExtent ?? metrics.headerExtent }

    /// The extent of the footer along the scroll direction, before a layout's own.
    public var footerExtent: Double? { measuredFooterExtent ?? metrics.footerExtent }

    /// The size of an item: what its view wanted, or what the metrics say, or what the pipeline
    /// measured, or nil.
    ///
    /// Complexity: that of asking the metrics; to be asked once an item.
    public func size(ofItem item: Int) -> Size? {
        if !measuredSizes.isEmpty, let size = measuredSizes[item] { return size }
        guard let size = offeredSize(item) else { return nil }
        return Size(
            width: usable(size.width, as: .itemSize, item: item),
            height: usable(size.height, as: .itemSize, item: item)
        )
    }

    /// A number, or zero where it is not finite, negative or beyond ``SectionLayoutError/largestExtent``;
    /// that is then reported as an error of the composed layout.
    public func usable(_ value: Double, as code: SectionLayoutError.Code, item: Int? = nil)
        -> Double
    {
        errors.usable(value, as: code, section: section, item: item)
    }

    /// The insets with every side ``usable(_:as:item:)``.
    public func usable(_ insets: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: usable(insets.top, as: .inset),
            left: usable(insets.left, as: .inset),
            bottom: usable(insets.bottom, as: .inset),
            right: usable(insets.right, as: .inset)
        )
    }
}
