/// Answers the questions of a ``FlowLayout`` about sections and items, where its own properties do not
/// say enough.
///
/// Adopted by what a view has as ``LayoutHost/layoutMetrics``. Every member has a default, nil, which
/// leaves the say to the section's context (``FlowSectionMetricsProviding``), and then to the layout.
///
/// Shape: paths and sections are in the view's index space. All is asked up front, section by section:
/// the sizes of the items in order, then insets, interitem spacing, line spacing, header and footer.
/// Later only what came, moved or was invalidated is asked for again.
///
/// Threading: called within ``CollectionLayout/prepare()``, on the view's main lane; a call must not lead
/// to another layout pass. Errors: what is no size or distance counts as zero, and is found in
/// ``CollectionLayout/errors``.
///
/// Source: UICollectionViewDelegateFlowLayout.
public protocol FlowLayoutMetrics: AnyObject {
    /// The size of an item.
    func flowLayout(_ layout: FlowLayout, sizeForItemAt path: ItemPath) -> Size?

    /// What is left free around the lines of a section.
    func flowLayout(_ layout: FlowLayout, insetForSection section: Int) -> EdgeInsets?

    /// The least distance of items on a line of a section.
    func flowLayout(_ layout: FlowLayout, minimumInteritemSpacingForSection section: Int) -> Double?

    /// The distance of lines of a section.
    func flowLayout(_ layout: FlowLayout, minimumLineSpacingForSection section: Int) -> Double?

    /// The size of a header, of which only the extent along the scroll direction counts; zero for none.
    func flowLayout(_ layout: FlowLayout, headerReferenceSizeForSection section: Int) -> Size?

    /// The size of a footer, of which only the extent along the scroll direction counts; zero for none.
    func flowLayout(_ layout: FlowLayout, footerReferenceSizeForSection section: Int) -> Size?
}

extension FlowLayoutMetrics {
    /// nil.
    public func flowLayout(_ layout: FlowLayout, sizeForItemAt path: ItemPath) -> Size? { nil }

    /// nil.
    public func flowLayout(_ layout: FlowLayout, insetForSection section: Int) -> EdgeInsets? {
        nil
    }

    /// nil.
    public func flowLayout(_ layout: FlowLayout, minimumInteritemSpacingForSection section: Int)
        -> Double?
    { nil }

    /// nil.
    public func flowLayout(_ layout: FlowLayout, minimumLineSpacingForSection section: Int)
        -> Double?
    { nil }

    /// nil.
    public func flowLayout(_ layout: FlowLayout, headerReferenceSizeForSection section: Int)
        -> Size?
    { nil }

    /// nil.
    public func flowLayout(_ layout: FlowLayout, footerReferenceSizeForSection section: Int)
        -> Size?
    { nil }
}
