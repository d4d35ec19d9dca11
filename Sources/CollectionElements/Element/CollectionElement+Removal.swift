// Whether a change set that removes the element was accepted, alone or with its section. It is noted
// with the section where that goes as a whole, so that nobody has to visit its elements.

extension CollectionElement {
    /// Whether a change set that removes the element was accepted.
    package var isRemoved: Bool { body.withLock { $0.isRemoved } }

    /// Notes that a change set that removes the element was accepted. Main lane.
    package func markRemoved() { body.withLock { $0.isMarkedRemoved = true } }

    /// Notes that a change set that moves the element to `section` was accepted: from now on it goes
    /// with that one. Main lane.
    ///
    /// The places that maps note do not tell, because there are also maps that were refused.
    package func markMoved(to section: CollectionSection) {
        // The end of the old one may run user code, so it leaves the lock and goes then.
        _ = body.withLock { body -> CollectionSection? in
            guard let old = body.section, old !== section else { return nil }
            let rare = body.progress.ensureRare()
            // Maps that have the element there hold the section; nobody else needs it any more.
            if rare.firstSection == nil { rare.firstSection = Weak(old) }
            body.section = section
            return old
        }
    }
}

extension CollectionElement.Body {
    var isRemoved: Bool { isMarkedRemoved || section?.isRemoved ?? false }

    /// The section that the element was first put into, as long as it is needed.
    var firstSection: CollectionSection? {
        if let first = progress.rare?.firstSection { return first.object }
        return section
    }
}
