/// What a layout sees of the view that it lays out.
///
/// Everything is in the view's index space and of the state that the view shows, or is about to.
/// Threading: the view's main lane.
public protocol LayoutHost: AnyObject {
    /// The viewport in content coordinates: its origin is the content offset.
    var bounds: Rect { get }

    /// What the view keeps free around the content, safe area included.
    var adjustedContentInset: EdgeInsets { get }

    /// What bars and rounded corners cover.
    var safeAreaInsets: EdgeInsets { get }

    /// The margins that content should keep.
    var layoutMargins: EdgeInsets { get }

    /// Whether content runs from right to left.
    var isRightToLeft: Bool { get }

    /// How many pixels a unit has.
    var displayScale: Double { get }

    /// How many sections there are.
    var numberOfSections: Int { get }

    /// How many items a section has; 0 where there is no such section.
    func numberOfItems(inSection section: Int) -> Int

    /// What the data source attached to a section when it was inserted.
    func context(forSection section: Int) -> (any SectionContext)?

    /// The size that the pipeline measured an element with, or nil.
    func measuredSize(of place: LayoutPlace) -> Size?

    /// What a layout delegate laid out beforehand of what the view shows, or nil: a layout that finds there what it
    /// would lay out itself need not do so.
    var preparedLayout: (any Sendable)? { get }

    /// Whoever answers a layout's questions; a layout of one's own may look for more than ``LayoutMetrics``.
    var layoutMetrics: (any LayoutMetrics)? { get }

    /// The layout asks to be invalidated, with what has changed.
    func invalidateLayout(with context: LayoutInvalidationContext)
}

extension LayoutHost {
    /// Nothing.
    public var preparedLayout: (any Sendable)? { nil }

    /// The bounds without what the view keeps free around the content.
    var visibleRect: Rect { bounds.inset(by: adjustedContentInset) }

    /// How many items each section has; what counts less than none has none.
    var itemCounts: [Int] {
        (0..<max(0, numberOfSections)).map { max(0, numberOfItems(inSection: $0)) }
    }
}
