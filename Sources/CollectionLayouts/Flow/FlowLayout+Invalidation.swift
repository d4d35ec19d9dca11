import PersistentTrees

extension FlowLayout {
    /// Handles a changed property: the layout invalidates itself in its view, unless it is about to
    /// prepare anyway.
    func propertyChanged(_ hasChanged: Bool, everything: Bool = false) {
        guard hasChanged else { return }
        guard isPrepared, !isPreparing else {
            staleness.metrics = true
            if everything { staleness.everything = true }
            return
        }
        let context = Self.invalidationContextClass.init()
        context.invalidatesEverything = everything
        invalidateLayout(with: context)
    }

    /// Handles a change of pinning, on which the places of lines do not depend.
    func pinningChanged(_ hasChanged: Bool) {
        guard hasChanged, isPrepared, !isPreparing else { return }
        invalidateLayout(with: quietContext())
    }

    /// Returns a context that leaves sizes and lines valid.
    func quietContext() -> LayoutInvalidationContext {
        let context = Self.invalidationContextClass.init()
        if let context = context as? FlowLayoutInvalidationContext {
            context.invalidatesFlowLayoutDelegateMetrics = false
            context.invalidatesFlowLayoutAttributes = false
        }
        return context
    }

    func note(_ context: LayoutInvalidationContext) {
        guard let flow = context as? FlowLayoutInvalidationContext else {
            isPrepared = false
            staleness.metrics = true
            if context.invalidatesEverything { staleness.everything = true }
            if context.invalidatesDataSourceCounts { staleness.counts = true }
            let message =
                "the invalidation context (\(type(of: context))) sent to -[UICollectionViewFlowLayout"
                + " invalidateLayoutWithContext:] is not an instance of type"
                + " UICollectionViewFlowLayoutInvalidationContext or a subclass"
            let error = LayoutError(.invalidationContext, message: message)
            staleness.mistake = error
            return report(error)
        }
        // Changes that follow the bounds leave the rest of the layout prepared.
        if flow.invalidatesEverything || flow.invalidatesDataSourceCounts
            || flow.invalidatesFlowLayoutDelegateMetrics || flow.invalidatesFlowLayoutAttributes
        {
            isPrepared = false
        }
        if flow.invalidatesEverything { staleness.everything = true }
        if flow.invalidatesDataSourceCounts { staleness.counts = true }
        if flow.isPartial {
            if flow.invalidatesFlowLayoutDelegateMetrics {
                staleness.note(listedBy: flow, decorations: false)
            } else if flow.invalidatesFlowLayoutAttributes {
                staleness.places = true
            }
        } else if !flow.invalidatesDataSourceCounts {
            // After an update, the layout requests only values of inserted elements; see
            // `prepare(applying:)`.
            if flow.invalidatesFlowLayoutDelegateMetrics { staleness.metrics = true }
            if flow.invalidatesFlowLayoutAttributes { staleness.places = true }
        }
    }

    // MARK: Bounds

    /// The effect of new bounds on the layout.
    struct BoundsChange {
        /// The pinned headers and footers that lie in the old or the new bounds, or that move and
        /// whose section lies in or between them.
        var supplements: [FlowSupplement] = []
        var movesLines = false

        var isRelevant: Bool { movesLines || !supplements.isEmpty }
    }

