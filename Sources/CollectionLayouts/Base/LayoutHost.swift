/// The view from the perspective of its layout.
///
/// All values are in the view's index space, and of the state that the view shows or is about to
/// show. Threading: the view's main lane.
public protocol LayoutHost: AnyObject {
    /// The viewport in content coordinates: its origin is the content offset.
    var bounds: Rect { get }

    /// The insets around the content, including the safe area.
    var adjustedContentInset: EdgeInsets { get }

    /// The insets that bars and rounded corners cover.
    var safeAreaInsets: EdgeInsets { get }

    /// The margins that content should keep.
    var layoutMargins: EdgeInsets { get }

    /// Whether content runs from right to left.
    var isRightToLeft: Bool { get }

    /// The number of pixels per unit.
    var displayScale: Double { get }

    /// The number of sections.
    var numberOfSections: Int { get }

    /// Returns the number of items in a section; 0 if there is no such section.
    func numberOfItems(inSection section: Int) -> Int

    /// Returns the context that the data source attached to a section when it was inserted.
    func context(forSection section: Int) -> (any SectionContext)?

    /// Returns the size that the pipeline measured for an element, or `nil`.
    func measuredSize(of place: LayoutPlace) -> Size?

    /// The layout data that a layout delegate prepared for the state that the view shows, or `nil`.
    /// A layout that finds the data it would compute itself can use it instead.
    var preparedLayout: (any Sendable)? { get }

    /// The object that provides metrics to layouts. A custom layout may also check whether it
    /// conforms to protocols other than ``LayoutMetrics``.
    var layoutMetrics: (any LayoutMetrics)? { get }

    /// Invalidates the layout in the view, with the parts that have changed.
    func invalidateLayout(with context: LayoutInvalidationContext)
}

extension LayoutHost {
    /// Returns `nil`.
    public var preparedLayout: (any Sendable)? { nil }

    /// The bounds without the content insets.
    var visibleRect: Rect { bounds.inset(by: adjustedContentInset) }

    /// The number of items in each section; a negative count becomes 0.
    var itemCounts: [Int] {
        (0..<max(0, numberOfSections)).map { max(0, numberOfItems(inSection: $0)) }
    }
}

/// An object that provides metrics for sections and items to any layout. They take precedence over
/// the layout's own properties.
///
/// A view returns it as ``LayoutHost/layoutMetrics``. Both members have default implementations,
/// which leave the value to the section's context (``SectionMetricsProviding``), and then to the
/// layout.
///
/// Shape: paths and sections are in the view's index space, of the state that is being prepared; if
/// the data source is ahead of its view, `DataController.dataSourcePath(for:)` converts to its
/// paths. The first preparation requests all values, section by section: the metrics, then the
/// sizes of the items in order. Later preparations request only the values of inserted or
/// invalidated items, with the metrics of their section, and, if a size may depend on the place, of
/// moved items.
///
/// Threading: called within ``CollectionLayout/prepare()``, on the view's main lane; a call must
/// not cause another layout pass. Errors: an invalid size or distance counts as zero and is
/// reported in ``CollectionLayout/errors``.
///
/// Source: UICollectionViewDelegateFlowLayout and UITableViewDelegate.
public protocol LayoutMetrics: AnyObject {
    /// Returns the metrics of a whole section.
    func metrics(ofSection section: Int) -> SectionMetrics

    /// Returns the size of an item, of which a ``ListLayout`` uses the height; `nil` leaves the
    /// size to the next source, first of all to ``SectionMetrics/itemSize``.
    ///
    /// Called for every item, even if it always returns `nil`. Layouts whose view has no layout
    /// metrics lay out a section of equal items in O(log n), with the item size of the section's
    /// context or of the layout.
    func size(ofItemAt path: ItemPath) -> Size?
}

extension LayoutMetrics {
    /// Returns empty metrics.
    public func metrics(ofSection section: Int) -> SectionMetrics { SectionMetrics() }

    /// Returns `nil`.
    public func size(ofItemAt path: ItemPath) -> Size? { nil }
}

extension LayoutHost {
    /// Returns the metrics of a section: those of the view's metrics object, completed by those of
    /// the section's context.
    func metrics(ofSection section: Int, by metrics: (any LayoutMetrics)?) -> SectionMetrics {
        let answer = metrics?.metrics(ofSection: section) ?? SectionMetrics()
        return answer.completed(by: context(forSection: section))
    }
}
