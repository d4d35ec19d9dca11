import CollectionElements
import CollectionLayouts

// The transitions of views in an animated update, or an animated change of the bounds.

extension SimulatedCollectionView {
    /// The transitions of the last update, change of the size or change of the layout, if it was
    /// animated. Views that disappeared come first, by old place, then visible views by new place,
    /// then views that moved out of the viewport. Views that did not change, and those of edits
    /// with the option `.none`, are left out.
    ///
    /// Every update, reload, change of the size and change of the layout replaces them; they are
    /// empty if it is not animated. Scrolling does not change them, since they are in content
    /// coordinates.
    public var transitions: [ViewTransition] {
        requireLane()
        return display.transitions
    }

    /// Queries the layout for the start and end attributes of the views in an animated update.
    ///
    /// - Parameters:
    ///   - gone: The views that the update removes, without those that disappear immediately.
    ///   - needed: The attributes of the views that are visible after the update.
    ///   - shift: The distance by which the content offset moved. Views that were on the screen
    ///     start from their old position on the screen.
    func transitions(
        of gone: [ShownView],
        _ needed: [LayoutAttributes],
        _ survivors: SurvivingPlaces,
        shift: Point
    ) -> [ViewTransition] {
        let update = survivors.changes
        var made: [ViewTransition] = []
        for leaving in gone {
            let start = leaving.attributes
            let end = finalLayoutAttributes(leaving.place) ?? start.faded
            made.append(
                ViewTransition(leaving.place, nil, start.moved(by: shift), end.moved(by: shift))
            )
        }
        // Before the pass that follows, almost every needed view is shown, at about the same index.
        for (index, end) in needed.enumerated() where !update.isUnanimated(new: end.place) {
            let known = display.shown.view(at: end.place, near: index)
            if let transition = transition(of: known, to: end, survivors, shift) {
                made.append(transition)
            }
        }
        for (index, known) in display.shown.all.enumerated() {
            let position = needed.sortedPosition(of: known.place, near: index) { $0.place }
            if position != nil || update.isUnanimated(new: known.place) { continue }
            guard let end = attributes(for: known.place) else { continue }
            let start = known.attributes
            made.append(ViewTransition(start.place, known.place, start.moved(by: shift), end))
        }
        return made
    }

    // MARK: Views that the layout inserts and deletes

    /// Returns the supplementary and decoration views that the layout deletes, in the old index
    /// space.
    func placesToDelete() -> Set<LayoutPlace> {
        var places: Set<LayoutPlace> = []
        for category in Self.categories(display.shown.all.map(\.place)) {
            let paths = asking { $0.indexPathsToDelete(for: category) }
            log.append(.layout(.indexPathsToDelete(category, paths)))
            places.formUnion(paths.map { LayoutPlace(category, $0) })
        }
        return places
    }

    /// Removes the views at the places for which the layout inserts new ones, and returns them.
    func takePlacesToInsert(_ needed: [LayoutAttributes]) -> [ShownView] {
        var taken: [ShownView] = []
        for category in Self.categories(needed.map(\.place)) {
            let paths = asking { $0.indexPathsToInsert(for: category) }
            log.append(.layout(.indexPathsToInsert(category, paths)))
            taken += paths.compactMap { display.shown.remove(LayoutPlace(category, $0)) }
        }
        // They disappear from their old places, like the views that the update itself removed.
        for view in taken { view.returnToOldPlace() }
        return taken
    }

    /// Returns the distinct categories of the places, without cells.
    private static func categories(_ places: [LayoutPlace]) -> [ElementCategory] {
        var found: [ElementCategory] = []
        for place in places where place.category != .cell && found.last != place.category {
            found.append(place.category)
        }
        return found
    }

    // MARK: Changes of the bounds

    /// Sets the transitions after an animated change of the bounds, by querying the layout for the
    /// start and end attributes.
    ///
    /// - Parameter before: The attributes of the views that were visible before.
    func noteTransitions(since before: [LayoutAttributes]) {
        var made: [ViewTransition] = []
        for start in before where display.shown[start.place] == nil {
            let end = finalLayoutAttributes(start.place) ?? start.faded
            made.append(ViewTransition(start.place, nil, start, end))
        }
        let known = Dictionary(before.map { ($0.place, $0) }) { first, _ in first }
        for view in display.shown.all {
            let end = view.attributes
            if let start = known[view.place] {
                guard start != end else { continue }
                made.append(ViewTransition(view.place, view.place, start, end))
            } else {
                let start = initialLayoutAttributes(view.place) ?? end.faded
                made.append(ViewTransition(nil, view.place, start, end))
            }
        }
        display.transitions = made
    }

    // MARK: Single views

