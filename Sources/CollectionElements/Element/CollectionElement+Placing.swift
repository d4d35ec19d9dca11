// Where maps hold an element, and which section it goes with. That a change set removes it is noted with the
// section where that goes as a whole, so that nobody has to visit its elements.

/// A later place of an element: what a map holds instead of the bare element, so that the place is
/// known as long as a map has the element there, and no longer.
final class ElementPlacing: Sendable {
    let content: ElementContent
    let section: CollectionSection
    let label: Int

    init(_ content: ElementContent, _ section: CollectionSection, label: Int) {
        self.content = content
        self.section = section
        self.label = label
    }
}

extension CollectionElement {
    /// Notes the first place.
    ///
    /// - Returns: false where there is one.
    func place(in section: CollectionSection, label: Int) -> Bool {
        body.withLock { $0.places.put(section, label: label) }
    }

    /// Notes another place.
    func note(_ place: ElementPlacing) {
        // What is released may run user code, so it leaves the lock and goes then.
        _ = body.withLock { body in
            let old = body.places
            return (old, body.places.noted(place))
        }
    }

    /// Notes that a change set that moves the element to `section` was accepted: from now on it goes
    /// with that one. Main lane.
    ///
    /// The places that maps note do not tell, because there are also maps that were rejected.
    package func markMoved(to section: CollectionSection) {
        // As above.
        _ = body.withLock { body in
            defer { body.places.moved(to: section) }
            return body.places
        }
    }

    /// The first result of `ask` that is not nil, asked with every place that the element may have,
    /// newest first.
    ///
    /// Complexity: O(places), without allocation.
    func firstPlace<Result>(
        _ ask: (_ section: CollectionSection, _ label: Int) -> Result?
    ) -> Result? {
        switch body.withLock({ $0.places }) {
        case .none:
            return nil
        case .first(let section, let label):
            return ask(section, label)
        case .several(let box):
            for place in box.places.later.reversed() {
                if let place = place.object, let result = ask(place.section, place.label) {
                    return result
                }
            }
            return box.places.first.object.flatMap { ask($0, box.places.label) }
        }
    }

    // MARK: Removal

    /// Whether a change set that removes the element was accepted.
    package var isRemoved: Bool { body.withLock { $0.isRemoved } }

    /// Notes that a change set that removes the element was accepted. Main lane.
    package func markRemoved() { body.withLock { $0.isMarkedRemoved = true } }
}
