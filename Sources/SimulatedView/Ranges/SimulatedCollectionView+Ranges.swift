import CollectionElements
import CollectionLayouts

// The range controller of the view, and the data that it needs.

extension SimulatedCollectionView {
    /// The object that notifies nodes of their distance from the viewport; `nil` by default, which
    /// costs nothing.
    ///
    /// A range controller belongs to one view. A controller that is replaced notifies its nodes
    /// that they left all ranges.
    public var rangeController: RangeController? {
        get {
            requireLane()
            return display.ranges
        }
        set {
            requireLane()
            guard newValue !== display.ranges else { return }
            // A controller that is just being replaced still has this view.
            require(
                newValue?.view == nil || newValue?.view === self,
                "A range controller belongs to one collection view"
            )
            let former = exchange(&display.ranges, with: newValue)
            newValue?.view = self
            former?.end()
            setNeedsLayout()
        }
    }

    /// Schedules an update of the ranges, since a member of their controller changed.
    func setNeedsRangeUpdate(_ member: String = #function) {
        requireLane("rangeController.\(member)")
        setNeedsLayout()
    }

    /// Records that the known attributes around the viewport are invalid.
    func invalidateWindow() {
        display.window.invalidate()
        display.ranges?.invalidate()
    }

    /// Passes the elements that received new content to the range controller. Elements of inserted
    /// sections are left out, since that would visit all of them.
    func notifyRanges(of changes: ValidatedChangeSet, _ remeasured: [LayoutPlace]) {
        guard let ranges = display.ranges else { return }
        let new = changes.itemInsertions.lazy.filter { $0.role != .move }.map(\.path)
        let paths = Array(new) + changes.reconfigurations.map(\.newPath)
        let places = paths.map { LayoutPlace.cell($0) } + remeasured
        let elements = places.lazy.compactMap { [content] in content.element(at: $0) }
        // All elements belong to one controller, so the first one decides whether the others must
        // be looked up.
        guard elements.first?.elementEnvironment.releasesNodes == true else { return }
        ranges.noteUpdated(elements)
    }

    /// Returns the elements in a rectangle, plus the visible ones, ascending by place, each once.
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
            // A layout may return an element from one query but not from another.
            if next == found.count || found[next].place != shown.place { append(shown.attributes) }
        }
        found[next...].forEach(append)
        return members
    }
}
