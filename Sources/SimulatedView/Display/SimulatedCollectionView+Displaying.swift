import CollectionLayouts
import CollectionPipeline

// Single views: how a view is shown, placed, announced and hidden.

extension SimulatedCollectionView {
    /// Makes, places and sizes the view of an element that enters the viewport. Reports an error if
    /// there is no view for it.
    func show(_ attributes: LayoutAttributes, asksView: Bool) {
        let place = attributes.place
        let view: CollectionReusableView
        if place.category == .cell, let prepared = reuse.prefetching.takePrepared(place.path) {
            view = prepared.cell
            // The element may have changed while the cell waited.
            refill(view, at: place, isReconfigured: prepared.isStale)
        } else {
            do throws(ViewError) {
                view = try makeView(for: place)
            } catch {
                return report(error)
            }
        }
        let shown = ShownView(view, attributes)
        display.shown.insert(shown)
        settle(view, attributes)
        restoreState(of: view, at: place)
        if asksView { queryPreferredSize(shown, attributes) }
        if pass.isPrepared { announce(shown) }
        pass.shown(place)
    }

    /// Applies attributes to a visible view, if they are new.
    func apply(_ attributes: LayoutAttributes, to known: ShownView) {
        known.attributes = attributes
        known.settled()
        settle(known.view, attributes)
    }

    func settle(_ view: CollectionReusableView, _ attributes: LayoutAttributes) {
        guard view.attributes != attributes else { return }
        view.attributes = attributes
        log.append(.apply(attributes.place))
        view.apply(attributes)
    }

    /// Announces the views that remain visible and were not announced before, after applying their
    /// final sizes.
    func announce(_ needed: [LayoutAttributes]) {
        for (index, attributes) in needed.enumerated() {
            guard let known = display.shown.view(at: attributes.place, near: index),
                !known.isAnnounced
            else { continue }
            apply(attributes, to: known)
            announce(known)
        }
    }

    func announce(_ known: ShownView) {
        if known.isAnnounced { return }
        known.isAnnounced = true
        let place = known.place
        if place.category == .cell { reuse.prefetching.noteShown(place.path) }
        log.append(.willDisplay(place))
        delegate?.collectionView(self, willDisplay: known.view, at: place)
    }

    /// Requests deferred measurements for the elements in the viewport.
    func requestMeasurements() {
        for known in display.shown.all where known.view.wantsMeasuring {
            known.view.wantsMeasuring = false
            known.view.element?.setNeedsMeasuring()
        }
    }

    /// Requests that all elements be measured again, if their size ranges may have changed. A view
    /// without extent waits until it has one, and a view without content waits until it has some.
    func requestRelayout() {
        guard source.mayHaveNewSizeRanges, !viewport.bounds.isEmpty, source.version > 0 else {
            return
        }
        source.mayHaveNewSizeRanges = false
        content.pipelineMap?.setNeedsRelayout()
    }

    /// Hides the views that are no longer needed.
    ///
    /// - Parameter needed: The attributes of the needed views, ascending by place.
    func hide(except needed: [LayoutAttributes]) {
        var next = 0
        for known in display.shown.all {
            while next < needed.count, needed[next].place < known.place { next += 1 }
            if next == needed.count || needed[next].place != known.place { hide(known.place) }
        }
    }

    /// Removes a view from the viewport.
    func hide(_ place: LayoutPlace) {
        guard let known = display.shown.remove(place) else { return }
        if let update = display.animated, known.isAnnounced, !update.isUnanimated(new: place) {
            // The view moves out of the viewport until the animation ends, together with those that
            // the update removed.
            display.leaving[display.leaving.count - 1].append(known)
            return
        }
        if known.isAnnounced { notifyEnd(known.view, known.lastPlace) }
        // The view of a header may also be a `CollectionViewCell`, but no item will use it again.
        if reuse.prefetching.isEnabled, place.category == .cell,
            let cell = known.view as? CollectionViewCell
        {
            prepare(cell, at: place.path)
        } else {
            recycle(known.view, place.category)
        }
    }

    /// Ends the display of a view that was visible, and therefore announced, before an update.
    func endDisplaying(_ leaving: ShownView) {
        notifyEnd(leaving.view, leaving.lastPlace)
        recycle(leaving.view, leaving.place.category)
    }

