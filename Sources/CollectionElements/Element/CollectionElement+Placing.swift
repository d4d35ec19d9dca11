// Where maps hold an element. A place is a section and a label within it, which stays the same while
// other elements come and go, so an element knows few: that where it was first put, and one for each
// time that it was moved or given another label. They serve all maps: the right one for a map is
// that under which the map has the element.

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
    /// Notes the first place; answers false where there is one.
    func place(in section: CollectionSection, label: Int) -> Bool {
        body.withLock { body in
            guard body.section == nil else { return false }
            body.section = section
            body.label = label
            return true
        }
    }

    /// Notes another place, and forgets those that no map holds any more.
    func note(_ place: ElementPlacing) {
        // What is let go of may run user code, so it leaves the lock and goes then.
        _ = body.withLock { body in
            let rare = body.progress.ensureRare()
            let old = rare.laterPlaces
            let held = old.compactMap { $0.object }
            rare.laterPlaces = (held + [place]).map { Weak($0) }
            return (old, held)
        }
    }

    /// The first answer of `ask` that is not nil, asked with every place that the element may have,
    /// newest first.
    ///
    /// Complexity: O(places), without allocation.
    func firstPlace<Result>(
        _ ask: (_ section: CollectionSection, _ label: Int) -> Result?
    ) -> Result? {
        let (section, label, later) = body.withLock { body in
            (body.firstSection, body.label, body.progress.rare?.laterPlaces ?? [])
        }
        for place in later.reversed() {
            if let place = place.object, let result = ask(place.section, place.label) {
                return result
            }
        }
        return section.flatMap { ask($0, label) }
    }
}