    /// Returns the transition of a view that is visible after the update; `nil` if the view did not
    /// change.
    private func transition(
        of known: ShownView?,
        to end: LayoutAttributes,
        _ survivors: SurvivingPlaces,
        _ shift: Point
    ) -> ViewTransition? {
        if let known {
            let start = known.attributes.moved(by: shift)
            var moved = start
            moved.place = end.place
            guard moved != end else { return nil }
            return ViewTransition(known.attributes.place, end.place, start, end)
        }
        let answer = initialLayoutAttributes(end.place)
        let oldPlace = survivors.oldPlace(of: end.place)
        // An element that was elsewhere in the content starts from its old position on the screen;
        // a new element starts at the layout's position.
        let start = oldPlace == nil ? answer : answer?.moved(by: shift)
        return ViewTransition(oldPlace, end.place, start ?? end.faded, end)
    }

    private func initialLayoutAttributes(_ place: LayoutPlace) -> LayoutAttributes? {
        let answer = asking { $0.initialLayoutAttributes(forAppearing: place) }
        log.append(.layout(.initialLayoutAttributes(place, found: answer != nil)))
        return answer
    }

    private func finalLayoutAttributes(_ place: LayoutPlace) -> LayoutAttributes? {
        let answer = asking { $0.finalLayoutAttributes(forDisappearing: place) }
        log.append(.layout(.finalLayoutAttributes(place, found: answer != nil)))
        return answer
    }
}

extension LayoutAttributes {
    /// The same attributes with an `alpha` of 0.
    var faded: LayoutAttributes {
        var attributes = self
        attributes.alpha = 0
        return attributes
    }

    func moved(by shift: Point) -> LayoutAttributes {
        var attributes = self
        attributes.center.x += shift.x
        attributes.center.y += shift.y
        return attributes
    }
}

/// The appearance, disappearance or movement of one view in an animated change.
public struct ViewTransition: Hashable, Sendable {
    /// The place before the update, in the old index space; `nil` if the view appeared.
    public let oldPlace: LayoutPlace?

    /// The place after the update, in the new index space; `nil` if the view disappeared.
    public let newPlace: LayoutPlace?

    /// The attributes at the start, in the content coordinates after the update: if the content
    /// offset moved, a view that was on the screen starts from its old position on the screen.
    public let start: LayoutAttributes

    /// The attributes at the end.
    public let end: LayoutAttributes
}

extension ViewTransition {
    fileprivate init(
        _ oldPlace: LayoutPlace?,
        _ newPlace: LayoutPlace?,
        _ start: LayoutAttributes,
        _ end: LayoutAttributes
    ) {
        self.init(oldPlace: oldPlace, newPlace: newPlace, start: start, end: end)
    }
}

// Replacing the layout.

extension SimulatedCollectionView {
    /// Replaces the layout. Views stay with their elements. If the beginning of the content is
    /// visible, it stays visible; otherwise the visible item nearest to the middle of the viewport
    /// does, and visible selected items take precedence.
    ///
    /// Setting the current layout does nothing, and does not call `completion`. A call from within
    /// the layout, data source or delegate does nothing either, and is reported. A layout that
    /// belongs to another view stops the process.
    ///
    /// - Parameters:
    ///   - layout: The new layout, which belongs to this view from now on.
    ///   - isAnimated: Whether both layouts are notified of the transition, and ``transitions``
    ///     describes it.
    ///   - completion: A closure that is called in a later turn of the lane.
    public func setCollectionViewLayout(
        _ layout: CollectionLayout,
        animated isAnimated: Bool = false,
        completion: (() -> Void)? = nil
    ) {
        requireLane()
        guard layout !== shownLayout else { return }
        guard !pass.isLocked else {
            return report(
                .reentrantLayout,
                "the layout cannot be changed during a call to the layout, data source or"
                    + " delegate; it stays the same"
            )
        }
        stopMotion()
        layoutIfNeeded()
        // Code that was called during the pass may have set the layout.
        guard layout !== shownLayout else { return }
        let old = shownLayout
        let (then, before) = (viewport, display.shown.all.map(\.attributes))
        let version = source.version
        display.transitions = []
        let focus = viewport.isAtStart ? nil : focusedItem()
        if isAnimated { ask(.prepareForTransitionTo) { $0.prepareForTransition(to: layout) } }
        take(layout)
        old.attach(to: nil)
        for known in display.shown.all where known.place.isDecoration { hide(known.place) }
        shownLayout = layout
        if isAnimated { ask(.prepareForTransitionFrom) { $0.prepareForTransition(from: old) } }
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesEverything = true
        layout.invalidateLayout(with: context)
        prepareLayout()
        showFocus(focus)
        layoutIfNeeded()
        if isAnimated {
            // A delegate that was notified of scrolling may have changed the layout or the content
            // again.
            if shownLayout === layout, source.version == version {
                noteTransitions(from: old, in: then, since: before)
            }
            ask(.finalizeLayoutTransition) { _ in old.finalizeLayoutTransition() }
            ask(.finalizeLayoutTransition) { $0.finalizeLayoutTransition() }
        }
        guard let completion else { return }
        later(completion)
    }

