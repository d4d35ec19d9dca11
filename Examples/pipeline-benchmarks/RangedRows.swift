import CollectionPipeline
import SimulatedView

/// Rows of models in a view with ranges, somewhere in the middle of them.
final class RangedRows {
    private let rowCount: Int
    private let lane = MeteredLane()
    private let controller: DataController<ModelList<Int>>
    private let view: SimulatedCollectionView
    private let ranges = RangeController()

    private static let rowHeight = 20.0

    init(rowCount: Int) throws {
        self.rowCount = rowCount
        let layout = ListLayout()
        layout.rowHeight = Self.rowHeight
        // Fifty rows.
        view = SimulatedCollectionView(
            size: Size(width: 320, height: 1_000),
            layout: layout,
            logCapacity: 0
        )
        view.rangeController = ranges
        controller = DataController(models: [Array(0..<rowCount)], view: view, lane: lane)
        try controller.deploy { _, changes in changes.reloadData() }
        onLane { view, _ in
            view.contentOffset = Point(x: 0, y: Double(rowCount / 2) * Self.rowHeight)
            view.scroll(by: Self.rowHeight)
        }
        guard elementsInRange > 100 else {
            throw Failure("\(elementsInRange) elements are in range")
        }
    }

    /// How long the ranges take to follow the insertion of a row within them.
    func nanosecondsOfUpdate() throws -> Double {
        let path = ItemPath(section: 0, item: rowCount / 2 + 3)
        try controller.deploy { list, changes in
            list.sections[0].insert(-1, at: path.item)
            changes.insertItems(at: [path])
        }
        // They have followed it in the pass; what is measured is the same look once more.
        let time = timed { view, ranges in
            ranges.invalidate()
            ranges.update(view)
        }
        try controller.deploy { list, changes in
            list.sections[0].remove(at: path.item)
            changes.deleteItems(at: [path])
        }
        return time
    }

    /// How long a step of a row takes, the view's own pass included; to and fro.
    func nanosecondsOfStep(_ number: Int) -> Double {
        // Ten rows each way, which crosses the border of a page now and then.
        let distance = number / 10 % 2 == 0 ? Self.rowHeight : -Self.rowHeight
        return timed { view, _ in
            view.scroll(by: distance)
            view.layoutIfNeeded()
        }
    }

    /// How many elements are within reach.
    var elementsInRange: Int {
        let count = Tally()
        onLane { _, ranges in count.add(ranges.elements(in: .preload).count) }
        return count.count
    }

    // MARK: On the lane

    private func onLane(
        _ body: @escaping @Sendable (SimulatedCollectionView, RangeController) -> Void
    ) {
        // Once the controller has it, it is used on the lane only.
        nonisolated(unsafe) let ranges = ranges
        lane.enqueue { [view] in body(view, ranges) }
        // Returns when that has run, and the view's next turn has come.
        for _ in 0..<3 { _ = lane.takeTimes() }
    }

    private func timed(
        _ body: @escaping @Sendable (SimulatedCollectionView, RangeController) -> Void
    ) -> Double {
        let time = Tally()
        onLane { view, ranges in
            time.add(Int(Stopwatch.threadNanoseconds { body(view, ranges) }))
        }
        return Double(time.count)
    }
}