    private func notifyEnd(_ view: CollectionReusableView, _ place: LayoutPlace) {
        log.append(.didEndDisplaying(place))
        delegate?.collectionView(self, didEndDisplaying: view, at: place)
    }
}

// Access to the visible views.

extension SimulatedCollectionView {
    /// The cells in the viewport as of the last pass, ascending by path.
    public var visibleCells: [CollectionViewCell] {
        requireLane()
        return display.shown.cells.compactMap { $0.view as? CollectionViewCell }
    }

    /// All views in the viewport as of the last pass: cells, then supplementary views, then
    /// decorations, each by kind and then ascending by path. A view's
    /// ``CollectionReusableView/attributes`` have its place.
    public var visibleViews: [CollectionReusableView] {
        requireLane()
        return display.shown.all.map(\.view)
    }

    /// Returns the cell of an item; `nil` if it is not in the viewport.
    public func cellForItem(at path: ItemPath) -> CollectionViewCell? {
        requireLane()
        return display.shown[.cell(path)]?.view as? CollectionViewCell
    }

    /// The items in the viewport as of the last pass, ascending.
    public var indexPathsForVisibleItems: [ItemPath] {
        requireLane()
        return display.shown.cells.map(\.place.path)
    }

    /// Returns the item that a cell shows; `nil` if the cell is not in the viewport.
    public func indexPath(for cell: CollectionViewCell) -> ItemPath? { place(of: cell)?.path }

    /// Returns the supplementary views of a kind in the viewport as of the last pass, ascending by
    /// path.
    public func visibleSupplementaryViews(
        ofKind kind: SupplementaryKind
    ) -> [CollectionReusableView] {
        requireLane()
        return shownSupplementaryViews(ofKind: kind).map(\.view)
    }

    /// Returns the paths of ``visibleSupplementaryViews(ofKind:)``, in the same order.
    public func indexPathsForVisibleSupplementaryElements(
        ofKind kind: SupplementaryKind
    ) -> [ItemPath] {
        requireLane()
        return shownSupplementaryViews(ofKind: kind).map(\.place.path)
    }

    private func shownSupplementaryViews(ofKind kind: SupplementaryKind) -> [ShownView] {
        display.shown.all.filter { $0.place.category == .supplementary(kind) }
    }

    /// Returns a supplementary view; `nil` if it is not in the viewport.
    public func supplementaryView(
        forElementKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> CollectionReusableView? {
        requireLane()
        return display.shown[LayoutPlace(.supplementary(kind), path)]?.view
    }

    /// Returns the view at a place of any category; `nil` if it is not in the viewport.
    public func visibleView(at place: LayoutPlace) -> CollectionReusableView? {
        requireLane()
        return display.shown[place]?.view
    }

    /// Returns the place of a view; `nil` if the view is not in the viewport.
    public func place(of view: CollectionReusableView) -> LayoutPlace? {
        requireLane()
        guard let place = view.attributes?.place, display.shown[place]?.view === view else {
            return nil
        }
        return place
    }

    /// Returns the frontmost item at a point in content coordinates; `nil` if there is none. For
    /// points that a reader touches, use ``hitTest(_:)``.
    public func indexPathForItem(at point: Point) -> ItemPath? {
        requireLane()
        return front(display.shown.cells) { $0.frame.contains(point) }?.attributes.indexPath
    }

    // MARK: Attributes

    /// Returns the layout's attributes of an item, in the viewport or not; `nil` if the item does
    /// not exist, or the layout has no attributes for it. Lays the view out first.
    public func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        requireLane()
        return layoutAttributes(for: .cell(path))
    }

    /// Returns the layout's attributes of a supplementary view, in the viewport or not; `nil` if
    /// the layout has none. Lays the view out first.
    public func layoutAttributesForSupplementaryElement(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? {
        requireLane()
        return layoutAttributes(for: LayoutPlace(.supplementary(kind), path))
    }

    private func layoutAttributes(for place: LayoutPlace) -> LayoutAttributes? {
        bringUpToDate()
        return content.contains(place) ? attributes(for: place) : nil
    }

    // MARK: Reuse

    /// The number of views in the reuse pool.
    public var numberOfReusableViews: Int {
        requireLane()
        return reuse.pool.count
    }

    /// The number of views that have been made so far. It is smaller than the number of views that
    /// were shown, if views are reused.
    public var numberOfMadeViews: Int {
        requireLane()
        return reuse.pool.madeViews
    }
}
