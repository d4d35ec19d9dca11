import CollectionElements
import CollectionLayouts

/// What the layout that a view has given up sees of it while it is asked where views come from: the content of
/// now, and the viewport of then, where it may have had views pinned. What it invalidates concerns nobody.
final class FormerLayoutHost: LayoutHost {
    private let view: SimulatedCollectionView
    private let viewport: Viewport

    init(of view: SimulatedCollectionView, viewport: Viewport) {
        self.view = view
        self.viewport = viewport
    }

    var bounds: Rect { viewport.bounds }

    var adjustedContentInset: EdgeInsets { viewport.inset }

    var safeAreaInsets: EdgeInsets { viewport.insets.safeArea }

    var layoutMargins: EdgeInsets { viewport.insets.margins }

    var isRightToLeft: Bool { viewport.insets.isRightToLeft }

    var displayScale: Double { viewport.insets.displayScale }

    var numberOfSections: Int { view.numberOfSections }

    func numberOfItems(inSection section: Int) -> Int {
        view.numberOfItems(inSection: section)
    }

    func context(forSection section: Int) -> (any SectionContext)? {
        view.context(forSection: section)
    }

    func measuredSize(of place: LayoutPlace) -> Size? { view.measuredSize(of: place) }

    var layoutMetrics: (any LayoutMetrics)? { view.layoutMetrics }

    func invalidateLayout(with context: LayoutInvalidationContext) {}
}
