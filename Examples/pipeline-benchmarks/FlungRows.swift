import CollectionPipeline
import Foundation
import SimulatedView

/// Rows that say how high they want to be when they become visible, in a view that a finger has flung from the first
/// of them to the last, while others insert rows.
final class FlungRows {
    private let rowCount: Int
    private let lane = MeteredLane()
    private let controller: DataController<ModelList<Int>>
    private let view: SimulatedCollectionView
    private let ended = Ended()

    private static let rowHeight = 20.0
    /// Between two change sets: a hundred a second.
    private static let pauseMicroseconds: UInt32 = 10_000

    private final class RowCell: CollectionViewCell {
        override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes)
            -> LayoutAttributes
        {
            var preferred = attributes
            preferred.size.height = Double(15 + attributes.indexPath.item % 11)
            return preferred
        }
    }

    private final class Ended: CollectionViewDelegate {
        let count = Tally()

        func collectionViewDidEndDecelerating(_ collectionView: SimulatedCollectionView) {
            count.add(1)
        }
    }

    init(rowCount: Int) throws {
        self.rowCount = rowCount
        let layout = ListLayout()
        layout.rowHeight = Self.rowHeight
        layout.estimatesHeights = true
        view = SimulatedCollectionView(
            size: Size(width: 320, height: 1_000),
            layout: layout,
            logCapacity: 0,
            clock: DispatchEnvironment()
        )
        try view.register(
            RowCell.self,
            forCellWithReuseIdentifier: SimulatedCollectionView.elementReuseIdentifier
        )
        view.rangeController = RangeController()
        view.delegate = ended
        controller = DataController(models: [Array(0..<rowCount)], view: view, lane: lane)
        try controller.deploy { _, changes in changes.reloadData() }
        _ = lane.takeTimes()
    }

    /// How many frames of the main lane were too long from when the finger lets go until the content rests and
    /// everything that was submitted is shown.
    func missedFrames() throws -> Int {
        // The rate is the normal one, so that content goes on by as many units as half its velocity a second.
        let velocity = Double(rowCount) * Self.rowHeight / 500
        lane.enqueue { [view] in view.endDragging(velocity: Point(x: 0, y: velocity)) }
        var last = AwaitedOutcome()
        var submissions = 0
        while ended.count.count == 0 {
            guard submissions < 3_000 else { throw Failure("the fling never ends") }
            last = AwaitedOutcome()
            let outcome = last
            controller.enqueueBatchUpdates { list, changes in
                list.sections[0].insert(-1, at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            } completion: {
                outcome.note($0)
            }
            submissions += 1
            usleep(Self.pauseMicroseconds)
        }
        try last.waitUntilDeployed()
        return lane.takeTimes().missedFrames
    }
}
