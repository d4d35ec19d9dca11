extension FlowLayout {
    /// A property was set: the layout says so to its view, unless it is about to prepare anyway.
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

    /// Where lines are does not depend on pinning.
    func pinningChanged(_ hasChanged: Bool) {
        guard hasChanged, isPrepared, !isPreparing else { return }
        invalidateLayout(with: quietContext())
    }

    /// A context that leaves sizes and lines as they are.
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
        // What follows the bounds leaves the rest prepared.
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
            // After an update only what came is asked for; see `prepare(applying:)`.
            if flow.invalidatesFlowLayoutDelegateMetrics { staleness.metrics = true }
            if flow.invalidatesFlowLayoutAttributes { staleness.places = true }
        }
    }

    // MARK: Bounds

    /// What other bounds do to the layout.
    struct BoundsChange {
        /// Pinned headers and footers that lie in the old or the new bounds, or that move and whose
        /// section lies there or between.
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
            // In a viewport without extent nothing was laid out.
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
                    // An inset as large as the bounds holds them out of sight, where they move too.
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

/// What of a ``FlowLayout`` is no longer right.
///
/// As it is made it says that sizes and metrics must be asked for again. With items or supplementary
/// views listed, only theirs are.
///
/// Source: UICollectionViewFlowLayoutInvalidationContext.
open class FlowLayoutInvalidationContext: LayoutInvalidationContext {
    /// Whether sizes, insets and spacings are to be asked for again; otherwise the layout keeps them.
    public var invalidatesFlowLayoutDelegateMetrics = true

    /// Whether lines are to be broken and placed again; otherwise the layout keeps them.
    public var invalidatesFlowLayoutAttributes = true
}
