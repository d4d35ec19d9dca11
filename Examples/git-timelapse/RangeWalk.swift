import SimulatedView

/// Gives the view of a replay a range controller and scrolls through the list, so that ranges move
/// and only items that come near get a node.
final class RangeWalk: @unchecked Sendable {  // on the main lane after `begin(on:)`
    private var scroll: SlowScroll
    private let headerHeight: Double?
    private weak var view: SimulatedCollectionView?

    /// The estimated size of an item that is not measured: one line, as most names with subjects
    /// are.
    private static let line = Size(width: 0, height: 1)

    /// - Parameters:
    ///   - total: the number of commits.
    ///   - hasHeaders: whether sections have headers with the paths of their directories.
    init(commits total: Int, hasHeaders: Bool) {
        scroll = SlowScroll(commits: total)
        headerHeight = hasHeaders ? Self.line.height : nil
    }

    /// Prepares a view that does not show anything yet.
    func begin(on view: SimulatedCollectionView) {
        self.view = view
        view.rangeController = RangeController()
        view.layoutMetrics = self
    }

    /// Scrolls further, if it is time to, after a commit was deployed. Call it on the main lane.
    func didShowCommit() {
        guard let view else { return }
        view.layoutIfNeeded()
        if let distance = scroll.next(view.bounds, in: view.contentSize.height) {
            view.scroll(by: distance)
        }
    }
}

extension RangeWalk: LayoutMetrics {
    /// Returns an estimated height for headers. Without it, a header that is not measured would
    /// have no height and would never come near the viewport.
    func metrics(ofSection section: Int) -> SectionMetrics {
        SectionMetrics(headerExtent: headerHeight)
    }

    func size(ofItemAt path: ItemPath) -> Size? {
        view?.measuredSize(of: .cell(path)) == nil ? Self.line : nil
    }
}

/// Computes the slow scrolling through a list during a replay: one row at a time, to the end and
/// back.
///
/// It is a value without access to the view, and the same history always scrolls in the same way.
struct SlowScroll: Hashable, Sendable {
    private let commitsPerStep: Int
    private var commits = 0
    private var isForward = true

    /// The number of steps per replay. It covers several screenfuls, and a short history, which
    /// takes some seconds, has all of them.
    private static let steps = 200

    init(commits total: Int) { commitsPerStep = max(1, total / Self.steps) }

    /// Records a deployed commit.
    ///
    /// - Returns: the number of rows to scroll, negative for up, or `nil` if it is not time to
    ///   scroll or everything is visible.
    mutating func next(_ bounds: Rect, in contentHeight: Double) -> Double? {
        commits += 1
        guard commits % commitsPerStep == 0, contentHeight > bounds.size.height else { return nil }
        if bounds.maxY >= contentHeight { isForward = false }
        if bounds.minY <= 0 { isForward = true }
        return isForward ? 1 : -1
    }
}
