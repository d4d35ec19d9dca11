import SimulatedView

/// What the ranges of a view come to: how many items are in each, and how many have a node.
struct RangeTally: Hashable, Sendable {
    var mode = RangeMode.minimum
    var visible = 0
    /// With what is visible, as all ranges are.
    var display = 0
    var preload = 0
    /// Items that have a node, in a range or not.
    var nodes = 0
    var items = 0

    init() {}

    /// Counts; nil where the view has no range controller. Main lane.
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

    /// One line, which says too what the signs of a ``RangeColumn`` mean.
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
