import SimulatedView

/// The ranges around a viewport, and the nodes in them, as a narrow column. The column shows
/// several screenfuls of the list, with the viewport always in the middle.
///
/// A row of the column is a part of the list. Its first sign is the innermost range that contains
/// the middle of this part: `#` visible, `=` display range, `-` preload range. The second sign
/// shows whether the elements of this part have nodes: `o` all, `:` some, `.` none. Beyond the ends
/// of the list the column is empty.
struct RangeColumn: Hashable, Sendable {
    /// An element of the list: its rows, and whether it has a node.
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

    /// The number of columns.
    static let width = 2

    /// The distance that is shown before and after the viewport, in screenfuls. It exceeds the
    /// default ranges, so that elements without nodes are visible too.
    static let reach = 4.0

    /// Returns the part of the list that a column shows around a viewport.
    static func window(around bounds: Rect) -> Rect {
        let distance = reach * bounds.size.height
        return bounds.inset(by: EdgeInsets(top: -distance, bottom: -distance))
    }

    /// Returns the column with this number of rows.
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

extension RangeColumn {
    /// Makes the column of a view, or `nil` if the view has no range controller. Call it on the
    /// main lane.
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
}

/// The number of items in each range of a view, and the number of items that have a node.
struct RangeTally: Hashable, Sendable {
    let mode: RangeMode
    let visible: Int
    /// The number of items in the display range, which includes the visible items, as every range
    /// does.
    let display: Int
    let preload: Int
    /// The number of items that have a node, inside and outside the ranges.
    let nodes: Int
    let items: Int

    /// Counts the items, or returns `nil` if the view has no range controller. Call it on the main
    /// lane.
    ///
    /// Complexity: O(items).
    init?(of view: SimulatedCollectionView) {
        guard let ranges = view.rangeController else { return nil }
        func count(_ state: InterfaceState) -> Int {
            ranges.elements(in: state).count { $0.kind == nil }
        }
        mode = ranges.mode
        (visible, display, preload) = (count(.visible), count(.display), count(.preload))
        let map = view.map
        nodes = map.items.count { $0.element.nodeIfAllocated != nil }
        items = map.numberOfItems
    }

    /// One line with the counts, which also explains the signs of a ``RangeColumn``.
    var row: ScreenRow {
        ScreenRow(
            ("\(mode): ", .faint),
            ("#", .visible),
            (" \(visible) visible, ", .faint),
            ("=", .display),
            (" \(display) display, ", .faint),
            ("-", .preload),
            (" \(preload) preload; ", .faint),
            ("o", .strong),
            (" \(nodes) of \(items) have nodes", .faint)
        )
    }
}
