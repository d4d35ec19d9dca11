import CollectionElements
import CollectionLayouts

// What the layout sees of the view, and what programs may set of it.

extension SimulatedCollectionView {
    /// How the elements are laid out. To change it, use ``setLayout(_:animated:completion:)``.
    public var layout: CollectionLayout {
        requireLane("layout")
        return shownLayout
    }

    /// The viewport in content coordinates: its origin is the content offset.
    public var bounds: Rect {
        requireLane("bounds")
        return viewport.bounds
    }

    /// The extent of the viewport; ``resize(to:animated:)`` changes it.
    public var size: Size { bounds.size }

    /// How large the content was when the view was last laid out.
    public var contentSize: Size {
        requireLane("contentSize")
        return viewport.contentSize
    }

    /// What the view keeps free around the content; insets that are not finite count as 0.
    public var contentInset: EdgeInsets {
        get { currentInsets.content }
        set { changeInsets { $0.content = newValue.finite } }
    }

    /// What bars and rounded corners cover.
    public var safeAreaInsets: EdgeInsets {
        get { currentInsets.safeArea }
        set { changeInsets { $0.safeArea = newValue.finite } }
    }

    /// The margins that content should keep.
    public var layoutMargins: EdgeInsets {
        get { currentInsets.margins }
        set { changeInsets { $0.margins = newValue.finite } }
    }

    /// Whether content runs from right to left.
    public var isRightToLeft: Bool {
        get { currentInsets.isRightToLeft }
        set { changeInsets { $0.isRightToLeft = newValue } }
    }

    /// How many pixels a unit has; 1 where it is set to no such number.
    public var displayScale: Double {
        get { currentInsets.displayScale }
        set { changeInsets { $0.displayScale = newValue > 0 && newValue.isFinite ? newValue : 1 } }
    }

    /// How much of the safe area is part of ``adjustedContentInset``.
    public var contentInsetAdjustment: ContentInsetAdjustment {
        get { currentInsets.adjustment }
        set { changeInsets { $0.adjustment = newValue } }
    }

    /// The content inset, and what ``contentInsetAdjustment`` adds of the safe area.
    public var adjustedContentInset: EdgeInsets {
        requireLane("contentInset and the like")
        return viewport.inset
    }

    /// Layouts take into account what lies around; so everything is laid out again. What was at the
    /// beginning stays there.
    private func changeInsets(_ change: (inout ViewInsets) -> Void) {
        var changed = currentInsets
        change(&changed)
        guard changed != viewport.insets else { return }
        noteAnchor()
        viewport.insets = changed
        shownLayout.invalidate()
    }

    private var currentInsets: ViewInsets {
        requireLane("contentInset and the like")
        return viewport.insets
    }

    // MARK: Counts

    /// How many sections the view shows; inside a batch of updates still the old number.
    public func numberOfSections() -> Int {
        requireLane("numberOfSections()")
        return content.shape.numberOfSections
    }

    /// How many items a section has in the view; 0 where there is no such section.
    public func numberOfItems(inSection section: Int) -> Int {
        requireLane("numberOfItems(inSection:)")
        return content.numberOfItems(inSection: section)
    }

    /// What the data source attached to a section when it was inserted.
    public func context(forSection section: Int) -> (any SectionContext)? {
        requireLane("context(forSection:)")
        return content.context(forSection: section)
    }

    /// The size that the pipeline measured an element with; nil where a data source of views fills
    /// the view.
    public func measuredSize(of place: LayoutPlace) -> Size? {
        requireLane("measuredSize(of:)")
        return content.measuredSize(of: place)
    }

    // MARK: Invalidation

    /// The layout is no longer right; the layout calls it. Adjustments take effect at once, the rest
    /// in the next pass.
    public func invalidateLayout(with context: LayoutInvalidationContext) {
        requireLane("invalidateLayout(with:)")
        if !offsetRule.isMoving { noteAnchor() }
        log.append(.invalidated(ViewEvent.Invalidation(context)))
        pass.invalidated()
        display.window.invalidate()
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
            moveOffset(to: Point(x: viewport.offset.x + shift.x, y: viewport.offset.y + shift.y))
            offsetRule.take(.layout)
        }
        setNeedsLayout()
    }

    /// Views whose attributes are no longer right are asked again for the size that they want.
    private func markPreferred(_ context: LayoutInvalidationContext) {
        guard context.isPartial else {
            for known in display.shown.all { known.needsPreferred = true }
            return
        }
        func mark(_ category: ElementCategory, _ paths: Set<ItemPath>) {
            for path in paths { display.shown[LayoutPlace(category, path)]?.needsPreferred = true }
        }
        mark(.cell, context.itemPaths)
        for (kind, paths) in context.supplementaryPaths { mark(.supplementary(kind), paths) }
        for (kind, paths) in context.decorationPaths { mark(.decoration(kind), paths) }
    }

    func note(contentSize: Size) {
        guard contentSize != viewport.contentSize else { return }
        viewport.contentSize = contentSize
        log.append(.contentSize(contentSize))
    }

    /// Has the view lay itself out in a later turn.
    public func setNeedsLayout() {
        pass.needed()
        scheduleTurn()
    }
}

extension EdgeInsets {
    /// With 0 in place of what is no number.
    var finite: EdgeInsets {
        func usable(_ value: Double) -> Double { value.isFinite ? value : 0 }
        return EdgeInsets(
            top: usable(top),
            left: usable(left),
            bottom: usable(bottom),
            right: usable(right)
        )
    }
}
