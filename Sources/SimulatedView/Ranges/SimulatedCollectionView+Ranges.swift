import CollectionElements
import CollectionLayouts

// What a range controller needs of its view.

extension SimulatedCollectionView {
    /// Who tells nodes how near to the viewport they are; none at first, and then nothing of it costs anything.
    ///
    /// A range controller belongs to one view. One that is replaced tells that everything is over.
    public var rangeController: RangeController? {
        get {
            requireLane("rangeController")
            return display.ranges
        }
        set {
            requireLane("rangeController")
            guard newValue !== display.ranges else { return }
            // That which is just being replaced is still this view's.
            require(
                newValue?.view == nil || newValue?.view === self,
                "A range controller belongs to one collection view"
            )
            let former = display.ranges
            display.ranges = newValue
            newValue?.view = self
            former?.end()
            setNeedsLayout()
        }
    }

    /// What decides about ranges has changed; a later turn brings them up to date.
    func setNeedsRangeUpdate() {
        requireLane("rangeController")
        setNeedsLayout()
    }

    /// What is known of places around the viewport is no longer right.
    func invalidateWindow() {
        display.window.invalidate()
        display.ranges?.invalidate()
    }

    /// Tells which elements an update brought new content; not what came with sections, or all would be looked through.
    func tellRanges(of changes: ValidatedChangeSet, _ remeasured: [LayoutPlace]) {
        guard let ranges = display.ranges else { return }
        let new = changes.itemInsertions.lazy.filter { $0.role != .move }.map(\.path)
        let paths = Array(new) + changes.reconfigurations.map(\.newPath)
        let places = paths.map { LayoutPlace.cell($0) } + remeasured
        let elements = places.lazy.compactMap { [content] in content.element(at: $0) }
        // All are of one controller, so the first one tells whether the others need to be looked up.
        guard elements.first?.surroundings.releasesNodes == true else { return }
        ranges.noteUpdated(elements)
    }

    /// The elements that the layout has in a rectangle, with those that are shown; ascending by place, each once.
    func elements(in rect: Rect?) -> [RangeMembers.Member] {
        guard content.pipelineMap != nil else { return [] }
        let found = rect.map(usableAttributes) ?? []
        var members: [RangeMembers.Member] = []
        members.reserveCapacity(found.count)
        func append(_ attributes: LayoutAttributes) {
            guard let element = content.element(at: attributes.place) else { return }
            let frame = attributes.isHidden ? nil : attributes.frame
            members.append(RangeMembers.Member(element, at: attributes.place, frame: frame))
        }
        var next = 0
        for shown in display.shown.all {
            while next < found.count, found[next].place < shown.place {
                append(found[next])
                next += 1
            }
            // Layouts may answer one question otherwise than another.
            if next == found.count || found[next].place != shown.place { append(shown.attributes) }
        }
        found[next...].forEach(append)
        return members
    }
}
