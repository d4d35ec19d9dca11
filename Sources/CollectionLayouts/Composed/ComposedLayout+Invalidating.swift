import CollectionElements

extension ComposedLayout {
    /// Invalidates some sections, which are laid out again with their current layouts; preferred
    /// sizes of their items are kept.
    ///
    /// Complexity: at the next preparation, the layout of these sections plus O(log n) for each.
    public final func invalidateSections(_ sections: some Sequence<Int>) {
        let context = ComposedInvalidationContext()
        context.sections = Set(sections)
        guard let first = context.sections.min() else { return }
        context.list([.header(first)])
        listShown(from: first, context)
        invalidateLayout(with: context)
    }

    /// Records the parts that a context invalidates.
    func note(_ context: LayoutInvalidationContext) {
        let own = context as? ComposedInvalidationContext
        if own?.isSettled == true { return }
        // Listed elements then need no entries of their own, because everything is laid out or the
        // update covers them.
        if context.invalidatesEverything {
            staleness.everything = true
        } else if context.invalidatesDataSourceCounts {
            staleness.counts = true
        } else if let own, !own.sections.isEmpty {
            staleness.sections.formUnion(own.sections)
        } else if context.isPartial {
            staleness.note(listedBy: context, decorations: true)
        } else {
            staleness.metrics = true
        }
    }

    /// Requests that the attributes of all visible elements be applied again.
    func invalidateShown() {
        let context = ComposedInvalidationContext()
        context.isSettled = true
        listShown(from: 0, context)
        invalidateLayout(with: context)
    }

    /// Lists the visible elements of all sections from `section` on.
    func listShown(from section: Int, _ context: ComposedInvalidationContext) {
        guard let host else { return }
        let shown = elements(in: host.bounds)
        context.list(shown.lazy.map(\.place).filter { $0.path.section >= section })
    }

    // MARK: Bounds

    /// Returns the elements whose attributes features change in new bounds.
    func placesMoved(byBoundsChange newBounds: Rect) -> Set<LayoutPlace> {
        // Without features, scrolling visits no elements.
        guard !features.isEmpty else { return [] }
        let movesItems = followsContentOffset(.cell)
        let (old, new) = (scene, scene(of: state, bounds: newBounds))
        let oldBounds = old.viewport.bounds
        // A local variable counts, because features may query the layout meanwhile.
        var visitedSections = 0
        defer { notes.work.visitedSections += visitedSections }
        var (seen, moved): (Set<LayoutPlace>, Set<LayoutPlace>) = ([], [])
        let skipped = oldBounds.skipped(to: newBounds, scrollDirection)
        for bounds in [oldBounds, newBounds, skipped].compactMap(\.self) {
            guard let searched = ComposedScene.SearchedRect(bounds, in: old) else { continue }
            old.forEachSection(in: searched, &visitedSections) { placed in
                let (before, after) = (old.environment(of: placed), new.environment(of: placed))
                let elements =
                    placed.section.boundaryElements(ofSection: placed.index)
                    .filter { followsContentOffset($0.place.category) }
                    + (movesItems ? old.items(in: placed, searched) : [])
                for element in elements where seen.insert(element.place).inserted {
                    if old.attributes(of: element, in: placed, before)
                        != new.attributes(of: element, in: placed, after)
                    {
                        moved.insert(element.place)
                    }
                }
            }
        }
        return moved
    }

    private func followsContentOffset(_ category: ElementCategory) -> Bool {
        features.contains { $0.followsContentOffset(category) }
    }

    // MARK: Preferred sizes

    func takesPreferred(_ size: Size, of place: LayoutPlace) -> Bool {
        guard PreferredSizes.hold(place.category),
            let placed = state.placedSection(at: place.path.section),
            let frame = placed.section.element(at: place)?.frame
        else { return false }
        // If the view prefers its current size, even an empty one, nothing changes.
        if size == frame.size { return false }
        let (along, across) = (size.along(scrollDirection), size.across(scrollDirection))
        let limit = Self.largestExtent
        guard size.isValid, along <= limit, across <= limit, along + across > 0 else {
            report(
                .unusable(
                    "{\(size.width), \(size.height)}",
                    as: .preferredSize,
                    at: place,
                    expected: "a finite size, neither negative nor empty",
                    outcome: "it is ignored"
                )
            )
            return false
        }
        let tolerance = 0.5 / scene.viewport.displayScale
        func differs(from other: Size) -> Bool {
            abs(size.width - other.width) >= tolerance
                || abs(size.height - other.height) >= tolerance
        }
        // A layout may use only one dimension of a size; without the second condition, the view
        // would request its size again and again.
        let preferred = placed.section.preferred[place]
        return differs(from: frame.size) && (preferred.map(differs) ?? true)
    }

    func resize(_ place: LayoutPlace, to size: Size, _ context: ComposedInvalidationContext) {
        context.isSettled = true
        let index = place.path.section
        guard takesPreferred(size, of: place), let placed = state.placedSection(at: index),
            let element = placed.section.element(at: place)
        else { return }
        context.list([place])
        listShown(from: index, context)
        let (before, scene) = (state, scene)
        let old = placed.section
        var preferred = old.preferred
        preferred.set(size, for: place, itemCount: old.itemCount)
        let changed = place.category == .cell ? [place.path.item] : []
        let spans = ItemSpan.spans(changed: changed)
        let changes = ComposedResolver.FormerSection(former: old, spans: spans)
        let resolver = resolver(usedInsets)
        let new = resolver.layOut(index, old.layout, old.itemCount, preferred, changes)
        state.sections.replace(at: index, with: new)
        take(resolver)
        // A right-to-left layout keeps its position on the screen if the offset grows with the
        // content, unless the growing element lies before the viewport.
        context.adjust(
            by: state.sections.extent - before.sections.extent,
            of: scene.rect(element, in: placed),
            keeping: scene.viewport.bounds,
            scrollDirection,
            isReversed: scrollDirection == .horizontal && scene.viewport.isRightToLeft
        )
    }
}

/// The parts of a ``ComposedLayout`` that are invalid.
///
/// In addition to the lists of its superclass, whose elements are measured and laid out again, it
/// names whole sections. The contexts that the layout itself makes for new bounds and preferred
/// sizes cause no layout: the elements that they list have only changed their attributes.
public final class ComposedInvalidationContext: LayoutInvalidationContext {
    /// The sections to lay out again.
    public internal(set) var sections: Set<Int> = []

    /// Whether the layout has already handled the listed elements, or need not handle them.
    var isSettled = false

    /// Creates a context without details, which invalidates everything.
    public required init() { super.init() }

    /// Adds elements to the lists.
    func list(_ places: some Sequence<LayoutPlace>) {
        for place in places {
            switch place.category {
            case .cell: invalidateItems(at: [place.path])
            case .supplementary(let kind):
                invalidateSupplementaryElements(ofKind: kind, at: [place.path])
            case .decoration(let kind):
                invalidateDecorationElements(ofKind: kind, at: [place.path])
            }
        }
    }
}
