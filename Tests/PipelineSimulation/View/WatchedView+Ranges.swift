import CollectionElements
import CollectionLayouts
import PipelineTesting
import SimulatedView

extension WatchedView {
    /// Computes the state of every element from scratch, and compares it with the notifications.
    /// Main lane.
    func checkRanges(isAtRest: Bool) {
        guard let ranges = shown.rangeController else { return }
        mark("ranges \(ranges.mode)")
        let frames = visibleFrames
        let visible = Set(frames.keys)
        var inRange = 0
        for (place, content) in placedElements {
            let element = content.element
            let isVisible = visible.contains(ObjectIdentifier(element))
            let expected = state(of: place, isVisible, in: ranges)
            let found = ranges.interfaceState(of: element)
            if found != expected {
                reportRanges("\(place) is in \(found), but must be in \(expected)")
            }
            if isAtRest, !found.isEmpty { checkMeasured(content, place) }
            guard let node = element.nodeIfAllocated as? WatchedNode else { continue }
            if !ranges.isNear(element) {
                if isAtRest { checkReleased(content, node, place) }
                if !isAtRest, releasesNodes, node.wasInRange { mark(Situation.keptNode.mark) }
            }
            guard !node.interfaceState.isEmpty else { continue }
            inRange += 1
            // If an update was lost, nodes exist or have gone that the view does not know of. A new
            // node is notified in the next pass.
            if node.interfaceState != found, !isBehind {
                reportRanges(
                    "the node at \(place) was told \(node.interfaceState), not \(found)"
                )
            }
            let part = frames[ObjectIdentifier(element)].flatMap { visiblePart(of: $0, ranges) }
            if node.visibleRect != part, !isBehind {
                reportRanges(
                    "the node at \(place) was told \(node.visibleRect as Any), not \(part as Any)"
                )
            }
        }
        let reportedCount = nodesInRange()
        if reportedCount != inRange, !isBehind {
            reportRanges("\(reportedCount) nodes think that they are in range, but \(inRange) are")
        }
    }

    /// Checks that an element that has left all ranges has no node but keeps its size.
    private func checkReleased(_ content: ElementContent, _ node: WatchedNode, _ place: LayoutPlace)
    {
        guard releasesNodes, node.wasInRange, !nodesAreRequested, !isBehind, isOpen(),
            case .measured = content.state
        else { return }
        reportRanges("the node at \(place) left all ranges, and was not released")
    }

    /// The frames of the visible elements.
    private var visibleFrames: [ObjectIdentifier: Rect] {
        let frames = shown.visibleViews.compactMap { view in
            view.element.flatMap { element in
                view.attributes.map { (ObjectIdentifier(element), $0.frame) }
            }
        }
        return Dictionary(frames) { $1 }
    }

    /// Returns the visible part of a frame, in the frame's own coordinates.
    private func visiblePart(of frame: Rect, _ ranges: RangeController) -> Rect? {
        guard ranges.isContainerVisible else { return nil }
        let bounds = shown.bounds
        func span(_ low: Double, _ high: Double, _ within: (low: Double, high: Double)) -> (
            start: Double, extent: Double
        ) {
            let start = max(low, within.low)
            return (start - low, max(0, min(high, within.high) - start))
        }
        let x = span(frame.minX, frame.maxX, (bounds.minX, bounds.maxX))
        let y = span(frame.minY, frame.maxY, (bounds.minY, bounds.maxY))
        return Rect(x: x.start, y: y.start, width: x.extent, height: y.extent)
    }

    /// Compares the selection with the notifications of the nodes. Main lane.
    func checkSelection(isAtRest: Bool) {
        let isEverythingThere = isAtRest && isOpen()
        let selected = Set(shown.indexPathsForSelectedItems)
        // If an update was lost, nodes exist or have gone that the view does not know of.
        guard !isBehind else { return }
        let visible = Set(shown.visibleCells.compactMap { $0.attributes?.indexPath })
        for item in shown.map.items {
            guard let node = item.element.nodeIfAllocated as? WatchedNode else { continue }
            let (isSelected, isHighlighted) = (
                selected.contains(item.path), shown.highlightedItem == item.path
            )
            // A node that replaced a released one is notified when its item is shown.
            let isMadeAgain = releasesNodes && !visible.contains(item.path)
            // A node that a layout or a caller requested, or that replaced a failed one, may exist
            // before the update that reports it.
            let isAhead =
                !isEverythingThere
                && (measuresLater || !expectsMeasured || item.content.hasFinalEstimate)
            let mayBeUnnotified = nodesAreRequested || isAhead || isMadeAgain
            let isUnnotified = mayBeUnnotified && !node.isSelected && !node.isHighlighted
            if !isUnnotified, node.isSelected != isSelected || node.isHighlighted != isHighlighted {
                reportRanges(
                    "the node at \(item.path) was told that it is \(node.isSelected ? "" : "not ")selected"
                        + " and \(node.isHighlighted ? "" : "not ")highlighted, which is otherwise"
                )
            }
        }
    }

