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
        return shown.keys.sorted().compactMap { shown[$0]?.view }
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
        return shown.values.lazy.map(\.attributes)
            .filter { $0.category == .cell && $0.frame.contains(point) }
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
        guard !isLocked else { return report(Self.locked("lay itself out")) }
        isLayingOut = true
        defer { isLayingOut = false }
        loader?()
        var idleRounds = 0
        placesOfPass = []
        while needsLayout {
            needsLayout = false
            let hasNews = layOutOnce()
            idleRounds = hasNews ? 0 : idleRounds + 1
            guard needsLayout, idleRounds >= Self.roundLimit else { continue }
            needsLayout = false
            reportLoop()
        }
        for place in shown.keys.sorted() { announce(place) }
        isAnimatingPass = false
        pendingAnchor = nil
        returnLeftOvers()
    }

    /// Whether a pass, an update, or a call of the layout or of who fills views is under way.
    var isLocked: Bool { isLayingOut || isUpdating || lockDepth > 0 }

    /// - Parameter what: what the view was asked to do.
    static func locked(_ what: String) -> ViewError {
        ViewError(
            .reentrantLayout,
            "trying to load collection view layout data when layout is locked: the view was asked to"
                + " \(what) while its layout, data source or delegate was being asked"
        )
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
        let places = Set(needed.map(\.place))
        for place in shown.keys.sorted() where !places.contains(place) { hide(place) }
        var hasNews = false
        for attributes in needed where shown[attributes.place] == nil {
            hasNews = show(attributes) || hasNews
        }
        for attributes in needed { apply(attributes) }
        return hasNews
    }

    /// Where the content offset belongs after the layout was prepared, or the viewport resized.
    func anchoredOffset() -> Point {
        let width = currentBounds.size.width
        let kept = pendingAnchor?.offset(start: contentStart, width: width) { path in
            shownContent.contains(.cell(path)) ? attributes(for: .cell(path))?.frame : nil
        }
        pendingAnchor = nil
        return legalOffset(kept ?? currentBounds.origin)
    }

    /// What is to stay where it is, as of what is shown now.
    func currentAnchor(where isCandidate: (LayoutPlace) -> Bool = { _ in true }) -> ScrollAnchor? {
        if isAtStart { return .beginning }
        var cells: [LayoutAttributes] = []
        for (place, view) in shown where place.category == .cell && isCandidate(place) {
            cells.append(view.attributes)
        }
        return ScrollAnchor(
            cells,
            in: currentBounds,
            visible: currentBounds.inset(by: adjustedContentInset),
            isRightToLeft: isRightToLeft
        )
    }

    private func reportLoop() {
        let places = shown.keys.filter { shown[$0]?.needsPreferred == true }.sorted()
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
    /// - Returns: false where there is no view for it, or it had come in this pass already: what comes and
    ///   goes by turns is no news.
    private func show(_ attributes: LayoutAttributes) -> Bool {
        let place = attributes.place
        let view: CollectionReusableView
        let prepared = place.category == .cell ? prefetching.takePrepared(place.path) : nil
        if let prepared {
            view = prepared.cell
        } else {
            do throws(ViewError) {
                view = try makeView(for: place)
            } catch {
                report(error)
                return false
            }
        }
        shown[place] = ShownView(view: view, attributes: attributes)
        settle(view, attributes)
        restoreState(of: view, at: place)
        if let prepared {
            let isStale = prepared.isStale
            _ = shownContent.refill(view, at: place, isReconfigured: isStale, in: self)
        }
        askPreferred(place)
        if isPrepared { announce(place) }
        return placesOfPass.insert(place).inserted
    }

    /// Gives a view its place, unless it has it.
    private func apply(_ attributes: LayoutAttributes) {
        guard let known = shown[attributes.place] else { return }
        shown[attributes.place]?.attributes = attributes
        settle(known.view, attributes)
    }

    func settle(_ view: CollectionReusableView, _ attributes: LayoutAttributes) {
        guard view.attributes != attributes else { return }
        view.attributes = attributes
        log.append(.apply(attributes.place))
        view.apply(attributes)
    }

    /// Tells of the views that are still to be shown and were not yet announced: their sizes are settled
    /// now, and they have them.
    private func announce(_ needed: [LayoutAttributes]) {
        for attributes in needed where shown[attributes.place]?.isAnnounced == false {
            apply(attributes)
            announce(attributes.place)
        }
    }

    private func announce(_ place: LayoutPlace) {
        guard let known = shown[place], !known.isAnnounced else { return }
        shown[place]?.isAnnounced = true
        if place.category == .cell { prefetching.noteDisplay(of: place.path) }
        log.append(.willDisplay(place))
        delegate?.collectionView(self, willDisplay: known.view, at: place)
    }

    /// Takes a view out of the viewport.
    func hide(_ place: LayoutPlace) {
        guard let known = shown.removeValue(forKey: place) else { return }
        if isAnimatingPass, known.isAnnounced { return moveOut(known, to: place) }
        if known.isAnnounced { tellEnd(known.view, place) }
        if place.category == .cell, let cell = known.view as? CollectionCell,
            prefetching.keeps(cell, at: place.path, visible: shown.count)
        {
            return
        }
        recycle(known.view, place.category)
    }

    func endDisplaying(_ leaving: LeavingView) {
        if leaving.isAnnounced { tellEnd(leaving.view, leaving.place) }
        recycle(leaving.view, leaving.place.category)
    }

    private func tellEnd(_ view: CollectionReusableView, _ place: LayoutPlace) {
        log.append(.didEndDisplaying(place))
        delegate?.collectionView(self, didEndDisplaying: view, at: place)
    }
}
