import CollectionLayouts
import CollectionPipeline

// The pass that brings what is shown up to date with layout and content.

extension SimulatedCollectionView {
    /// The cells in the viewport as of the last pass, ascending by path.
    public var visibleCells: [CollectionCell] {
        requireLane("visibleCells")
        return visibleViews.compactMap { $0 as? CollectionCell }
    }

    /// All views in the viewport as of the last pass: cells, then supplementary views, then decorations,
    /// each ascending by path. Where each is, its ``CollectionReusableView/attributes`` say.
    public var visibleViews: [CollectionReusableView] {
        requireLane("visibleViews")
        return shown.all.map(\.view)
    }

    /// The cell of an item; nil where it is not in the viewport.
    public func cellForItem(at path: ItemPath) -> CollectionCell? {
        requireLane("cellForItem(at:)")
        return shown[.cell(path)]?.view as? CollectionCell
    }

    /// The view at any place; nil where it is not in the viewport.
    public func visibleView(at place: LayoutPlace) -> CollectionReusableView? {
        requireLane("visibleView(at:)")
        return shown[place]?.view
    }

    /// Where a view is shown; nil where it is not in the viewport.
    public func place(of view: CollectionReusableView) -> LayoutPlace? {
        requireLane("place(of:)")
        guard let place = view.attributes?.place, shown[place]?.view === view else { return nil }
        return place
    }

    /// The item that is in front at a point, in content coordinates; nil where none is.
    public func indexPathForItem(at point: Point) -> ItemPath? {
        requireLane("indexPathForItem(at:)")
        return shown.cells.lazy.map(\.attributes).filter { $0.frame.contains(point) }
            .max { ($0.zIndex, $0.path) < ($1.zIndex, $1.path) }?.path
    }

    /// How many views wait to be used again.
    public var numberOfReusableViews: Int {
        requireLane("numberOfReusableViews")
        return pool.count
    }

    /// How many views were made so far; fewer than were shown, where they are used again.
    public var numberOfMadeViews: Int {
        requireLane("numberOfMadeViews")
        return pool.madeViews
    }

    // MARK: The pass

    /// In how many rounds running layout and views may disagree over sizes before the view gives up;
    /// rounds that bring new elements into sight do not count.
    public static var roundLimit: Int { 15 }

    /// Brings the view up to date now, if anything is invalid.
    ///
    /// Rounds follow one another until nothing is invalidated any more: views of new elements may want other
    /// sizes than the layout gave them.
    public func layoutIfNeeded() {
        requireLane("layoutIfNeeded()")
        guard needsLayout else { return }
        guard !isLayingOut, !isUpdating, lockDepth == 0 else {
            return report(
                ViewError(
                    .reentrantLayout,
                    "trying to load collection view layout data when layout is locked: the view was"
                        + " asked to lay itself out while its layout, data source or delegate was"
                        + " being asked"
                )
            )
        }
        isLayingOut = true
        defer { isLayingOut = false }
        loader?()
        var idleRounds = 0
        while needsLayout {
            needsLayout = false
            let hasNews = layOutOnce()
            idleRounds = hasNews ? 0 : idleRounds + 1
            guard needsLayout, idleRounds >= Self.roundLimit else { continue }
            needsLayout = false
            reportLoop()
        }
        announce()
        pendingAnchor = nil
        returnLeftOvers()
    }

    /// - Returns: whether elements came into sight.
    private func layOutOnce() -> Bool {
        let wasPrepared = isPrepared
        prepareLayout()
        if !wasPrepared { moveOffset(to: anchoredOffset()) }
        // Other bounds may have invalidated it again.
        guard isPrepared else { return false }
        askPreferred()
        // The layout knows better by now.
        guard isPrepared else { return false }
        let needed = neededAttributes()
        if isPrepared { announce(needed) }
        hide(except: needed)
        var hasNews = false
        for attributes in needed where shown[attributes.place] == nil {
            hasNews = show(attributes) || hasNews
        }
        for attributes in needed { apply(attributes) }
        return hasNews
    }

