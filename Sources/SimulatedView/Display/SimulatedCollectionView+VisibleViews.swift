import CollectionLayouts
import CollectionPipeline

// The views that are shown, for programs to look at.

extension SimulatedCollectionView {
    /// The cells in the viewport as of the last pass, ascending by path.
    public var visibleCells: [CollectionViewCell] {
        requireLane("visibleCells")
        return display.shown.cells.compactMap { $0.view as? CollectionViewCell }
    }

    /// All views in the viewport as of the last pass: cells, then supplementary views, then decorations,
    /// each by kind, and then ascending by path. Where each is, its ``CollectionReusableView/attributes`` say.
    public var visibleViews: [CollectionReusableView] {
        requireLane("visibleViews")
        return display.shown.all.map(\.view)
    }

    /// The cell of an item; nil where it is not in the viewport.
    public func cellForItem(at path: ItemPath) -> CollectionViewCell? {
        requireLane("cellForItem(at:)")
        return display.shown[.cell(path)]?.view as? CollectionViewCell
    }

    /// The items in the viewport as of the last pass, ascending.
    public var indexPathsForVisibleItems: [ItemPath] {
        requireLane("indexPathsForVisibleItems")
        return display.shown.cells.map(\.place.path)
    }

    /// The item that a cell shows; nil where it is not in the viewport.
    public func indexPath(for cell: CollectionViewCell) -> ItemPath? { place(of: cell)?.path }

    /// The supplementary views of a kind in the viewport as of the last pass, ascending by path.
    public func visibleSupplementaryViews(
        ofKind kind: SupplementaryKind
    ) -> [CollectionReusableView] {
        requireLane("visibleSupplementaryViews(ofKind:)")
        return shownSupplementaryViews(ofKind: kind).map(\.view)
    }

    /// Where ``visibleSupplementaryViews(ofKind:)`` are, in the same order.
    public func indexPathsForVisibleSupplementaryElements(
        ofKind kind: SupplementaryKind
    ) -> [ItemPath] {
        requireLane("indexPathsForVisibleSupplementaryElements(ofKind:)")
        return shownSupplementaryViews(ofKind: kind).map(\.place.path)
    }

    private func shownSupplementaryViews(ofKind kind: SupplementaryKind) -> [ShownView] {
        display.shown.all.filter { $0.place.category == .supplementary(kind) }
    }

    /// A supplementary view; nil where it is not in the viewport.
    public func supplementaryView(
        forElementKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> CollectionReusableView? {
        requireLane("supplementaryView(forElementKind:at:)")
        return display.shown[LayoutPlace(.supplementary(kind), path)]?.view
    }

    /// The view at any place; nil where it is not in the viewport.
    public func visibleView(at place: LayoutPlace) -> CollectionReusableView? {
        requireLane("visibleView(at:)")
        return display.shown[place]?.view
    }

    /// Where a view is shown; nil where it is not in the viewport.
    public func place(of view: CollectionReusableView) -> LayoutPlace? {
        requireLane("place(of:)")
        guard let place = view.attributes?.place, display.shown[place]?.view === view else {
            return nil
        }
        return place
    }

    /// The item that is in front at a point, in content coordinates; nil where none is. For what a reader
    /// touches there is ``hitTest(_:)``.
    public func indexPathForItem(at point: Point) -> ItemPath? {
        requireLane("indexPathForItem(at:)")
        return front(display.shown.cells) { $0.frame.contains(point) }?.attributes.indexPath
    }

    // MARK: Attributes

    /// Where the layout has an item, in the viewport or not; nil where there is no such item, or the layout
    /// has no place for it. Lays the view out before.
    public func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        requireLane("layoutAttributesForItem(at:)")
        return layoutAttributes(for: .cell(path))
    }

    /// Where the layout has a supplementary view, in the viewport or not; nil where it places none. Lays the
    /// view out before.
    public func layoutAttributesForSupplementaryElement(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? {
        requireLane("layoutAttributesForSupplementaryElement(ofKind:at:)")
        return layoutAttributes(for: LayoutPlace(.supplementary(kind), path))
    }

    private func layoutAttributes(for place: LayoutPlace) -> LayoutAttributes? {
        bringUpToDate()
        return content.contains(place) ? attributes(for: place) : nil
    }

    // MARK: Reuse

    /// How many views wait to be used again.
    public var numberOfReusableViews: Int {
        requireLane("numberOfReusableViews")
        return supply.pool.count
    }

    /// How many views were made so far; fewer than were shown, where they are used again.
    public var numberOfMadeViews: Int {
        requireLane("numberOfMadeViews")
        return supply.pool.madeViews
    }
}
