import CollectionElements
import CollectionLayouts
import SimulatedView

extension WatchedView {
    /// Finds the state of every element from scratch, and compares it with what was told. Main lane.
    func checkRanges(isAtRest: Bool) {
        guard let ranges = shown.rangeController else { return }
        mark("ranges \(ranges.mode)")
        let visible = Set(shown.visibleViews.compactMap { $0.element.map(ObjectIdentifier.init) })
        var inRange = 0
        for (place, content) in placedElements {
            let element = content.element
            let isVisible = visible.contains(ObjectIdentifier(element))
            let expected = state(of: place, isVisible, in: ranges)
            let found = ranges.interfaceState(of: element)
            if found != expected {
                reportRanges("\(place) is in \(found), but must be in \(expected)")
            }
            guard let node = element.nodeIfAllocated as? WatchedNode,
                !node.interfaceState.isEmpty
            else { continue }
            inRange += 1
            // Where an update was lost, nodes came and went that the view does not know of. One that was made
            // since is told in the next pass.
            if node.interfaceState != found, !isBehind {
                reportRanges("the node at \(place) was told \(node.interfaceState), not \(found)")
            }
        }
        let told = nodesInRange()
        if told != inRange, !isBehind {
            reportRanges("\(told) nodes think that they are in range, but \(inRange) are")
        }
    }

    /// Items and headers, each where it is.
    private var placedElements: [(place: LayoutPlace, content: ElementContent)] {
        let map = shown.map
        let items = map.items.map { (LayoutPlace.cell($0.path), $0.content) }
        let headers = (0..<map.shape.numberOfSections).compactMap { section in
            map.supplementaryContent(ofKind: .header, at: ItemPath(section: section, item: 0))
                .map { (LayoutPlace.header(section), $0) }
        }
        return items + headers
    }

    /// What the table of states gives.
    private func state(
        of place: LayoutPlace,
        _ isVisible: Bool,
        in ranges: RangeController
    ) -> InterfaceState {
        let attributes = shown.collectionViewLayout.layoutAttributes(for: place)
        func isIn(_ type: RangeType, _ rect: Rect) -> Bool {
            if type == .display, ranges.mode == .lowMemory { return false }
            if ranges.tuningParameters(for: type, in: ranges.mode) == .zero { return isVisible }
            guard let attributes, !attributes.isHidden, !shown.bounds.isEmpty else { return false }
            return attributes.frame.intersects(rect)
        }
        let isInDisplay = isIn(.display, ranges.displayRect)
        guard ranges.isContainerVisible else {
            if !isVisible { return isInDisplay ? .preload : [] }
            return ranges.mode == .lowMemory ? .preload : [.preload, .display]
        }
        if isVisible { return [.preload, .display, .visible] }
        var state: InterfaceState = isInDisplay ? .display : []
        if isIn(.preload, ranges.preloadRect) { state.insert(.preload) }
        return state
    }
}
