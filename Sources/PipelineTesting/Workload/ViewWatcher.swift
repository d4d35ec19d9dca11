import CollectionLayouts
import SimulatedView

/// Hears what a view of a run tells its delegate, and checks that views become visible and go out of it by
/// turns, and that whatever moves the content is said to begin and to end. Main lane.
final class ViewWatcher: CollectionViewDelegate {
    private let lives: LifeCount
    private let report: (String) -> Void
    /// Views that became visible and have not gone out of it.
    private(set) var displayed: [ObjectIdentifier: LayoutPlace] = [:]

    private var scrolling = Scrolling.resting
    private var animationBeginnings = 0
    /// How often the end of an animation was told.
    private(set) var animationEnds = 0

    /// What moves the content, as far as was told.
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

    /// The content began to move in time, so often.
    func animationsBegan(_ count: Int) { animationBeginnings += count }

    private func scrolling(from old: Scrolling, to new: Scrolling, _ call: String) {
        if scrolling != old { report("\(call) came while the content was \(scrolling)") }
        scrolling = new
    }

    /// Finds what began to move and is not said to have ended.
    func checkAtRest() {
        if scrolling != .resting { report("the content is said to be \(scrolling) at rest") }
        if animationEnds != animationBeginnings {
            report("\(animationBeginnings) animations began, but \(animationEnds) ended")
        }
    }
}
