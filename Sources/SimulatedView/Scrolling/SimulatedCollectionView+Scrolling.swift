import CollectionLayouts

// The bounds: before they change, the layout is asked whether that invalidates it.

extension SimulatedCollectionView {
    /// How far the content is scrolled: the origin of the bounds. What is set is taken as it is, also beyond
    /// the ends of the content, until the layout is prepared again; what is not finite is reported
    /// and changes nothing.
    public var contentOffset: Point {
        get { bounds.origin }
        set {
            requireLane("contentOffset")
            setContentOffset(newValue)
        }
    }

    /// Sets ``contentOffset``; what moves by itself stops.
    ///
    /// - Parameters:
    ///   - offset: the new one.
    ///   - isAnimated: whether the content moves there on the view's clock, in three tenths of a second, in which
    ///     the view is busy. While a finger drags, and in a view without a clock, it is there at once. So it is
    ///     where the delegate asks for it as it hears that something else stops what moved.
    public func setContentOffset(_ offset: Point, animated isAnimated: Bool = false) {
        requireLane("setContentOffset(_:animated:)")
        guard isUsable(offset) else { return }
        guard takesOver(animated: isAnimated) else { return scroll(to: offset) }
        move(.animation, to: offset)
    }

    /// Stops what moves by itself, for the program to scroll.
    ///
    /// - Returns: whether the content is to move there in time, as is asked for; otherwise it is there at once.
    private func takesOver(animated isAnimated: Bool) -> Bool {
        stopMotion()
        return isAnimated && scrolling.mayMove && mayBegin()
    }

    /// Scrolls by as many units down; stops at the ends of the content.
    public func scroll(by distance: Double) { scroll(by: Point(x: 0, y: distance)) }

    /// Scrolls by as many units right and down; stops at the ends of the content.
    public func scroll(by distance: Point) {
        requireLane("scroll(by:)")
        guard isUsable(distance) else { return }
        display.ranges?.scrolled()
        stopMotion()
        bringUpToDate()
        scrollWithin(by: distance)
    }

    /// Scrolls on by so much, and no further than the ends of the content.
    func scrollWithin(by distance: Point) {
        let origin = viewport.offset
        scroll(to: viewport.legal(Point(x: origin.x + distance.x, y: origin.y + distance.y)))
    }

    /// Scrolls to the beginning of the content.
    ///
    /// - Parameter isAnimated: as in ``setContentOffset(_:animated:)``.
    public func scrollToTop(animated isAnimated: Bool = false) {
        requireLane("scrollToTop(animated:)")
        bringUpToDate()
        guard takesOver(animated: isAnimated) else { return scroll(to: viewport.start) }
        move(.animation, to: viewport.start, goal: .start)
    }

    /// Scrolls so that an item is where `position` says, or as near as the ends of the content allow; lays the
    /// view out, again and again where items on the way turn out to have other sizes.
    ///
    /// - Parameters:
    ///   - path: the item.
    ///   - position: where it is to be in the viewport.
    ///   - isAnimated: as in ``setContentOffset(_:animated:)``. The content moves to where the item turns out to be
    ///     on the way, unless the view shows other content by then.
    /// - Throws: `noSuchPath`, `scrollPosition`, and `layoutAttributes` where the layout has no place for the
    ///   item; nothing has happened then.
    public func scrollToItem(
        at path: ItemPath,
        at position: ScrollPosition = .top,
        animated isAnimated: Bool = false
    ) throws(ViewError) {
        requireLane("scrollToItem(at:at:animated:)")
        try position.check()
        bringUpToDate()
        try requireItem(path)
        // Nothing is anywhere in a viewport without extent.
        guard !viewport.bounds.isEmpty else { return }
        let frame = try requirePlace(of: path)
        guard takesOver(animated: isAnimated) else {
            return show(path, in: frame, at: position)
        }
        move(
            .animation,
            to: target(showing: frame, at: position),
            goal: .item(path, at: position, version: source.version)
        )
    }

    /// Scrolls at once so that an item is where it is to be, as near as it gets.
    ///
    /// - Parameters:
    ///   - path: the item.
    ///   - frame: where it is now; nil for nowhere.
    ///   - position: where it is to be in the viewport.
    func show(_ path: ItemPath, in frame: Rect?, at position: ScrollPosition) {
        var frame = frame
        for _ in 0..<Self.roundLimit {
            // Where it lost its place on the way, it was as near as it gets.
            guard let found = frame else { return }
            let target = target(showing: found, at: position)
            if target == viewport.offset { return }
            scroll(to: target)
            // Whoever was told of that may have scrolled elsewhere.
            guard viewport.offset == target else { return }
            bringUpToDate()
            frame = attributes(for: .cell(path))?.frame
        }
    }

    /// The offset that has a frame where it is to be.
    func target(showing frame: Rect, at position: ScrollPosition) -> Point {
        viewport.legal(
            position.offset(showing: frame, in: viewport.bounds, inset: adjustedContentInset)
        )
    }

    /// Where the layout has an item.
    @discardableResult
    func requirePlace(of path: ItemPath) throws(ViewError) -> Rect {
        if let frame = attributes(for: .cell(path))?.frame { return frame }
        throw ViewError(
            .layoutAttributes,
            "no UICollectionViewLayoutAttributes instance for"
                + " -layoutAttributesForItemAtIndexPath: \(path)",
            at: .cell(path)
        )
    }

