import CollectionElements
import CollectionPipeline
import PipelineTestSupport

/// A view that is often busy, sometimes refuses, sometimes drops an update, and checks every map that
/// it is to show. Main lane.
final class BusyView: CollectionView, @unchecked Sendable {  // main-lane confined
    private var lane: (any Lane)?
    private var queue: [ViewUpdate] = []
    private var random: SeededGenerator
    private var busyTurns = 0
    private let check: (ViewUpdate) -> Void
    private(set) var deployedGenerations: [Int] = []

    init(seed: UInt64, check: @escaping (ViewUpdate) -> Void) {
        random = SeededGenerator(seed: seed)
        self.check = check
    }

    func attach(to lane: any Lane) { self.lane = lane }

    var elementSizeRange: SizeRange { .width(40) }

    var firstVisiblePath: ItemPath? { ItemPath(section: 1, item: 1) }

    func perform(_ update: ViewUpdate) {
        queue.append(update)
        scheduleTurn()
    }

    private func scheduleTurn() {
        lane?.enqueue { [weak self] in self?.turn() }
    }

    private func turn() {
        guard !queue.isEmpty else { return }
        if busyTurns > 0 {
            busyTurns -= 1
            return scheduleTurn()
        }
        busyTurns = random.next(below: 4) == 0 ? random.next(below: 4) : 0
        let update = queue.removeFirst()
        // Now and then the view loses an update; it must deploy all the same.
        if random.next(below: 40) == 0 { return }
        let refuses = random.next(below: 30) == 0
        let isDeployed = update.deploy { update in
            if refuses { throw StressFailure() }
            check(update)
            deployedGenerations.append(update.newMap.generation)
        }
        guard isDeployed, !refuses else { return }
        if random.next(below: 2) == 0 {
            update.finish()
        } else {
            // An animation of some turns.
            lane?.enqueue { [lane] in lane?.enqueue { update.finish() } }
        }
    }
}