    func boundsChange(to newBounds: Rect) -> BoundsChange {
        guard let host else { return BoundsChange() }
        var change = BoundsChange()
        let (old, direction) = (host.bounds, scrollDirection)
        change.movesLines =
            old.size.across(direction) != newBounds.size.across(direction)
            || old.origin.across(direction) != newBounds.origin.across(direction)
        guard let state else {
            // Nothing was laid out in a viewport without extent.
            change.movesLines = true
            return change
        }
        let (oldViewport, newViewport) = (
            viewport(in: state, bounds: old), viewport(in: state, bounds: newBounds)
        )
        let skipped = old.skipped(to: newBounds, direction)
        for bounds in [old, newBounds, skipped].compactMap(\.self) {
            for kind in [SupplementaryKind.header, .footer]
            where kind == .header
                ? sectionHeadersPinToVisibleBounds : sectionFootersPinToVisibleBounds
            {
                let before = state.supplements(kind, ofSectionsIn: bounds, viewport: oldViewport)
                let after = state.supplements(kind, ofSectionsIn: bounds, viewport: newViewport)
                for (before, after) in zip(before, after) {
                    let isInSight =
                        before.frame.intersects(old) || after.frame.intersects(newBounds)
                    // An inset as large as the bounds holds them outside the bounds, where they
                    // move too.
                    if isInSight || before.frame != after.frame { change.supplements.append(after) }
                }
            }
        }
        return change
    }

    func context(for change: BoundsChange) -> LayoutInvalidationContext {
        let context = quietContext()
        (context as? FlowLayoutInvalidationContext)?.invalidatesFlowLayoutAttributes =
            change.movesLines
        for supplement in change.supplements {
            let path = ItemPath(section: supplement.section, item: 0)
            context.invalidateSupplementaryElements(ofKind: supplement.kind, at: [path])
        }
        return context
    }
}

/// The parts of a ``FlowLayout`` that are invalid.
///
/// A new context invalidates all sizes and metrics. If it lists items or supplementary views, only
/// their sizes and metrics are requested again.
///
/// Source: UICollectionViewFlowLayoutInvalidationContext.
open class FlowLayoutInvalidationContext: LayoutInvalidationContext {
    /// Whether sizes, insets and spacings are requested again; otherwise the layout keeps them.
    public var invalidatesFlowLayoutDelegateMetrics = true

    /// Whether lines are broken and placed again; otherwise the layout keeps them.
    public var invalidatesFlowLayoutAttributes = true
}

extension FlowLayout {
    /// The size of items that have not been shown yet; `nil` if sizes are known in advance.
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
            + " when a reusable view has incorrectly configured constraints, or prefers an invalid"
            + " size: {\(preferred.size.width), \(preferred.size.height)} at \(preferred.indexPath)"
        report(LayoutError(.preferredSize, at: preferred.place, message: message))
        return false
    }

    /// Records the size that a cell prefers, and returns a context for it.
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

/// The mean of the sizes that views prefer.
struct PreferredSizeMean {
    private var count = 0.0
    private var width = 0.0
    private var height = 0.0

    mutating func add(_ size: Size) {
        count += 1
        width += size.width
        height += size.height
    }

    /// The mean; `nil` if there are no sizes, or if the sums overflow.
    var mean: Size? {
        let size = Size(width: width / count, height: height / count)
        return size.isValid ? size : nil
    }
}

extension FlowLayout {
    /// Returns the interval that headers and footers are currently pinned to; `nil` if none are
    /// pinned.
    func viewport(in state: FlowState) -> FlowState.Viewport? {
        viewport(in: state, bounds: host?.bounds)
    }

    /// Returns the interval that headers and footers are pinned to; `nil` if none are pinned.
    func viewport(in state: FlowState, bounds: Rect?) -> FlowState.Viewport? {
        guard sectionHeadersPinToVisibleBounds || sectionFootersPinToVisibleBounds, let bounds,
            let host
        else { return nil }
        let visible = bounds.inset(by: host.adjustedContentInset)
        let direction = state.environment.direction
        var low = visible.origin.along(direction)
        var high = low + visible.size.along(direction)
        if state.environment.mirrorsSections {
            (low, high) = (state.contentExtent - high, state.contentExtent - low)
        }
        return ClosedRange.checked(low, high).map {
            FlowState.Viewport(
                interval: $0,
                pinsHeaders: sectionHeadersPinToVisibleBounds,
                pinsFooters: sectionFootersPinToVisibleBounds
            )
        }
    }
}
