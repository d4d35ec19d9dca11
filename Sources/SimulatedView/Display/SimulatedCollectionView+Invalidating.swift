import CollectionElements
import CollectionLayouts

// What is no longer right, and has the view laid out in a later turn.

extension SimulatedCollectionView {
    /// The layout is no longer right; the layout calls it. Adjustments take effect at once, the rest
    /// in the next pass.
    public func invalidateLayout(with context: LayoutInvalidationContext) {
        requireLane("invalidateLayout(with:)")
        if !offsetRule.isMoving { noteAnchor() }
        noteOtherSizes(context)
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

    /// A layout that is set up otherwise may have another range of sizes; not one that follows the offset or an
    /// update.
    private func noteOtherSizes(_ context: LayoutInvalidationContext) {
        guard !offsetRule.isMoving, !pass.isUpdating, !context.isPartial,
            !context.invalidatesDataSourceCounts
        else { return }
        source.mayOfferOtherSizes = true
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

    /// Has the view lay itself out in a later turn.
    public func setNeedsLayout() {
        pass.needed()
        scheduleTurn()
    }
}
