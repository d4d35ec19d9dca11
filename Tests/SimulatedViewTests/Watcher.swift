import SimulatedView

/// A delegate that returns configured results, records its calls, and checks that `willDisplay` and
/// `didEndDisplaying` alternate for each view, both with the same row or header.
final class Watcher: CollectionViewDelegate {
    var mayHighlight: (ItemPath) -> Bool = { _ in true }
    var maySelect: (ItemPath) -> Bool = { _ in true }
    var mayDeselect: (ItemPath) -> Bool = { _ in true }
    var target: (Point) -> Point = { $0 }
    /// Returns the target of a fling.
    var flingTarget: (Point) -> Point = { $0 }
    var onDisplay: (SimulatedCollectionView, LayoutPlace) -> Void = { _, _ in }
    var onEnd: (SimulatedCollectionView, LayoutPlace) -> Void = { _, _ in }
    var onScroll: (SimulatedCollectionView) -> Void = { _ in }
    var onSelect: (SimulatedCollectionView, ItemPath) -> Void = { _, _ in }
    /// Closures that run in the named calls about movements of the content.
    var answers: [String: (SimulatedCollectionView) -> Void] = [:]

    /// The recorded calls about touches and about movements.
    private(set) var (heard, movements): ([String], [String]) = ([], [])
    /// The views that became visible and have not disappeared since, with the names of their
    /// contents.
    private(set) var displayed: [ObjectIdentifier: String] = [:]
    /// The contradictions: a view that appeared twice, or disappeared without having appeared.
    private(set) var contradictions: [String] = []
    /// The views whose content at `didEndDisplaying` differs from that at `willDisplay`.
    private(set) var renamed: [String] = []
    private(set) var errors: [ViewError] = []
    private(set) var numberOfScrolls = 0

    func clear() { (heard, movements) = ([], []) }

    static func name(_ view: CollectionReusableView) -> String {
        if let cell = view as? TextCell { return Sheet.name(cell.text) }
        return Sheet.name(view.content?.model as? String ?? "-")
    }

    func collectionView(_ collectionView: SimulatedCollectionView, didEncounter error: ViewError) {
        errors.append(error)
    }

    // MARK: Views

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        willDisplay view: CollectionReusableView,
        at place: LayoutPlace
    ) {
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
        if let name = displayed.removeValue(forKey: ObjectIdentifier(view)) {
            if name != Self.name(view) {
                renamed.append("\(place) disappeared, but \(name) had appeared")
            }
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
        // Adding 0 turns negative zero into zero.
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