    func requireItem(_ path: ItemPath) throws(ViewError) {
        guard !content.shape.contains(path) else { return }
        let count = content.numberOfItems(inSection: path.section)
        let sections = content.shape.numberOfSections
        throw ViewError(
            .noSuchPath,
            path.section >= 0 && path.section < sections
                ? "Attempted to scroll the collection view to an out-of-bounds item (\(path.item)) when"
                    + " there are only \(count) items in section \(path.section)."
                : "Attempted to scroll the collection view to an out-of-bounds section"
                    + " (\(path.section)) when there are only \(sections) sections.",
            at: .cell(path)
        )
    }

    /// Changes the extent of the viewport; a size that is none is reported and changes nothing.
    ///
    /// Elements of a pipeline keep their sizes until the controller has measured them for the new extent, which the
    /// view asks it for, as whenever its ``elementSizeRange`` may have changed: see `ElementMap.setNeedsRelayout()`.
    ///
    /// - Parameters:
    ///   - size: the extent, in content coordinates.
    ///   - isAnimated: whether the layout is told of an animated change.
    public func resize(to size: Size, animated isAnimated: Bool = false) {
        requireLane("resize(to:animated:)")
        guard size.isValid else { return reportInvalid(size) }
        guard size != viewport.bounds.size else { return }
        var before: [LayoutAttributes] = []
        if isAnimated {
            // Which may move the content along.
            layoutIfNeeded()
            before = display.shown.all.map(\.attributes)
            let old = viewport.bounds
            ask(.prepareForAnimatedBoundsChange(old)) { $0.prepare(forAnimatedBoundsChange: old) }
        }
        display.transitions = []
        setBounds(Rect(origin: viewport.offset, size: size))
        source.mayOfferOtherSizes = true
        offsetRule.resized()
        invalidateWindow()
        setNeedsLayout()
        guard isAnimated else { return }
        layoutIfNeeded()
        scroll(to: askTarget(viewport.offset))
        layoutIfNeeded()
        noteTransitions(since: before)
        ask(.finalizeAnimatedBoundsChange) { $0.finalizeAnimatedBoundsChange() }
    }

    // MARK: Offsets

    /// Whether a point is made of numbers; one that is not is reported.
    func isUsable(_ point: Point) -> Bool {
        if point.x.isFinite, point.y.isFinite { return true }
        report(ViewError(.notFinite, "expected finite numbers, found (\(point.x), \(point.y))"))
        return false
    }

    /// Scrolls to the offset that the program, a finger or a motion chose.
    func scroll(to offset: Point) {
        guard offset != viewport.offset else { return }
        cancelTouch()
        offsetRule.take(.program)
        supply.prefetching.noteScroll(from: viewport.offset, to: offset)
        // What is visible there must be known before anything else changes.
        if !pass.hasPlaces, !pass.isLocked, !display.shown.all.isEmpty {
            prepareLayout()
            offsetRule.preparedEarly()
        }
        // Before the delegate is notified, which may have the view laid out in answer.
        setNeedsLayout()
        changeOffset(to: offset)
    }

    /// Moves the content along, as with a change of the layout.
    func moveOffset(to offset: Point) {
        guard offset != viewport.offset, offset.x.isFinite, offset.y.isFinite else { return }
        changeOffset(to: offset)
    }

    private func changeOffset(to offset: Point) {
        let wasMoving = offsetRule.moveBegan()
        // Never -0, which reads like a place before the beginning.
        let origin = Point(x: offset.x + 0.0, y: offset.y + 0.0)
        setBounds(Rect(origin: origin, size: viewport.bounds.size))
        offsetRule.moveEnded(wasMoving)
    }

    private func setBounds(_ newBounds: Rect) {
        var context: LayoutInvalidationContext?
        if pass.isPrepared {
            let isInvalid = asking { $0.shouldInvalidateLayout(forBoundsChange: newBounds) }
            log.append(.layout(.shouldInvalidateLayoutForBounds(newBounds, isInvalid)))
            if isInvalid {
                context = asking { $0.invalidationContext(forBoundsChange: newBounds) }
                log.append(.layout(.invalidationContextForBounds(newBounds)))
            }
        }
        let hasMoved = newBounds.origin != viewport.offset
        if newBounds.size != viewport.bounds.size { noteAnchor() }
        viewport.bounds = newBounds
        if hasMoved { log.append(.scrolled(newBounds.origin)) }
        if let context { shownLayout.invalidateLayout(with: context) }
        if hasMoved, !pass.isUpdating { tellScroll() }
    }

    /// Tells the delegate, unless it has answered so often by scrolling further that it would never end.
    private func tellScroll() {
        guard let wasMoving = offsetRule.tellingBegan() else {
            return report(
                ViewError(
                    .reentrantLayout,
                    "the delegate answers scrolling with scrolling, \(Self.roundLimit) times within one"
                        + " another; it is not told any more"
                )
            )
        }
        delegate?.collectionViewDidScroll(self)
        offsetRule.tellingEnded(wasMoving)
    }
}
