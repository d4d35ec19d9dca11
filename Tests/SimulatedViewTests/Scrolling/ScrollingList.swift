import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// Rows of 10 in a viewport of 100 × 30, whose delegate and nodes note what they hear of scrolling.
final class ScrollingList: CollectionViewDelegate {
    let list: RangedList
    /// What was heard since the last time, oldest first, but for each step.
    nonisolated(unsafe) private var heard: [String] = []
    /// The offsets that were told.
    nonisolated(unsafe) private(set) var offsets: [Double] = []
    /// Done at the call of that name.
    nonisolated(unsafe) var answers: [String: (SimulatedCollectionView) -> Void] = [:]
    /// Where the delegate has a fling end.
    nonisolated(unsafe) var target: (Point) -> Point = { $0 }

    init(_ count: Int = 100, hasClock: Bool = true, clock: ManualClock? = nil) {
        list = RangedList(count, hasClock: hasClock, clock: clock) { SeenNode($0, $1) }
        onMain { $0.delegate = self }
        _ = news()
    }

    /// Does something on the main lane, and all that follows.
    func onMain(_ body: @escaping (SimulatedCollectionView) -> Void) {
        list.onMain { view, _ in body(view) }
    }

    /// Does something on the main lane; time stands still, so that nothing moves by itself.
    func atOnce(_ body: @escaping (SimulatedCollectionView) -> Void) {
        let view = list.view
        nonisolated(unsafe) let body = body
        let isDone = Lock(false)
        list.controller.lane.enqueue {
            body(view)
            isDone.withLock { $0 = true }
        }
        while !isDone.withLock({ $0 }) { list.simulation.step() }
    }

    /// Lets so many frames pass.
    func frames(_ count: Int) {
        let number = offsets.count + count
        while offsets.count < number, list.simulation.step() {}
    }

    var y: Double {
        nonisolated(unsafe) var found = 0.0
        atOnce { found = $0.contentOffset.y }
        return found
    }

    var isBusy: Bool {
        nonisolated(unsafe) var found = false
        atOnce { found = $0.isBusy }
        return found
    }

    /// What the delegate heard since the last time.
    func news() -> [String] {
        defer { (heard, offsets) = ([], []) }
        return heard
    }

    /// What nodes were told of scrolling since the last time, with which part of them is visible.
    func toldNodes() -> [String] {
        defer { list.told.removeAll() }
        return list.told.values
    }

    private func note(_ call: String, _ view: SimulatedCollectionView) {
        heard.append(call)
        answers[call]?(view)
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
        note("willEndDragging \(velocity.y) to \(offset.y + 0)", view)
        return target(offset)
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

    func collectionViewDidScroll(_ view: SimulatedCollectionView) {
        offsets.append(view.contentOffset.y)
        answers["didScroll"]?(view)
    }
}
