import CollectionLayouts

// Where views go to and come from in an animated update.

extension SimulatedCollectionView {
    /// How views came, went and moved in the last animated update: those that went by old place, then those
    /// that are in sight by new place, then those that moved out of sight.
    public var transitions: [ViewTransition] {
        requireLane("transitions")
        return lastTransitions
    }

    /// Asks the layout where views go to and come from.
    ///
    /// - Parameters:
    ///   - gone: the views that the update took away.
    ///   - needed: what is to be in sight.
    ///   - shift: how far the content offset moved; what was on the screen before starts from there.
    func transitions(
        of gone: [ShownView],
        _ needed: [LayoutAttributes],
        _ survivors: SurvivingPlaces,
        shift: Point
    ) -> [ViewTransition] {
        var made: [ViewTransition] = []
        for leaving in gone where leaving.isAnnounced {
            let start = leaving.attributes
            let end = finalAttributes(leaving.place) ?? start.faded
            made.append(
                ViewTransition(
                    oldPlace: leaving.place,
                    newPlace: nil,
                    start: start.moved(by: shift),
                    end: end.moved(by: shift)
                )
            )
        }
        for end in needed {
            if let transition = transition(to: end, survivors, shift) { made.append(transition) }
        }
        let inSight = Set(needed.map(\.place))
        for known in shown.all where known.isAnnounced && !inSight.contains(known.place) {
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

    /// Of a view that is in sight after the update; nil where it stays as it was.
    private func transition(
        to end: LayoutAttributes,
        _ survivors: SurvivingPlaces,
        _ shift: Point
    ) -> ViewTransition? {
        if let known = shown[end.place] {
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
        let answer = asking { $0.initialAttributes(forAppearing: end.place) }
        log.append(.layout(.initialAttributes(end.place, found: answer != nil)))
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

    private func finalAttributes(_ place: LayoutPlace) -> LayoutAttributes? {
        let answer = asking { $0.finalAttributes(forDisappearing: place) }
        log.append(.layout(.finalAttributes(place, found: answer != nil)))
        return answer
    }
}

extension LayoutAttributes {
    /// The same place, invisible.
    fileprivate var faded: LayoutAttributes {
        var attributes = self
        attributes.alpha = 0
        return attributes
    }

    fileprivate func moved(by shift: Point) -> LayoutAttributes {
        var attributes = self
        attributes.center.x += shift.x
        attributes.center.y += shift.y
        return attributes
    }
}
