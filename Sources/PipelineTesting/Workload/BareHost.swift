import CollectionElements
import CollectionLayouts
import SimulatedView

/// A view for which nothing was laid out beforehand, so that a layout of it lays out all by itself. Main lane.
package final class BareHost: LayoutHost {
    private let view: SimulatedCollectionView

    package init(_ view: SimulatedCollectionView) { self.view = view }

    package var bounds: Rect { view.bounds }
    package var adjustedContentInset: EdgeInsets { view.adjustedContentInset }
    package var safeAreaInsets: EdgeInsets { view.safeAreaInsets }
    package var layoutMargins: EdgeInsets { view.layoutMargins }
    package var isRightToLeft: Bool { view.isRightToLeft }
    package var displayScale: Double { view.displayScale }
    package var numberOfSections: Int { view.numberOfSections }

    package func numberOfItems(inSection section: Int) -> Int {
        view.numberOfItems(inSection: section)
    }

    package func context(forSection section: Int) -> (any SectionContext)? {
        view.context(forSection: section)
    }

    package func measuredSize(of place: LayoutPlace) -> Size? { view.measuredSize(of: place) }

    package var layoutMetrics: AnyObject? { nil }

    package func invalidateLayout(with context: LayoutInvalidationContext) {}
}
