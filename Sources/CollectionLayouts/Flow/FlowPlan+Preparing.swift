import CollectionElements

// What a worker does for a flow layout.

extension FlowPlan {
    /// How large something is, as far as that is known.
    package typealias KnownSize = (LayoutPlace) -> Size?

    /// Lays out a map, from what was laid out before as far as that goes.
    ///
    /// - Parameter size: asked for what is new, or else for everything.
    ///
    /// Complexity: O(k log n) for k edits since `former`, or O(n) without.
    package func laidOut(
        _ map: ElementMap,
        after former: PreparedFlow?,
        _ size: @escaping KnownSize
    ) -> PreparedFlow {
        var resolver = FlowResolver(settings, PlannedHost(self, map, size), environment)
        guard let former, former.plan.isEquivalent(to: self),
            former.map.isOfSameCollection(as: map)
        else { return made(resolver.everything(keepingSizesOf: nil), map, resolver) }
        if former.map.isIdentical(to: map) {
            return made(former.state, map, resolver, adding: former.diagnostics)
        }
        let update = map.changes(from: former.map)
        var state = former.state
        state.sections = resolver.applying(update, SectionEditPlan(update), to: state.sections)
        var stale = LayoutStaleness()
        stale.supplements[.header] = Set(map.sectionsWithOtherSupplementaries(from: former.map))
        state.sections = resolver.refreshing(stale, in: state.sections)
        return made(state, map, resolver, adding: former.diagnostics)
    }

    /// The same, with the sizes of some things asked for again.
    ///
    /// Complexity: O(k log n) for k places.
    package func refreshed(
        _ prepared: PreparedFlow,
        at places: some Sequence<LayoutPlace>,
        _ size: @escaping KnownSize
    ) -> PreparedFlow {
        var stale = LayoutStaleness()
        for place in places {
            switch place.category {
            case .cell: stale.items[place.path.section, default: []].insert(place.path.item)
            case .supplementary(let kind):
                stale.supplements[kind, default: []].insert(place.path.section)
            case .decoration: break
            }
        }
        let host = PlannedHost(self, prepared.map, size)
        var resolver = FlowResolver(settings, host, environment)
        var state = prepared.state
        state.sections = resolver.refreshing(stale, in: state.sections)
        return made(state, prepared.map, resolver, adding: prepared.diagnostics)
    }

    private func made(
        _ state: FlowState,
        _ map: ElementMap,
        _ resolver: FlowResolver,
        adding former: LayoutDiagnostics = LayoutDiagnostics()
    ) -> PreparedFlow {
        var diagnostics = former
        diagnostics.add(resolver.notes.diagnostics)
        return PreparedFlow(
            map: map,
            plan: self,
            state: state,
            diagnostics: diagnostics,
            work: resolver.notes.work
        )
    }

    /// The sizes that something may take: exactly one where that is said, otherwise as much across the scroll
    /// direction as there is room, and any extent along it.
    package func sizeRange(of place: LayoutPlace, in map: ElementMap) -> SizeRange {
        let room = environment.dimension
        guard place.category == .cell else {
            return .across(room, to: room, settings.direction)
        }
        guard let size = fixedSize(of: place, in: map), size.isValid else {
            return .across(0, to: room, settings.direction)
        }
        return SizeRange(minimum: size, maximum: size)
    }

    /// Whether an item is as large as is said, whatever its node wants.
    package func isFixed(_ place: LayoutPlace, in map: ElementMap) -> Bool {
        fixedSize(of: place, in: map) != nil
    }

    /// What is said of the size of an item; nil where it is measured.
    private func fixedSize(of place: LayoutPlace, in map: ElementMap) -> Size? {
        guard place.category == .cell else { return nil }
        let own = SectionMetrics().completed(by: map.context(forSection: place.path.section))
        return own.itemSize ?? settings.fixedItemSize
    }
}

extension PreparedFlow {
    /// What lies near to where the view was when the plan was made: items, and the headers and footers of the sections,
    /// also those that have no extent before they are measured.
    package var nearPlaces: [LayoutPlace] {
        var visited = 0
        let items = state.elements(in: plan.reach, nil, &visited).map(\.place)
        var places = items.filter { $0.category == .cell }
        guard let along = state.along(plan.reach) else { return places }
        state.visitSections(along) { index, _, _ in
            places += [.header(index), .footer(index)]
        }
        return places
    }
}

/// A view as it was when a plan was made, with a map that it is yet to show.
private final class PlannedHost: LayoutHost {
    private let plan: FlowPlan
    private let map: ElementMap
    private let size: FlowPlan.KnownSize

    init(_ plan: FlowPlan, _ map: ElementMap, _ size: @escaping FlowPlan.KnownSize) {
        (self.plan, self.map, self.size) = (plan, map, size)
    }

    func measuredSize(of place: LayoutPlace) -> Size? { size(place) }

    var numberOfSections: Int { map.numberOfSections }

    func numberOfItems(inSection section: Int) -> Int { map.numberOfItems(inSection: section) ?? 0 }

    func context(forSection section: Int) -> (any SectionContext)? {
        map.context(forSection: section)
    }

    var bounds: Rect { plan.bounds }

    // All that is taken from the view is in the plan's environment.
    var adjustedContentInset: EdgeInsets { .zero }
    var safeAreaInsets: EdgeInsets { .zero }
    var layoutMargins: EdgeInsets { .zero }
    var isRightToLeft: Bool { plan.environment.isRightToLeft }
    var displayScale: Double { plan.environment.scale }
    var layoutMetrics: (any LayoutMetrics)? { nil }
    func invalidateLayout(with context: LayoutInvalidationContext) {}
}
