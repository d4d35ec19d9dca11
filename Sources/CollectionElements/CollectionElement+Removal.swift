// Whether a change set that removes the element was accepted, alone or with its section. It is noted
// with the section where that goes as a whole, so that nobody has to visit its elements.

extension CollectionElement {
    /// Whether a change set that removes the element was accepted.
    package var isRemoved: Bool { body.withLock { $0.isRemoved(in: self) } }

    /// Notes that a change set that removes the element was accepted. Main lane.
    package func markRemoved() { body.withLock { $0.isRemoved = true } }
}

extension CollectionElement.Body {
    func isRemoved(in element: CollectionElement) -> Bool {
        if isRemoved { return true }
        // The newest place counts: what was moved out stays when its former section goes.
        let newest = progress.rare?.laterPlaces.last { $0.place != nil }?.place?.section
        return (newest ?? section)?.isRemoved ?? false
    }
}
