import CollectionElements
import CollectionLayouts

// Invalidation: marks the layout as invalid and schedules a turn that lays the view out.

extension SimulatedCollectionView {
    /// Invalidates the layout; the layout calls it. The context's adjustments take effect
    /// immediately, the rest in the next pass.
    public func invalidateLayout(with context: LayoutInvalidationContext) {
        requireLane()
        if !offsetRule.isMoving { noteAnchor() }
        noteNewSizeRanges(context)
        log.append(.invalidated(ViewEvent.Invalidation(context)))
        pass.invalidated(isForBounds: offsetRule.isMoving)
        invalidateWindow()
        if !offsetRule.isMoving { markPreferred(context) }
        let (growth, shift) = (context.contentSizeAdjustment, context.contentOffsetAdjustment)
        if growth.width.isFinite, growth.height.isFinite {
            note(
                contentSize: Size(
                    width: max(0, viewport.contentSize.width + growth.width),
                    height: max(0, viewport.contentSize.height + growth.height)
                )
            )
        }
        if shift != .zero {
            let offset = Point(x: viewport.offset.x + shift.x, y: viewport.offset.y + shift.y)
            shiftMotion(from: viewport.offset, to: offset)
            moveOffset(to: offset)
            offsetRule.take(.layout)
        }
        setNeedsLayout()
    }

    /// A layout with a new configuration may have other size ranges. An invalidation that follows
    /// from scrolling or an update does not change them.
    private func noteNewSizeRanges(_ context: LayoutInvalidationContext) {
        guard !offsetRule.isMoving, !pass.isUpdating, !context.isPartial,
            !context.invalidatesDataSourceCounts
        else { return }
        source.mayHaveNewSizeRanges = true
    }

    /// Marks the views with invalid attributes, so that they are queried again for their preferred
    /// sizes.
    private func markPreferred(_ context: LayoutInvalidationContext) {
        guard context.isPartial else {
            for known in display.shown.all { known.needsPreferred = true }
            return
        }
        func mark(_ category: ElementCategory, _ paths: Set<ItemPath>) {
            for path in paths { display.shown[LayoutPlace(category, path)]?.needsPreferred = true }
        }
        mark(.cell, context.invalidatedItemIndexPaths)
        for (kind, paths) in context.invalidatedSupplementaryIndexPaths {
            mark(.supplementary(kind), paths)
        }
        for (kind, paths) in context.invalidatedDecorationIndexPaths {
            mark(.decoration(kind), paths)
        }
    }

    func note(contentSize: Size) {
        guard contentSize != viewport.contentSize else { return }
        viewport.contentSize = contentSize
        log.append(.contentSize(contentSize))
    }

    /// Schedules a layout pass in a later turn.
    public func setNeedsLayout() {
        pass.needed()
        scheduleTurn()
    }
}

// The layout pass: makes the views match the layout and the content, in rounds.

extension SimulatedCollectionView {
    /// The number of consecutive rounds in which the layout and the views may disagree on sizes
    /// before the view ends the pass with an error. Rounds that show new elements, or query
    /// elements for the first time, do not count.
    public static var roundLimit: Int { LayoutPass.usualIdleRoundLimit }

    /// Lays the view out now, if anything is invalid.
    ///
    /// Rounds repeat until nothing is invalid, since views of new elements may prefer other sizes
    /// than the layout gave them.
    public func layoutIfNeeded() {
        requireLane()
        switch pass.requested() {
        case .upToDate: notifyNodeStates()
        case .begun:
            runRounds()
            display.animated = nil
            // A view without extent keeps its position until it has an extent again.
            if !viewport.bounds.isEmpty { offsetRule.release() }
            recycleUnreturnedViews()
            pass.ended()
            reportLayoutErrors()
            notifyNodeStates()
            requestMeasurements()
            requestRelayout()
            display.ranges?.update(self)
            source.fetcher?.update()
            resumeFetchWaiters()
        case .rejected:
            report(
                .reentrantLayout,
                "trying to load collection view layout data when layout is locked: a pass was"
                    + " requested during a call to the view's layout, data source or delegate;"
                    + " use a later turn of the lane"
            )
        }
    }

    /// Lays the view out unless a pass is in progress; callers from within a pass use its current
    /// state.
    func bringUpToDate() {
        if !pass.isLocked { layoutIfNeeded() }
    }