    /// All items and headers with their places.
    var placedElements: [(place: LayoutPlace, content: ElementContent)] {
        let map = shown.map
        let items = map.items.map { (LayoutPlace.cell($0.path), $0.content) }
        let headers = (0..<map.shape.numberOfSections).compactMap { section in
            map.supplementaryContent(ofKind: .header, at: ItemPath(section: section, item: 0))
                .map { (LayoutPlace.header(section), $0) }
        }
        return items + headers
    }

    /// Returns the expected state, from the documented table.
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

/// Records the notifications that a run's view sends its delegate. It checks that each view
/// alternates between displayed and not displayed, and that every motion of the content begins and
/// ends. Main lane.
final class ViewWatcher: CollectionViewDelegate {
    private let lives: LifeCount
    private let report: (String) -> Void
    /// The views that became visible and have not disappeared.
    private(set) var displayed: [ObjectIdentifier: LayoutPlace] = [:]

    private var scrolling = Scrolling.resting
    private var animationBeginnings = 0
    /// The number of animation ends that were notified.
    private(set) var animationEnds = 0

    /// The state of scrolling according to the notifications.
    private enum Scrolling {
        case resting
        case dragging
        case letGo
        case decelerating
    }

    init(lives: LifeCount, report: @escaping (String) -> Void) {
        self.lives = lives
        self.report = report
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        willDisplay view: CollectionReusableView,
        at place: LayoutPlace
    ) {
        if let counted = view as? any CountedView, counted.life == nil {
            counted.life = lives.makeToken()
        }
        if let former = displayed.updateValue(place, forKey: ObjectIdentifier(view)) {
            report("willDisplay \(place) came for a view that is displayed at \(former)")
        }
        if view.attributes?.place != place {
            report("willDisplay \(place) came for a view that is not in place")
        }
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didEndDisplaying view: CollectionReusableView,
        at place: LayoutPlace
    ) {
        if displayed.removeValue(forKey: ObjectIdentifier(view)) == nil {
            report("didEndDisplaying \(place) came without willDisplay")
        }
    }

    // MARK: Scrolling

    func collectionViewWillBeginDragging(_ collectionView: SimulatedCollectionView) {
        scrolling(from: .resting, to: .dragging, "willBeginDragging")
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        willEndDraggingWithVelocity velocity: Point,
        targetContentOffset offset: Point
    ) -> Point {
        scrolling(from: .dragging, to: .dragging, "willEndDragging")
        return offset
    }

    func collectionViewDidEndDragging(
        _ collectionView: SimulatedCollectionView,
        willDecelerate: Bool
    ) {
        scrolling(from: .dragging, to: willDecelerate ? .letGo : .resting, "didEndDragging")
    }

    func collectionViewWillBeginDecelerating(_ collectionView: SimulatedCollectionView) {
        scrolling(from: .letGo, to: .decelerating, "willBeginDecelerating")
    }

    func collectionViewDidEndDecelerating(_ collectionView: SimulatedCollectionView) {
        scrolling(from: .decelerating, to: .resting, "didEndDecelerating")
    }

    func collectionViewDidEndScrollingAnimation(_ collectionView: SimulatedCollectionView) {
        animationEnds += 1
    }

    /// Records that a number of animations began.
    func animationsBegan(_ count: Int) { animationBeginnings += count }

    private func scrolling(from old: Scrolling, to new: Scrolling, _ call: String) {
        if scrolling != old { report("\(call) came while the content was \(scrolling)") }
        scrolling = new
    }

    /// Reports motions that began and have not ended.
    func checkAtRest() {
        if scrolling != .resting { report("the content is said to be \(scrolling) at rest") }
        if animationEnds != animationBeginnings {
            report("\(animationBeginnings) animations began, but \(animationEnds) ended")
        }
    }
}
