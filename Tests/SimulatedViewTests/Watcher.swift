import SimulatedView

/// A delegate that answers as it is told, notes what it hears, and checks that views become visible and
/// go out of it by turns.
final class Watcher: CollectionViewDelegate {
    var mayHighlight: (ItemPath) -> Bool = { _ in true }
    var maySelect: (ItemPath) -> Bool = { _ in true }
    var mayDeselect: (ItemPath) -> Bool = { _ in true }
    var target: (Point) -> Point = { $0 }
    var onDisplay: (SimulatedCollectionView, LayoutPlace) -> Void = { _, _ in }
    var onEnd: (SimulatedCollectionView, LayoutPlace) -> Void = { _, _ in }
    var onScroll: (SimulatedCollectionView) -> Void = { _ in }
    var onSelect: (SimulatedCollectionView, ItemPath) -> Void = { _, _ in }

    /// What it heard, but for what `displays` has.
    private(set) var heard: [String] = []
    /// Views that became visible and have not gone out of it.
    private(set) var displayed: [ObjectIdentifier: LayoutPlace] = [:]
    /// What contradicted: a view that came twice, or went without having come.
    private(set) var contradictions: [String] = []
    private(set) var numberOfScrolls = 0

    func clear() { heard = [] }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        willDisplay view: CollectionReusableView,
        at place: LayoutPlace
    ) {
        if displayed.updateValue(place, forKey: ObjectIdentifier(view)) != nil {
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
        if displayed.removeValue(forKey: ObjectIdentifier(view)) == nil {
            contradictions.append("didEndDisplaying \(place) without willDisplay")
        }
        onEnd(collectionView, place)
    }

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

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        targetContentOffsetForProposedContentOffset offset: Point
    ) -> Point { target(offset) }

    func collectionViewDidScroll(_ collectionView: SimulatedCollectionView) {
        numberOfScrolls += 1
        onScroll(collectionView)
    }
}
