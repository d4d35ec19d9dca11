import CollectionElements

extension FlowLayout {
    /// Updates the layout, with no more work than the invalidations require.
    func layOut() {
        guard !isPreparing else {
            let text =
                "An attempt to update layout information was detected while already in the process of"
                + " computing the layout (i.e. reentrant call)"
            return report(LayoutError(.reentrantPrepare, message: text))
        }
        guard let host,
            let environment = FlowEnvironment(
                host,
                direction: scrollDirection,
                insetReference: sectionInsetReference
            )
        else {
            state = nil
            return
        }
        isPreparing = true
        defer { isPreparing = false }
        var stale = staleness
        // Properties that are set while the layout prepares, for example by its metrics object,
        // take effect the next time.
        staleness = LayoutStaleness()
        if adoptPrepared(in: environment, &stale) { return }
        var resolver = FlowResolver(FlowSettings(self), host, environment)
        state = upToDate(stale, &resolver)
        notes.add(resolver.notes)
        isPrepared = !staleness.metrics
    }

    private func upToDate(_ stale: LayoutStaleness, _ resolver: inout FlowResolver) -> FlowState {
        guard !stale.everything, let state else {
            return rebuilt(keepingSizesOf: nil, &resolver, stale.mistake)
        }
        var stale = stale
        var current = state
        if stale.counts {
            guard let update = pendingUpdate, state.sections.precedes(update) else {
                return rebuilt(keepingSizesOf: nil, &resolver, stale.mistake)
            }
            let plan = SectionEditPlan(update)
            if let mistake = resolver.host.mismatch(with: update, in: plan.touchedSections) {
                return rebuilt(keepingSizesOf: nil, &resolver, mistake)
            }
            current.sections = resolver.applying(update, plan, to: state.sections)
            stale.follow(update)
        }
        // This is done only now, because the sizes that views preferred have moved with their
        // items.
        if stale.metrics { return rebuilt(keepingSizesOf: current, &resolver, stale.mistake) }
        if stale.places || current.environment != resolver.environment {
            current = resolver.placing(current)
        }
        current.sections = resolver.refreshing(stale, in: current.sections)
        return current
    }

    /// Lays out everything.
    ///
    /// - Parameter mistake: The error that caused this; it is reported before later errors.
    private func rebuilt(
        keepingSizesOf former: FlowState?,
        _ resolver: inout FlowResolver,
        _ mistake: LayoutError?
    ) -> FlowState {
        clearErrors()
        // Drops the errors of an update that was tried and did not match.
        resolver.notes.diagnostics = LayoutDiagnostics()
        if let mistake { report(mistake) }
        return resolver.everything(keepingSizesOf: former)
    }
}

// The work of a worker for a flow layout.

extension FlowPlan {
    /// A function that returns the size of an element if it is known.
    package typealias KnownSize = (LayoutPlace) -> Size?

    /// Lays out a map, reusing an earlier result as far as possible.
    ///
    /// - Parameter size: A closure that is called for new elements, or for all elements if there is
    ///   no usable earlier result.
    ///
    /// Complexity: O(k log n) for k edits since `former`; O(n) otherwise.
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

    /// Lays out the same map with the sizes of some elements requested again.
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

    /// Returns the size range of an element: exactly one size for an item with a defined size,
    /// otherwise any extent along the scroll direction. Across it, an item has at most the
    /// available extent, and a header or footer exactly that.
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

    /// Returns whether the size of an item is defined, regardless of its node.
    package func isFixed(_ place: LayoutPlace, in map: ElementMap) -> Bool {
        fixedSize(of: place, in: map) != nil
    }

    /// Returns the defined size of an item; `nil` if it is measured.
    private func fixedSize(of place: LayoutPlace, in map: ElementMap) -> Size? {
        guard place.category == .cell else { return nil }
        let own = SectionMetrics().completed(by: map.context(forSection: place.path.section))
        return own.itemSize ?? settings.fixedItemSize
    }
}

extension PreparedFlow {
    /// The places near the view's position when the plan was made: items, and the headers and
    /// footers of the sections, including those that have no extent before they are measured.
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

/// The view as it was when a plan was made, with a map that the view does not show yet.
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

    // The plan's environment contains all values from the view.
    var adjustedContentInset: EdgeInsets { .zero }
    var safeAreaInsets: EdgeInsets { .zero }
    var layoutMargins: EdgeInsets { .zero }
    var isRightToLeft: Bool { plan.environment.isRightToLeft }
    var displayScale: Double { plan.environment.scale }
    var layoutMetrics: (any LayoutMetrics)? { nil }
    func invalidateLayout(with context: LayoutInvalidationContext) {}
}
