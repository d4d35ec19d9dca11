import SimulatedView

/// Scrolls slowly through a list while a replay goes on: a row at a time, to the end and back.
///
/// A value: told of each commit, it returns how far to scroll. The same history scrolls the same way every time.
struct SlowScroll: Hashable, Sendable {
    private let commitsPerStep: Int
    private var commits = 0
    private var isForward = true

    /// So many steps are several screenfuls, and a short history, which takes some seconds, has them all.
    private static let steps = 200

    init(commits total: Int) { commitsPerStep = max(1, total / Self.steps) }

    /// A commit is shown.
    ///
    /// - Returns: how many rows to scroll, up where negative; nil where it is no turn, or nowhere to scroll to.
    mutating func next(_ bounds: Rect, in contentHeight: Double) -> Double? {
        commits += 1
        guard commits % commitsPerStep == 0, contentHeight > bounds.size.height else { return nil }
        if bounds.maxY >= contentHeight { isForward = false }
        if bounds.minY <= 0 { isForward = true }
        return isForward ? 1 : -1
    }
}
