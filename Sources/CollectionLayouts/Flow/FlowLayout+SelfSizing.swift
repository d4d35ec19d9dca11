import PersistentTrees

extension FlowLayout {
    /// The size of items that were not yet shown; nil if sizes are known beforehand.
    var effectiveEstimate: Size? {
        if estimatedItemSize == .zero { return nil }
        if estimatedItemSize != Self.automaticSize { return estimatedItemSize }
        return preferredSizes.mean ?? Size(width: 50, height: 50)
    }

    func accepts(_ preferred: LayoutAttributes, _ original: LayoutAttributes) -> Bool {
        guard preferred.representedElementCategory == .cell, effectiveEstimate != nil,
            preferred.size != original.size
        else { return false }
        return isUsable(preferred)
    }

    private func isUsable(_ preferred: LayoutAttributes) -> Bool {
        if preferred.size.isValid, preferred.size != .zero { return true }
        let message =
            "UICollectionView Flow Layout received layout attributes with an empty size. This happens"
            + " when a reusable view has incorrectly configured constraints, or wants a size that is"
            + " none: {\(preferred.size.width), \(preferred.size.height)} at \(preferred.indexPath)"
        report(LayoutError(.preferredSize, at: preferred.place, message: message))
        return false
    }

    /// Takes note of the size that a cell prefers.
    func context(forPreferredLayoutAttributes preferred: LayoutAttributes)
        -> LayoutInvalidationContext
    {
        let context = quietContext()
        let path = preferred.indexPath
        guard preferred.representedElementCategory == .cell, preferred.size.isValid,
            preferred.size != .zero,
            let state, let former = state.sections.element(at: path.section),
            let oldFrame = state.frame(ofItem: path)
        else { return context }
        let section = FlowSection(
            former.sizes.replacing(
                at: path.item,
                with: ItemSize(size: preferred.size, isPreferred: true)
            ),
            rules: former.rules,
            former: former,
            spans: ItemSpan.spans(changed: [path.item])
        )
        preferredSizes.add(preferred.size)
        var notes = LayoutNotes()
        var next = state
        next.sections.replace(at: path.section, with: notes.laidOut(section, path.section))
        self.state = next
        self.notes.add(notes)
        context.invalidateItems(at: [path])
        for kind in [SupplementaryKind.header, .footer] {
            let place = ItemPath(section: path.section, item: 0)
            if supplement(kind, at: place) != nil {
                context.invalidateSupplementaryElements(ofKind: kind, at: [place])
            }
        }
        context.adjust(
            by: next.contentExtent - state.contentExtent,
            of: oldFrame,
            keeping: host?.visibleRect,
            state.environment.direction,
            isReversed: state.environment.mirrorsSections
        )
        return context
    }
}

/// The mean of the sizes that views asked for.
struct PreferredSizeMean {
    private var count = 0.0
    private var width = 0.0
    private var height = 0.0

    mutating func add(_ size: Size) {
        count += 1
        width += size.width
        height += size.height
    }

    /// nil before any, and where the sums are no size.
    var mean: Size? {
        let size = Size(width: width / count, height: height / count)
        return size.isValid ? size : nil
    }
}
