import CollectionLayouts

// Scrolling by program, and changes of the bounds. Before the bounds change, the view queries
// whether the change invalidates the layout.

extension SimulatedCollectionView {
    /// The content offset: the origin of the bounds. A new value is used unchanged, even beyond the
    /// ends of the content, until the layout is prepared again. A value that is not finite is
    /// reported and ignored.
    public var contentOffset: Point {
        get { bounds.origin }
        set {
            requireLane()
            setContentOffset(newValue)
        }
    }

    /// Sets ``contentOffset`` and stops content that moves by itself.
    ///
    /// - Parameters:
    ///   - offset: The new offset.
    ///   - isAnimated: Whether the content moves there on the view's clock, in 0.3 seconds, during
    ///     which the view is busy. The content moves immediately if a finger is dragging, if the
    ///     view has no clock, or if the delegate makes the call when it is notified that other
    ///     content movement was stopped.
    public func setContentOffset(_ offset: Point, animated isAnimated: Bool = false) {
        requireLane()
        guard isUsable(offset) else { return }
        guard takesOver(animated: isAnimated) else { return scroll(to: offset) }
        move(.animation, to: offset)
    }

    /// Stops content that moves by itself, before the program scrolls.
    ///
    /// - Returns: Whether to animate, as requested; otherwise the content moves immediately.
    private func takesOver(animated isAnimated: Bool) -> Bool {
        stopMotion()
        return isAnimated && scrolling.mayMove && mayBegin()
    }

    /// Scrolls down by a distance, at most to the end of the content; a negative distance scrolls
    /// up.
    public func scroll(by distance: Double) { scroll(by: Point(x: 0, y: distance)) }

    /// Scrolls right and down by a distance, at most to the ends of the content.
    public func scroll(by distance: Point) {
        requireLane()
        guard isUsable(distance) else { return }
        display.ranges?.scrolled()
        stopMotion()
        bringUpToDate()
        scrollWithin(by: distance)
    }

    /// Scrolls by a distance, at most to the ends of the content.
    func scrollWithin(by distance: Point) {
        let origin = viewport.offset
        scroll(to: viewport.legal(Point(x: origin.x + distance.x, y: origin.y + distance.y)))
    }

    /// Scrolls to the beginning of the content.
    ///
    /// - Parameter isAnimated: Whether to animate, as in ``setContentOffset(_:animated:)``.
    public func scrollToTop(animated isAnimated: Bool = false) {
        requireLane()
        bringUpToDate()
        guard takesOver(animated: isAnimated) else { return scroll(to: viewport.start) }
        move(.animation, to: viewport.start, goal: .start)
    }

    /// Scrolls an item to a position in the viewport, as close as the ends of the content allow.
    /// Lays the view out, repeatedly if items on the way turn out to have other sizes.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - position: The position in the viewport.
    ///   - isAnimated: Whether to animate, as in ``setContentOffset(_:animated:)``. The animation
    ///     follows the item if its frame changes, unless the content is replaced in the meantime.
    /// - Throws: `noSuchPath`, `scrollPosition`, or `layoutAttributes` if the layout has no
    ///   attributes for the item. In that case nothing has changed.
    public func scrollToItem(
        at path: ItemPath,
        at position: ScrollPosition = .top,
        animated isAnimated: Bool = false
    ) throws(ViewError) {
        requireLane()
        try position.check()
        bringUpToDate()
        try requireItem(path)
        // Positions have no meaning in a viewport without extent.
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

    /// Scrolls an item to a position immediately, as close as possible.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - frame: The current frame of the item; `nil` if it has none.
    ///   - position: The position in the viewport.
    func show(_ path: ItemPath, in frame: Rect?, at position: ScrollPosition) {
        var frame = frame
        for _ in 0..<Self.roundLimit {
            // An item that lost its frame on the way was already as close as possible.
            guard let found = frame else { return }
            let target = target(showing: found, at: position)
            if target == viewport.offset { return }
            scroll(to: target)
            // A delegate that was notified may have scrolled elsewhere.
            guard viewport.offset == target else { return }
            bringUpToDate()
            frame = attributes(for: .cell(path))?.frame
        }
    }

    /// Returns the offset at which a frame is at a position, within the ends of the content.
    func target(showing frame: Rect, at position: ScrollPosition) -> Point {
        viewport.legal(
            position.offset(showing: frame, in: viewport.bounds, inset: adjustedContentInset)
        )
    }

    /// Returns the frame of an item; throws if the layout has no attributes for it.
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

    /// Changes the extent of the viewport. An invalid size is reported and ignored.
    ///
    /// Elements of a pipeline keep their sizes until the controller has measured them for the new
    /// extent. The view requests that, as it does whenever its ``elementSizeRange`` may have
    /// changed: see `ElementMap.setNeedsRelayout()`.
    ///
    /// - Parameters:
    ///   - size: The extent, in content coordinates.
    ///   - isAnimated: Whether the layout is notified of an animated change.
    public func resize(to size: Size, animated isAnimated: Bool = false) {
        requireLane()
        guard size.isValid else { return reportInvalid(size) }
        guard size != viewport.bounds.size else { return }
        var before: [LayoutAttributes] = []
        if isAnimated {
            // The pass may move the content.
            layoutIfNeeded()
            before = display.shown.all.map(\.attributes)
            let old = viewport.bounds
            ask(.prepareForAnimatedBoundsChange(old)) { $0.prepare(forAnimatedBoundsChange: old) }
        }
        display.transitions = []
        setBounds(Rect(origin: viewport.offset, size: size))
        source.mayHaveNewSizeRanges = true
        offsetRule.resized()
        invalidateWindow()
        setNeedsLayout()
        guard isAnimated else { return }
        layoutIfNeeded()
        scroll(to: adjustedTarget(viewport.offset))
        layoutIfNeeded()
        noteTransitions(since: before)
        ask(.finalizeAnimatedBoundsChange) { $0.finalizeAnimatedBoundsChange() }
    }

    // MARK: Offsets

    /// Returns whether both coordinates are finite; reports an error if not.
    func isUsable(_ point: Point) -> Bool {
        if point.x.isFinite, point.y.isFinite { return true }
        report(.notFinite, "expected finite numbers, found (\(point.x), \(point.y))")
        return false
    }

    /// Scrolls to an offset that the program, a finger or a motion chose.
    func scroll(to offset: Point) {
        guard offset != viewport.offset else { return }
        cancelTouch()
        offsetRule.take(.program)
        reuse.prefetching.noteScroll(from: viewport.offset, to: offset)
        // The elements that are visible now must be known before anything else changes.
        if !pass.hasPlaces, !pass.isLocked, !display.shown.all.isEmpty {
            prepareLayout()
            offsetRule.preparedEarly()
        }
        // Scheduled before the delegate is notified, since the delegate may lay the view out.
        setNeedsLayout()
        changeOffset(to: offset)
    }

    /// Moves the offset together with the content, as in a change of the layout.
    func moveOffset(to offset: Point) {
        guard offset != viewport.offset, offset.x.isFinite, offset.y.isFinite else { return }
        changeOffset(to: offset)
    }

    private func changeOffset(to offset: Point) {
        let wasMoving = offsetRule.moveBegan()
        // Adding 0 turns -0 into 0; -0 would look like an offset before the beginning.
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
        if hasMoved, !pass.isUpdating { notifyOfScroll() }
    }

    /// Notifies the delegate, unless it has responded by scrolling too many levels deep.
    private func notifyOfScroll() {
        guard let wasMoving = offsetRule.notificationBegan() else {
            return report(
                .reentrantLayout,
                "the delegate responds to scrolling by scrolling, \(Self.roundLimit) levels"
                    + " deep; it is not notified of this scrolling"
            )
        }
        delegate?.collectionViewDidScroll(self)
        offsetRule.notificationEnded(wasMoving)
    }
}

// Paging, if the layout is a pager.

extension SimulatedCollectionView {
    /// The page nearest to the viewport; `nil` if the layout is not a `PagerLayout`, or has no
    /// pages.
    ///
    /// Source: Texture's pager node.
    public var currentPage: Int? {
        requireLane()
        bringUpToDate()
        return (shownLayout as? PagerLayout)?.currentPage
    }