    private func focusedItem() -> ItemPath? {
        let cells = display.shown.cells.map(\.attributes)
        let middle = viewport.bounds.center
        func distance(_ frame: Rect) -> Double {
            let (x, y) = (frame.center.x - middle.x, frame.center.y - middle.y)
            return x * x + y * y
        }
        let selected = cells.filter { selection.items.contains($0.indexPath) }
        return (selected.isEmpty ? cells : selected)
            .min { (distance($0.frame), $0.indexPath) < (distance($1.frame), $1.indexPath) }?
            .indexPath
    }

    /// Scrolls so that the item is in the middle, as far as the ends of the content allow. The
    /// layout and the delegate can choose another offset.
    private func showFocus(_ focus: ItemPath?) {
        // The anchor of the old layout must not hold: a delegate that is notified of scrolling may
        // lay the view out.
        offsetRule.release()
        var proposed = viewport.start
        if let focus, let frame = attributes(for: .cell(focus))?.frame {
            let position: ScrollPosition = [.centeredVertically, .centeredHorizontally]
            proposed = position.offset(
                showing: frame,
                in: viewport.bounds,
                inset: adjustedContentInset
            )
        }
        moveOffset(to: adjustedTarget(viewport.legal(proposed)))
        // The anchor holds until views have returned their preferred sizes in the new layout. If
        // the layout or delegate chose another offset, the anchor is a visible element there.
        let place = focus.flatMap { attributes(for: .cell($0)) }
        offsetRule.take(.update(place.flatMap { anchor(among: CollectionOfOne($0)) }))
    }

    // MARK: Transitions

    /// Sets the transitions after an animated change of the layout. Decorations belong to one
    /// layout, so they fade, as do elements that the other layout does not place.
    ///
    /// - Parameters:
    ///   - old: The former layout.
    ///   - then: The viewport while the former layout was last used.
    ///   - before: The attributes that were visible before, ascending by place.
    func noteTransitions(
        from old: CollectionLayout,
        in then: Viewport,
        since before: [LayoutAttributes]
    ) {
        // A delegate that was notified of scrolling may already have attached the layout to another
        // view.
        guard old.host == nil else { return }
        let shift = viewport.shift(since: then.offset)
        var (went, left): ([ViewTransition], [ViewTransition]) = ([], [])
        for start in before {
            let isDecoration = start.place.isDecoration
            guard isDecoration || display.shown[start.place] == nil else { continue }
            let end = isDecoration ? nil : attributes(for: start.place)
            let transition = ViewTransition(
                start.place,
                end?.place,
                start.moved(by: shift),
                end ?? start.faded.moved(by: shift)
            )
            if end == nil { went.append(transition) } else { left.append(transition) }
        }
        let starts = placesBefore(from: old, in: then, since: before)
        let visible: [ViewTransition] = zip(display.shown.all, starts).compactMap { view, start in
            let (start, end) = (start?.moved(by: shift), view.attributes)
            guard start != end else { return nil }
            return ViewTransition(start?.place, end.place, start ?? end.faded, end)
        }
        display.transitions = went + visible + left
    }

    /// Returns the attributes of all visible elements in the old layout, which sees the former
    /// viewport.
    private func placesBefore(
        from old: CollectionLayout,
        in then: Viewport,
        since before: [LayoutAttributes]
    ) -> [LayoutAttributes?] {
        let known = Dictionary(before.map { ($0.place, $0) }) { first, _ in first }
        let host = FormerLayoutHost(of: self, viewport: then)
        old.attach(to: host)
        defer { old.attach(to: nil) }
        return display.shown.all.map(\.place).map { place in
            place.isDecoration ? nil : known[place] ?? attributes(for: place, in: old)
        }
    }
}

extension LayoutPlace {
    fileprivate var isDecoration: Bool {
        if case .decoration = category { true } else { false }
    }
}

/// The host of a former layout while the view queries it for start attributes. It has the current
/// content, but the former viewport, to which the layout may have pinned views. It ignores
/// invalidations.
final class FormerLayoutHost: LayoutHost {
    private let view: SimulatedCollectionView
    private let viewport: Viewport

    init(of view: SimulatedCollectionView, viewport: Viewport) {
        self.view = view
        self.viewport = viewport
    }

    var bounds: Rect { viewport.bounds }

    var adjustedContentInset: EdgeInsets { viewport.inset }

    var safeAreaInsets: EdgeInsets { viewport.insets.safeArea }

    var layoutMargins: EdgeInsets { viewport.insets.margins }

    var isRightToLeft: Bool { viewport.insets.isRightToLeft }

    var displayScale: Double { viewport.insets.displayScale }

    var numberOfSections: Int { view.numberOfSections }

    func numberOfItems(inSection section: Int) -> Int {
        view.numberOfItems(inSection: section)
    }

    func context(forSection section: Int) -> (any SectionContext)? {
        view.context(forSection: section)
    }

    func measuredSize(of place: LayoutPlace) -> Size? { view.measuredSize(of: place) }

    var layoutMetrics: (any LayoutMetrics)? { view.layoutMetrics }

    func invalidateLayout(with context: LayoutInvalidationContext) {}
}
