extension FlowLayout {
    /// The size of items that were not yet shown; nil if sizes are known beforehand.
    var effectiveEstimate: Size? {
        if estimatedItemSize == .zero { return nil }
        if estimatedItemSize != Self.automaticSize { return estimatedItemSize }
        return preferredSizes.mean ?? Size(width: 50, height: 50)
    }

    func accepts(_ preferred: LayoutAttributes, _ original: LayoutAttributes) -> Bool {
        guard preferred.category == .cell, effectiveEstimate != nil,
            preferred.size != original.size
        else { return false }
        return isUsable(preferred)
    }

    private func isUsable(_ preferred: LayoutAttributes) -> Bool {
        if preferred.size.isValid, preferred.size != .zero { return true }
        let message =
            "UICollectionView Flow Layout received layout attributes with an empty size. This happens"
            + " when a reusable view has incorrectly configured constraints, or wants a size that is"
            + " none: {\(preferred.size.width), \(preferred.size.height)} at \(preferred.path)"
        errorLog.report(LayoutError(.preferredSize, at: preferred.place, message: message))
        return false
    }

    /// Takes note of the size that a cell wants.
    func context(forPreferred preferred: LayoutAttributes) -> LayoutInvalidationContext {
        let context = quietContext()
        let path = preferred.path
        guard preferred.category == .cell, preferred.size.isValid, preferred.size != .zero,
            let state, let former = state.sections.element(at: path.section),
            let oldFrame = itemFrame(at: path)
        else { return context }
        let span = ItemSpan(old: path.item..<(path.item + 1), new: path.item..<(path.item + 1))
        let section = FlowSection(
            former.sizes.replacing(
                at: path.item,
                with: ItemSize(size: preferred.size, isPreferred: true)
            ),
            rules: former.rules,
            former: former,
            spans: [span]
        )
        preferredSizes.add(preferred.size)
        let oldExtent = state.contentExtent
        self.state?.sections = state.sections.replacing(
            at: path.section,
            with: laidOut(section, path.section)
        )
        context.invalidateItems(at: [path])
        for kind in [SupplementaryKind.header, .footer] {
            let place = ItemPath(section: path.section, item: 0)
            if supplement(kind, at: place) != nil {
                context.invalidateSupplementaryElements(ofKind: kind, at: [place])
            }
        }
        // That of the content and not of the section, which may differ in the last digit.
        let growth = (self.state?.contentExtent ?? oldExtent) - oldExtent
        adjust(context, by: growth, since: oldFrame)
        return context
    }

    /// - Parameter oldFrame: where the item was that has grown or shrunk.
    private func adjust(
        _ context: LayoutInvalidationContext,
        by growth: Double,
        since oldFrame: Rect
    ) {
        guard let host, let environment = state?.environment else { return }
        let direction = environment.direction
        context.contentSizeAdjustment = Size(along: growth, across: 0, direction)
        let visible = host.bounds.inset(by: host.adjustedContentInset)
        // From right to left, what comes before an item moves, and what comes behind it stays.
        let movesWhatIsShown =
            environment.mirrorsSections
            ? oldFrame.minX < visible.maxX
            : oldFrame.origin.along(direction) + oldFrame.size.along(direction)
                <= visible.origin.along(direction)
        if movesWhatIsShown {
            context.contentOffsetAdjustment = Point(along: growth, across: 0, direction)
        }
    }
}