    /// Scrolls to a page, counted from 0 in the order of items.
    ///
    /// - Parameters:
    ///   - number: The page.
    ///   - isAnimated: Whether to animate, as in ``setContentOffset(_:animated:)``.
    /// - Throws: `noSuchPath` if the page does not exist, or the layout is not a `PagerLayout`. In
    ///   that case nothing has changed.
    public func scrollToPage(at number: Int, animated isAnimated: Bool = false) throws(ViewError) {
        requireLane()
        bringUpToDate()
        guard let pager = shownLayout as? PagerLayout else {
            throw ViewError(
                .noSuchPath,
                "there is no page \(number): the layout is not a PagerLayout"
            )
        }
        guard let path = pager.path(ofPage: number) else {
            throw ViewError(
                .noSuchPath,
                "there is no page \(number) among \(pager.numberOfPages)"
            )
        }
        try scrollToItem(
            at: path,
            at: pager.scrollDirection == .horizontal ? .left : .top,
            animated: isAnimated
        )
    }
}

/// The position of an item in the viewport: at most one option per axis.
///
/// Source: UICollectionView.ScrollPosition.
public struct ScrollPosition: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: Int

    /// Creates a set from raw bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// At the upper edge.
    public static let top = ScrollPosition(rawValue: 1)
    /// In the middle between the upper and lower edge.
    public static let centeredVertically = ScrollPosition(rawValue: 2)
    /// At the lower edge.
    public static let bottom = ScrollPosition(rawValue: 4)
    /// At the left edge.
    public static let left = ScrollPosition(rawValue: 8)
    /// In the middle between the left and right edge.
    public static let centeredHorizontally = ScrollPosition(rawValue: 16)
    /// At the right edge.
    public static let right = ScrollPosition(rawValue: 32)

    private static let vertical: ScrollPosition = [.top, .centeredVertically, .bottom]
    private static let horizontal: ScrollPosition = [.left, .centeredHorizontally, .right]

    /// Throws if two options for the same axis are set.
    func check() throws(ViewError) {
        for (axis, word) in [(Self.vertical, "vertical"), (.horizontal, "horizontal")]
        where intersection(axis).rawValue.nonzeroBitCount > 1 {
            throw ViewError(
                .scrollPosition,
                "UICollectionViewScrollPosition: attempt to use a scroll position with multiple"
                    + " \(word) positioning styles"
            )
        }
    }

    /// Returns the content offset at which `frame` is at this position. The offset does not change
    /// along an axis without an option.
    func offset(showing frame: Rect, in bounds: Rect, inset: EdgeInsets) -> Point {
        var offset = bounds.origin
        if contains(.top) {
            offset.y = frame.minY - inset.top
        } else if contains(.bottom) {
            offset.y = frame.maxY + inset.bottom - bounds.size.height
        } else if contains(.centeredVertically) {
            offset.y = frame.center.y - (bounds.size.height + inset.top - inset.bottom) / 2
        }
        if contains(.left) {
            offset.x = frame.minX - inset.left
        } else if contains(.right) {
            offset.x = frame.maxX + inset.right - bounds.size.width
        } else if contains(.centeredHorizontally) {
            offset.x = frame.center.x - (bounds.size.width + inset.left - inset.right) / 2
        }
        return offset
    }
}
