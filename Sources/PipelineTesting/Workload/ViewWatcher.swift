import CollectionLayouts
import SimulatedView

/// Hears what a view of a run tells its delegate, and checks that views become visible and go out of it by
/// turns. Main lane.
final class ViewWatcher: CollectionViewDelegate {
    private let lives: LifeCount
    private let report: (String) -> Void
    /// Views that became visible and have not gone out of it.
    private(set) var displayed: [ObjectIdentifier: LayoutPlace] = [:]

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
}
