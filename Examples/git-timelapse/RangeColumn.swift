import SimulatedView

/// Where the ranges around a viewport lie, and what has a node there: some screenfuls of the list as a narrow column, in
/// the middle of which the viewport stands still.
///
/// A row of the column is a stretch of the list. Its first sign is the nearest range that the middle of the stretch
/// is in: `#` what is visible, `=` the display range, `-` the preload range. The second says whether the
/// elements there have a node: `o` all, `:` some, `.` none. Beyond the ends of the list there is nothing.
struct RangeColumn: Hashable, Sendable {
    /// An element of the list: which rows it takes, and whether it has a node.
    struct Neighbour: Hashable, Sendable {
        var top: Double
        var bottom: Double
        var hasNode: Bool
    }

    var bounds: Rect
    var display: Rect
    var preload: Rect
    var contentHeight: Double
    var neighbours: [Neighbour]

    /// How many columns it takes.
    static let width = 2

    /// How far it reaches to either side of the viewport, in screenfuls: farther than a range does by default, so that
    /// what has no node yet is seen too.
    static let reach = 4.0

    /// What a column can show of the list around a viewport.
    static func window(around bounds: Rect) -> Rect {
        let distance = reach * bounds.size.height
        return bounds.inset(by: EdgeInsets(top: -distance, bottom: -distance))
    }

    init(
        bounds: Rect,
        display: Rect,
        preload: Rect,
        contentHeight: Double,
        neighbours: [Neighbour] = []
    ) {
        (self.bounds, self.display, self.preload) = (bounds, display, preload)
        (self.contentHeight, self.neighbours) = (contentHeight, neighbours)
    }

    /// Looks around the viewport; nil where the view has no range controller. Main lane.
    init?(of view: SimulatedCollectionView) {
        guard let ranges = view.rangeController else { return nil }
        let map = view.map
        let near = view.collectionViewLayout.layoutAttributesForElements(
            in: Self.window(around: view.bounds)
        )
        self.init(
            bounds: view.bounds,
            display: ranges.displayRect,
            preload: ranges.preloadRect,
            contentHeight: view.contentSize.height,
            neighbours: near.map { attributes in
                Neighbour(
                    top: attributes.frame.minY,
                    bottom: attributes.frame.maxY,
                    hasNode: map.element(at: attributes.place)?.nodeIfAllocated != nil
                )
            }
        )
    }

    /// The column, so many rows high.
    func rows(_ count: Int) -> [ScreenRow] {
        let window = Self.window(around: bounds)
        let height = window.size.height / Double(max(1, count))
        return (0..<max(0, count)).map { number in
            let top = window.minY + Double(number) * height
            let isInList = top < contentHeight && top + height > 0
            let range = isInList ? sign(at: top + height / 2) : (" ", .plain)
            return ScreenRow(range, (nodes(from: top, to: top + height), .strong))
        }
    }

    private func sign(at y: Double) -> (String, ScreenRow.Ink) {
        func isIn(_ rect: Rect) -> Bool { rect.minY <= y && y < rect.maxY }
        if isIn(bounds) { return ("#", .visible) }
        if isIn(display) { return ("=", .display) }
        if isIn(preload) { return ("-", .preload) }
        return (" ", .plain)
    }

    private func nodes(from top: Double, to bottom: Double) -> String {
        let there = neighbours.filter { $0.top < bottom && $0.bottom > top }
        let count = there.count(where: \.hasNode)
        return there.isEmpty ? " " : count == there.count ? "o" : count == 0 ? "." : ":"
    }
}
