import CollectionLayouts

// Where views go to and come from in an animated update, or change of the bounds.

extension SimulatedCollectionView {
    /// How views came, went and moved in the last update, change of the size or change of the layout, if it was
    /// animated: those that went by old place, then those that are visible by new place, then those that moved
    /// out of sight. What an edit with the option `.none` names is not among them, nor is what stayed as it was.
    ///
    /// Every update, reload, change of the size and change of the layout replaces them, by none where it is not
    /// animated. Scrolling does not, since they are in content coordinates.
    public var transitions: [ViewTransition] {
        requireLane("transitions")
        return display.transitions
    }

    /// Asks the layout where views go to and come from.
    ///
    /// - Parameters:
    ///   - gone: the views that the update took away, but for what goes at once.
    ///   - needed: what is to be visible.
    ///   - shift: how far the content offset moved; what was on the screen before starts from there.
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
                ViewTransition(
                    oldPlace: leaving.place,
                    newPlace: nil,
                    start: start.moved(by: shift),
                    end: end.moved(by: shift)
                )
            )
        }
        for end in needed where !update.isAtOnce(new: end.place) {
            if let transition = transition(to: end, survivors, shift) { made.append(transition) }
        }
        let inSight = Set(needed.map(\.place))
        for known in display.shown.all
        where !inSight.contains(known.place) && !update.isAtOnce(new: known.place) {
            guard let end = attributes(for: known.place) else { continue }
            made.append(
                ViewTransition(
                    oldPlace: known.attributes.place,
                    newPlace: known.place,
                    start: known.attributes.moved(by: shift),
                    end: end
                )
            )
        }
        return made
    }

    // MARK: Views of the layout's own

    /// The supplementary and decoration views that the layout says go, in the old index space.
    func placesToDelete() -> Set<LayoutPlace> {
        var places: Set<LayoutPlace> = []
        for category in Self.categories(display.shown.all.map(\.place)) {
            let paths = asking { $0.indexPathsToDelete(for: category) }
            log.append(.layout(.indexPathsToDelete(category, paths)))
            places.formUnion(paths.map { LayoutPlace(category, $0) })
        }
        return places
    }

    /// Takes the views out that stand where the layout says others come.
    func takePlacesToInsert(_ needed: [LayoutAttributes]) -> [ShownView] {
        var taken: [ShownView] = []
        for category in Self.categories(needed.map(\.place)) {
            let paths = asking { $0.indexPathsToInsert(for: category) }
            log.append(.layout(.indexPathsToInsert(category, paths)))
            taken += paths.compactMap { display.shown.remove(LayoutPlace(category, $0)) }
        }
        // They went, and are told of where they were; like what the update itself took away.
        for view in taken { view.returnToOldPlace() }
        return taken
    }

    /// Those of other views than cells, each once.
    private static func categories(_ places: [LayoutPlace]) -> [ElementCategory] {
        var found: [ElementCategory] = []
        for place in places where place.category != .cell && found.last != place.category {
            found.append(place.category)
        }
        return found
    }

    // MARK: Changes of the bounds

    /// Asks the layout, after an animated change of the bounds, where what became visible comes from and
    /// what went out of sight goes to.
    ///
    /// - Parameter before: what was visible.
    func noteTransitions(since before: [LayoutAttributes]) {
        var made: [ViewTransition] = []
        for start in before where display.shown[start.place] == nil {
            made.append(
                ViewTransition(
                    oldPlace: start.place,
                    newPlace: nil,
                    start: start,
                    end: finalLayoutAttributes(start.place) ?? start.faded
                )
            )
        }
        let known = Dictionary(before.map { ($0.place, $0) }) { first, _ in first }
        for view in display.shown.all {
            let end = view.attributes
            if let start = known[view.place] {
                guard start != end else { continue }
                made.append(
                    ViewTransition(
                        oldPlace: view.place,
                        newPlace: view.place,
                        start: start,
                        end: end
                    )
                )
            } else {
                let answer = initialLayoutAttributes(view.place)
                made.append(
                    ViewTransition(
                        oldPlace: nil,
                        newPlace: view.place,
                        start: answer ?? end.faded,
                        end: end
                    )
                )
            }
        }
        display.transitions = made
    }

    // MARK: Single views

    /// Of a view that is visible after the update; nil where it stays as it was.
    private func transition(
        to end: LayoutAttributes,
        _ survivors: SurvivingPlaces,
        _ shift: Point
    ) -> ViewTransition? {
        if let known = display.shown[end.place] {
            let start = known.attributes.moved(by: shift)
            var moved = start
            moved.place = end.place
            guard moved != end else { return nil }
            return ViewTransition(
                oldPlace: known.attributes.place,
                newPlace: end.place,
                start: start,
                end: end
            )
        }
        let answer = initialLayoutAttributes(end.place)
        let oldPlace = survivors.oldPlace(of: end.place)
        // What was elsewhere in the content comes from there; what is new comes at its place.
        let start = oldPlace == nil ? answer : answer?.moved(by: shift)
        return ViewTransition(
            oldPlace: oldPlace,
            newPlace: end.place,
            start: start ?? end.faded,
            end: end
        )
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
    /// The same place, invisible.
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

/// How one view came, went or moved in an animated update.
public struct ViewTransition: Hashable, Sendable {
    /// Where it was, in the index space before the update; nil where it came.
    public let oldPlace: LayoutPlace?

    /// Where it is, in the index space after the update; nil where it went.
    public let newPlace: LayoutPlace?

    /// What it starts from, in content coordinates of after the update: where the content offset moved,
    /// what was on the screen starts from where it was there.
    public let start: LayoutAttributes

    /// What it ends with.
    public let end: LayoutAttributes
}