    private func runRounds() {
        while pass.isNeeded {
            // The loader runs first, so this round lays out everything that it invalidates.
            source.loader?()
            pass.roundBegan()
            layOutOnce(asksViews: true)
            guard let overrun = pass.roundEnded() else { continue }
            reportLoop(overrun)
            // The views in the viewport are shown in any case.
            layOutOnce(asksViews: false)
            pass.limitExceeded()
        }
        for known in display.shown.all { announce(known) }
    }

    /// - Parameter asksViews: Whether views are queried for their preferred sizes.
    private func layOutOnce(asksViews: Bool) {
        let mayMove = !viewport.bounds.isEmpty && offsetRule.isDue(isPrepared: pass.isPrepared)
        prepareLayout()
        if mayMove { moveOffset(to: settledOffset()) }
        // The new bounds may have invalidated the layout again.
        if asksViews, !pass.isPrepared { return }
        prepareLayout()
        var needed = neededAttributes()
        if asksViews {
            queryPreferredSize()
            guard pass.allQueried() == .showViews else { return }
            needed = neededAttributes()
        }
        announce(needed)
        hide(except: needed)
        for (index, attributes) in needed.enumerated()
        where display.shown.view(at: attributes.place, near: index) == nil {
            show(attributes, asksView: asksViews)
        }
        for (index, attributes) in needed.enumerated() {
            guard let known = display.shown.view(at: attributes.place, near: index) else {
                continue
            }
            apply(attributes, to: known)
        }
    }

    /// Reports new errors of the layout; an error is reported once, until the layout no longer has
    /// it.
    private func reportLayoutErrors() {
        let errors = shownLayout.errors
        guard errors != display.layoutErrors else { return }
        let new = errors.filter { !display.layoutErrors.contains($0) }
        display.layoutErrors = errors
        for error in new { report(.layout, error.message, at: error.place) }
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
            .layoutLoop,
            "UICollectionView is stuck in its update/layout loop: after \(rounds) the layout was"
                + " invalidated again"
                + (named.isEmpty ? "" : "; still to be sized: \(named)"),
            at: places.first
        )
    }
}

// Self-sizing: views return their preferred sizes, and the layout accepts or ignores them.

extension SimulatedCollectionView {
    /// Queries the views whose attributes were invalidated. Views without extent that share one
    /// position enter the bounds one after the other, as those before them grow.
    func queryPreferredSize() {
        for known in display.shown.all where known.needsPreferred {
            guard let attributes = attributes(for: known.place) else { continue }
            // Views that have left the viewport are not queried.
            guard attributes.frame.intersects(viewport.bounds) else { continue }
            queryPreferredSize(known, attributes)
            pass.queried(known.place)
        }
    }

