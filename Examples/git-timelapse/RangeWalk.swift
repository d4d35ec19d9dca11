import SimulatedView

/// What a replay with ranges does to its view: gives it a range controller, and scrolls through the list, so that ranges
/// move and only what comes near gets a node.
final class RangeWalk: @unchecked Sendable {  // main lane, but for what is done before there is one
    private var scroll: SlowScroll
    private let headerHeight: Double?
    private weak var view: SimulatedCollectionView?

    /// What nobody measured is taken to be a line, as most names with their subjects are.
    private static let line = Size(width: 0, height: 1)

    /// - Parameters:
    ///   - total: how many commits there are.
    ///   - hasHeaders: whether sections have the paths of their directories above them.
    init(commits total: Int, hasHeaders: Bool) {
        scroll = SlowScroll(commits: total)
        headerHeight = hasHeaders ? Self.line.height : nil
    }

    /// Takes a view that shows nothing yet.
    func begin(on view: SimulatedCollectionView) {
        self.view = view
        view.rangeController = RangeController()
        view.layoutMetrics = self
    }

    /// A commit is on the view: scrolls on, if it is time to. Main lane.
    func didShowCommit() {
        guard let view else { return }
        view.layoutIfNeeded()
        if let distance = scroll.next(view.bounds, in: view.contentSize.height) {
            view.scroll(by: distance)
        }
    }
}

extension RangeWalk: LayoutMetrics {
    /// A header that nobody measured would have no height, so that nobody ever came near it.
    func metrics(ofSection section: Int) -> SectionMetrics {
        SectionMetrics(headerExtent: headerHeight)
    }

    func size(ofItemAt path: ItemPath) -> Size? {
        view?.measuredSize(of: .cell(path)) == nil ? Self.line : nil
    }
}
