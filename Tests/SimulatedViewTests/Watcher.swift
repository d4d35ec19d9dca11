import SimulatedView

/// A delegate that answers as it is told, notes what it hears, and checks that views become visible and
/// go out of it by turns, each with the row or header that it shows.
final class Watcher: CollectionViewDelegate {
    var mayHighlight: (ItemPath) -> Bool = { _ in true }
    var maySelect: (ItemPath) -> Bool = { _ in true }
    var mayDeselect: (ItemPath) -> Bool = { _ in true }
    var target: (Point) -> Point = { $0 }
    /// Where a fling ends.
    var flingTarget: (Point) -> Point = { $0 }
    var onDisplay: (SimulatedCollectionView, LayoutPlace) -> Void = { _, _ in }
    var onEnd: (SimulatedCollectionView, LayoutPlace) -> Void = { _, _ in }
    var onScroll: (SimulatedCollectionView) -> Void = { _ in }
    var onSelect: (SimulatedCollectionView, ItemPath) -> Void = { _, _ in }
    /// Done at the call of that name that says what moves the content.
    var answers: [String: (SimulatedCollectionView) -> Void] = [:]

    /// What it heard of touches, of views, in the words of the log, and of what moves the content.
    private(set) var (heard, displays, movements): ([String], [String], [String]) = ([], [], [])
    /// Views that became visible and have not gone out of it, with the names of what they show.
    private(set) var displayed: [ObjectIdentifier: String] = [:]
    /// All that ever became visible.
    private(set) var views: [ObjectIdentifier: CollectionReusableView] = [:]
    /// The names of what went out of sight.
    var gone: [String] = []
    /// What contradicted: a view that came twice, or went without having come.
    private(set) var contradictions: [String] = []
    /// Views that went as others than they came.
    private(set) var renamed: [String] = []
    private(set) var errors: [ViewError] = []
    private(set) var numberOfScrolls = 0

    func clear() { (heard, displays, movements) = ([], [], []) }

    static func name(_ view: CollectionReusableView) -> String {
        if let cell = view as? TextCell { return Sheet.name(cell.text) }
        let node = (view.element?.nodeIfAllocated as? HearingNode)?.text
        return Sheet.name(view.content?.model as? String ?? node ?? "-")
    }

    func collectionView(_ collectionView: SimulatedCollectionView, didMeet error: ViewError) {
        errors.append(error)
    }

    // MARK: Views

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        willDisplay view: CollectionReusableView,
        at place: LayoutPlace
    ) {
        displays.append("willDisplay \(place)")
        views[ObjectIdentifier(view)] = view
        if displayed.updateValue(Self.name(view), forKey: ObjectIdentifier(view)) != nil {
            contradictions.append("willDisplay \(place) twice")
        }
        if view.attributes?.place != place { contradictions.append("\(place) is not in place") }
        onDisplay(collectionView, place)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didEndDisplaying view: CollectionReusableView,
        at place: LayoutPlace
    ) {
        displays.append("didEndDisplaying \(place)")
        gone.append(Self.name(view))
        if let name = displayed.removeValue(forKey: ObjectIdentifier(view)) {
            if name != Self.name(view) { renamed.append("\(place) went, and \(name) came") }
        } else {
            contradictions.append("didEndDisplaying \(place) without willDisplay")
        }
        onEnd(collectionView, place)
    }

    // MARK: Touches

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldHighlightItemAt path: ItemPath
    ) -> Bool {
        heard.append("shouldHighlight \(path)")
        return mayHighlight(path)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didHighlightItemAt path: ItemPath
    ) { heard.append("didHighlight \(path)") }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didUnhighlightItemAt path: ItemPath
    ) { heard.append("didUnhighlight \(path)") }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldSelectItemAt path: ItemPath
    ) -> Bool {
        heard.append("shouldSelect \(path)")
        return maySelect(path)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didSelectItemAt path: ItemPath
    ) {
        heard.append("didSelect \(path)")
        onSelect(collectionView, path)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldDeselectItemAt path: ItemPath
    ) -> Bool {
        heard.append("shouldDeselect \(path)")
        return mayDeselect(path)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didDeselectItemAt path: ItemPath
    ) { heard.append("didDeselect \(path)") }

    // MARK: Scrolling

    private func note(_ call: String, _ view: SimulatedCollectionView) {
        movements.append(call)
        answers[call]?(view)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        targetContentOffsetForProposedContentOffset offset: Point
    ) -> Point { target(offset) }

    func collectionViewDidScroll(_ collectionView: SimulatedCollectionView) {
        numberOfScrolls += 1
        onScroll(collectionView)
    }

    func collectionViewWillBeginDragging(_ view: SimulatedCollectionView) {
        note("willBeginDragging", view)
    }

    func collectionView(
        _ view: SimulatedCollectionView,
        willEndDraggingWithVelocity velocity: Point,
        targetContentOffset offset: Point
    ) -> Point {
        // Nothing has no sign.
        let place = "\(offset.x + 0) \(offset.y + 0)"
        note("willEndDragging \(velocity.x) \(velocity.y) to \(place)", view)
        return flingTarget(offset)
    }

    func collectionViewDidEndDragging(_ view: SimulatedCollectionView, willDecelerate: Bool) {
        note("didEndDragging \(willDecelerate)", view)
    }

    func collectionViewWillBeginDecelerating(_ view: SimulatedCollectionView) {
        note("willBeginDecelerating", view)
    }

    func collectionViewDidEndDecelerating(_ view: SimulatedCollectionView) {
        note("didEndDecelerating", view)
    }

    func collectionViewDidEndScrollingAnimation(_ view: SimulatedCollectionView) {
        note("didEndScrollingAnimation", view)
    }
}