    /// Queries a view for its preferred size, and the layout whether that size invalidates it. Call
    /// within passes only.
    func queryPreferredSize(_ known: ShownView, _ original: LayoutAttributes) {
        let place = known.place
        known.needsPreferred = false
        var preferred = known.view.preferredLayoutAttributesFitting(original)
        preferred.place = place
        log.append(.preferred(place, preferred.size))
        let isInvalid = asking {
            $0.shouldInvalidateLayout(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        }
        log.append(.layout(.shouldInvalidateLayoutForPreferred(place, preferred.size, isInvalid)))
        guard isInvalid else { return }
        let context = asking {
            $0.invalidationContext(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        }
        log.append(.layout(.invalidationContextForPreferred(place)))
        shownLayout.invalidateLayout(with: context)
    }

    /// Makes the next pass query a view for its preferred size again.
    ///
    /// Does nothing if the view is not in the viewport.
    public func invalidatePreferredSize(of view: CollectionReusableView) {
        requireLane()
        guard let place = place(of: view) else { return }
        display.shown[place]?.needsPreferred = true
        setNeedsLayout()
    }
}

// Calls to the layout. Each is logged, and blocks layout passes during the call.

extension SimulatedCollectionView {
    /// Calls the layout and returns its result.
    func asking<Value>(_ call: (CollectionLayout) -> Value) -> Value {
        pass.callBegan()
        defer { pass.callEnded() }
        return call(shownLayout)
    }

    /// Logs a call to the layout and makes it.
    func ask(_ event: ViewEvent.LayoutCall, _ call: (CollectionLayout) -> Void) {
        log.append(.layout(event))
        asking(call)
    }

    /// Prepares the layout if it is invalid.
    func prepareLayout() {
        if pass.isPrepared { return }
        pass.preparing()
        ask(.prepare) { $0.prepare() }
        noteAnsweredContentSize()
    }

    func noteAnsweredContentSize() {
        let size = asking { $0.collectionViewContentSize }
        log.append(.layout(.collectionViewContentSize(size)))
        guard size.isValid else {
            report(
                .layoutAttributes,
                "expected a finite content size, found \(size.width) × \(size.height); it stays"
                    + " \(viewport.contentSize.width) × \(viewport.contentSize.height)"
            )
            return
        }
        note(contentSize: size)
    }

    /// Returns the current attributes of an element.
    func attributes(for place: LayoutPlace) -> LayoutAttributes? {
        display.window[place] ?? attributes(for: place, in: shownLayout)
    }

    /// Returns the attributes of an element in a layout: the current one, or the former one during
    /// a change of layouts.
    func attributes(for place: LayoutPlace, in layout: CollectionLayout) -> LayoutAttributes? {
        let answer = asking { _ in layout.layoutAttributes(for: place) }
        log.append(.layout(.layoutAttributes(place, found: answer != nil)))
        return answer.flatMap { usable($0, content) ? $0 : nil }
    }

    // MARK: Attributes around the viewport

    /// Returns the attributes of the views that belong in the viewport: cells, then supplementary
    /// views, then decorations.
    func neededAttributes() -> [LayoutAttributes] {
        guard !viewport.bounds.isEmpty else { return [] }
        if !display.window.covers(viewport.bounds) { queryWindow() }
        let needed = display.window.attributes(in: viewport.bounds)
        let limit = display.viewLimit
        guard needed.count > limit else { return needed }
        report(
            .tooManyViews,
            "the layout placed \(needed.count) views in the viewport; the first \(limit) are shown"
        )
        return Array(needed.prefix(limit))
    }

    /// Loads the attributes of the pages around the viewport.
    func queryWindow() {
        let rect = AttributeWindow.pages(around: viewport.bounds, of: viewport.bounds.size)
        let found = usableAttributes(in: rect)
        for (old, new) in display.window.load(rect, found) { reportChange(old, new) }
    }

    /// Queries the layout for the attributes in a rectangle.
    ///
    /// - Returns: The valid attributes, ascending by place, each place once.
    func usableAttributes(in rect: Rect) -> [LayoutAttributes] {
        let answer = asking { $0.layoutAttributesForElements(in: rect) }
        log.append(.layout(.layoutAttributesForElements(rect, count: answer.count)))
        let content = content
        var found = answer.filter { usable($0, content) }
        found.sort { $0.place < $1.place }
        for index in found.indices.dropFirst().reversed()
        where found[index].place == found[index - 1].place {
            let place = found.remove(at: index).place
            report(
                .layoutAttributes,
                "the layout returned \(place) twice from one call; the first is used",
                at: place
            )
        }
        return found
    }

    private func reportChange(_ old: LayoutAttributes, _ new: LayoutAttributes) {
        let what =
            if case .supplementary = new.representedElementCategory { "supplementary item" } else {
                "item"
            }
        report(
            .changedAttributes,
            "layout attributes for \(what) at index path (\(new.indexPath)) changed from \(old.frame)"
                + " to \(new.frame) without invalidating the layout",
            at: new.place
        )
    }

    private func usable(_ attributes: LayoutAttributes, _ content: any ViewContent) -> Bool {
        let frame = attributes.frame
        let place = attributes.place
        guard content.contains(place) else {
            report(
                .noSuchPath,
                "UICollectionView received layout attributes for a \(place.category.word) with an"
                    + " index path that does not exist: \(place)",
                at: place
            )
            return false
        }
        guard frame.minX.isFinite, frame.minY.isFinite, frame.size.isValid else {
            report(
                .layoutAttributes,
                "expected a finite frame for \(place), found \(frame); it is not shown",
                at: place
            )
            return false
        }
        return true
    }
}

extension ElementCategory {
    var word: String {
        switch self {
        case .cell: "cell"
        case .supplementary: "supplementary view"
        case .decoration: "decoration view"
        }
    }
}
