import CollectionLayouts
import CollectionPipeline

// The pass that brings what is shown up to date with layout and content.

extension SimulatedCollectionView {
    /// The cells in the viewport as of the last pass, ascending by path.
    public var visibleCells: [CollectionCell] {
        requireLane("visibleCells")
        return display.shown.cells.compactMap { $0.view as? CollectionCell }
    }

    /// All views in the viewport as of the last pass: cells, then supplementary views, then decorations,
    /// each by kind, and then ascending by path. Where each is, its ``CollectionReusableView/attributes`` say.
    public var visibleViews: [CollectionReusableView] {
        requireLane("visibleViews")
        return display.shown.all.map(\.view)
    }

    /// The cell of an item; nil where it is not in the viewport.
    public func cellForItem(at path: ItemPath) -> CollectionCell? {
        requireLane("cellForItem(at:)")
        return display.shown[.cell(path)]?.view as? CollectionCell
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

    /// The item that is in front at a point, in content coordinates; nil where none is.
    public func indexPathForItem(at point: Point) -> ItemPath? {
        requireLane("indexPathForItem(at:)")
        return display.shown.cells.lazy.map(\.attributes).filter { $0.frame.contains(point) }
            .max { ($0.zIndex, $0.path) < ($1.zIndex, $1.path) }?.path
    }

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

    // MARK: The pass

    /// In how many rounds running layout and views may disagree over sizes before the view gives up;
    /// rounds that bring new elements into sight, or ask some for the first time, do not count.
    public static var roundLimit: Int { LayoutPass.usualIdleRoundLimit }

    /// Brings the view up to date now, if anything is invalid.
    ///
    /// Rounds follow one another until nothing is invalidated any more: views of new elements may want other
    /// sizes than the layout gave them.
    public func layoutIfNeeded() {
        requireLane("layoutIfNeeded()")
        switch pass.requested() {
        case .upToDate: break
        case .begun:
            runRounds()
            display.isAnimating = false
            offsetRule.release()
            returnLeftOvers()
            pass.ended()
        case .rejected:
            report(
                ViewError(
                    .reentrantLayout,
                    "trying to load collection view layout data when layout is locked: the view was"
                        + " asked to lay itself out while its layout, data source or delegate was"
                        + " being asked"
                )
            )
        }
    }

    /// The same for calls that want the view up to date and can do without: from within a pass they find
    /// it as far as it is.
    func bringUpToDate() {
        if !pass.isLocked { layoutIfNeeded() }
    }

    private func runRounds() {
        while pass.isNeeded {
            // What it invalidates is laid out in this round.
            source.loader?()
            pass.roundBegan()
            layOutOnce(asksViews: true)
            guard let overrun = pass.roundEnded() else { continue }
            reportLoop(overrun)
            // What is in the viewport is shown in any case.
            layOutOnce(asksViews: false)
            pass.gaveUp()
        }
        for known in display.shown.all { announce(known.place) }
    }

    /// - Parameter asksViews: whether views may say which size they want.
    private func layOutOnce(asksViews: Bool) {
        let mayMove = offsetRule.isDue(isPrepared: pass.isPrepared)
        prepareLayout()
        if mayMove { moveOffset(to: settledOffset()) }
        // Other bounds may have invalidated it again.
        if asksViews, !pass.isPrepared { return }
        prepareLayout()
        var needed = neededAttributes()
        if asksViews {
            askPreferred()
            guard pass.allAsked() else { return }
            needed = neededAttributes()
        }
        announce(needed)
        hide(except: needed)
        for attributes in needed where display.shown[attributes.place] == nil {
            show(attributes, asksView: asksViews)
        }
        for attributes in needed { apply(attributes) }
    }

    private func reportLoop(_ overrun: LayoutPass.Overrun) {
        let rounds =
            switch overrun {
            case .withoutNews(let rounds): "\(rounds) rounds without a new element"
            case .inAll(let rounds): "\(rounds) rounds"
            }
        let places = display.shown.all.filter(\.needsPreferred).map(\.place)
        let named = places.prefix(3).map(\.description).joined(separator: ", ")
        report(
            ViewError(
                .layoutLoop,
                "UICollectionView is stuck in its update/layout loop: after \(rounds) the layout was"
                    + " invalidated again"
                    + (named.isEmpty ? "" : "; still to be sized: \(named)"),
                at: places.first
            )
        )
    }

    // MARK: Single views

    /// Makes, places and sizes the view of an element that comes into the viewport, if there is a view for it.
    private func show(_ attributes: LayoutAttributes, asksView: Bool) {
        let place = attributes.place
        let view: CollectionReusableView
        if place.category == .cell, let prepared = supply.prefetching.takePrepared(place.path) {
            view = prepared.cell
            // Its element may have changed while it waited.
            refill(view, at: place, isReconfigured: prepared.isStale)
        } else {
            do throws(ViewError) {
                view = try makeView(for: place)
            } catch {
                return report(error)
            }
        }
        display.shown.insert(ShownView(view, attributes))
        settle(view, attributes)
        restoreState(of: view, at: place)
        if asksView { askPreferred(place) }
        if pass.isPrepared { announce(place) }
        pass.shown(place)
    }

    /// Gives a view its place, unless it has it.
    private func apply(_ attributes: LayoutAttributes) {
        guard let known = display.shown[attributes.place] else { return }
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
    /// now, and they have them.
    private func announce(_ needed: [LayoutAttributes]) {
        for attributes in needed where display.shown[attributes.place]?.isAnnounced == false {
            apply(attributes)
            announce(attributes.place)
        }
    }

    private func announce(_ place: LayoutPlace) {
        guard let known = display.shown[place], !known.isAnnounced else { return }
        known.isAnnounced = true
        if place.category == .cell { supply.prefetching.noteShown(place.path) }
        log.append(.willDisplay(place))
        delegate?.collectionView(self, willDisplay: known.view, at: place)
    }

    /// Takes the views out that are no longer needed.
    ///
    /// - Parameter needed: ascending by place.
    private func hide(except needed: [LayoutAttributes]) {
        var next = 0
        for known in display.shown.all {
            while next < needed.count, needed[next].place < known.place { next += 1 }
            if next == needed.count || needed[next].place != known.place { hide(known.place) }
        }
    }

    /// Takes a view out of the viewport.
    func hide(_ place: LayoutPlace) {
        guard let known = display.shown.remove(place) else { return }
        if display.isAnimating, known.isAnnounced {
            // It moves out of sight until the animation ends, with what the update took away.
            display.leaving[display.leaving.count - 1].append(known)
            return
        }
        if known.isAnnounced { tellEnd(known.view, place) }
        // A header may be of a class of cells, but no item comes back to it.
        if supply.prefetching.isEnabled, place.category == .cell,
            let cell = known.view as? CollectionCell
        {
            prepare(cell, at: place.path)
        } else {
            recycle(known.view, place.category)
        }
    }

    /// Ends what was visible before an update, and so was announced.
    func endDisplaying(_ leaving: ShownView) {
        tellEnd(leaving.view, leaving.place)
        recycle(leaving.view, leaving.place.category)
    }

    private func tellEnd(_ view: CollectionReusableView, _ place: LayoutPlace) {
        log.append(.didEndDisplaying(place))
        delegate?.collectionView(self, didEndDisplaying: view, at: place)
    }
}