    /// Where the content offset belongs after the layout was prepared.
    private func anchoredOffset() -> Point {
        let kept = pendingAnchor?.offset(start: contentStart) { path in
            shownContent.contains(.cell(path)) ? attributes(for: .cell(path))?.frame : nil
        }
        pendingAnchor = nil
        return legalOffset(kept ?? currentBounds.origin)
    }

    /// What is to stay where it is, as of what is shown now.
    func currentAnchor(where isCandidate: (LayoutPlace) -> Bool = { _ in true }) -> ScrollAnchor? {
        if isAtStart { return .beginning }
        var cells: [LayoutAttributes] = []
        for known in shown.cells where isCandidate(known.place) { cells.append(known.attributes) }
        return ScrollAnchor(
            cells,
            in: currentBounds,
            visible: currentBounds.inset(by: adjustedContentInset)
        )
    }

    private func reportLoop() {
        let places = shown.all.filter(\.needsPreferred).map(\.place)
        let named = places.prefix(3).map(\.description).joined(separator: ", ")
        report(
            ViewError(
                .layoutLoop,
                "UICollectionView is stuck in its update/layout loop: after \(Self.roundLimit) rounds"
                    + " without a new element the layout was invalidated again"
                    + (named.isEmpty ? "" : "; still to be sized: \(named)"),
                at: places.first
            )
        )
    }

    // MARK: Single views

    /// Makes, places and sizes the view of an element that comes into sight.
    ///
    /// - Returns: false where there is no view for it.
    private func show(_ attributes: LayoutAttributes) -> Bool {
        let place = attributes.place
        let view: CollectionReusableView
        if place.category == .cell, let prepared = prefetching.takePrepared(place.path) {
            view = prepared
        } else {
            do throws(ViewError) {
                view = try makeView(for: place)
            } catch {
                report(error)
                return false
            }
        }
        shown.insert(ShownView(view, attributes))
        settle(view, attributes)
        restoreState(of: view, at: place)
        askPreferred(place)
        if isPrepared { announce(place) }
        return true
    }

    /// Gives a view its place, unless it has it.
    private func apply(_ attributes: LayoutAttributes) {
        guard let known = shown[attributes.place] else { return }
        known.attributes = attributes
        settle(known.view, attributes)
    }

    func settle(_ view: CollectionReusableView, _ attributes: LayoutAttributes) {
        guard view.attributes != attributes else { return }
        view.attributes = attributes
        log.append(.apply(attributes.place))
        view.apply(attributes)
    }

    /// Tells of the views that are still to be shown and were not yet announced: their sizes are settled
    /// now.
    private func announce(_ needed: [LayoutAttributes]? = nil) {
        for place in needed?.map(\.place) ?? shown.all.map(\.place) { announce(place) }
    }

    private func announce(_ place: LayoutPlace) {
        guard let known = shown[place], !known.isAnnounced else { return }
        known.isAnnounced = true
        log.append(.willDisplay(place))
        delegate?.collectionView(self, willDisplay: known.view, at: place)
    }

    /// Takes the views out that are no longer needed.
    ///
    /// - Parameter needed: ascending by place.
    private func hide(except needed: [LayoutAttributes]) {
        var next = 0
        for known in shown.all {
            while next < needed.count, needed[next].place < known.place { next += 1 }
            if next == needed.count || needed[next].place != known.place { hide(known.place) }
        }
    }

    /// Takes a view out of the viewport.
    func hide(_ place: LayoutPlace) {
        guard let known = shown.remove(place) else { return }
        if known.isAnnounced { tellEnd(known.view, place) }
        if place.category == .cell, let cell = known.view as? CollectionCell,
            prefetching.keeps(cell, at: place.path, visible: shown.all.count)
        {
            return
        }
        recycle(known.view, place.category)
    }

    func endDisplaying(_ leaving: ShownView) {
        if leaving.isAnnounced { tellEnd(leaving.view, leaving.place) }
        recycle(leaving.view, leaving.place.category)
    }

    private func tellEnd(_ view: CollectionReusableView, _ place: LayoutPlace) {
        log.append(.didEndDisplaying(place))
        delegate?.collectionView(self, didEndDisplaying: view, at: place)
    }
}
