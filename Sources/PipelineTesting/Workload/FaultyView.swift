import CollectionElements
import CollectionPipeline

/// A view that is busy, refuses, drops updates and finishes late, as the run's fates have it, and
/// checks every update that it is to show. Main lane.
package final class FaultyView: CollectionView, @unchecked Sendable {  // main-lane confined
    private var lane: (any Lane)?
    private var queue: [ViewUpdate] = []
    private let fates: any WorkloadFates
    private let check: (ViewUpdate) -> Void
    private let report: (String) -> Void
    private var isDeploying = false
    /// The generation that the controller says is visible; set by the run.
    package var visibleGeneration: () -> Int = { -1 }

    package init(
        fates: any WorkloadFates,
        check: @escaping (ViewUpdate) -> Void,
        report: @escaping (String) -> Void
    ) {
        self.fates = fates
        self.check = check
        self.report = report
    }

    package func attach(to lane: any Lane) { self.lane = lane }

    package var elementSizeRange: SizeRange { .width(40) }

    package var firstVisiblePath: ItemPath? { ItemPath(section: 1, item: 1) }

    package func perform(_ update: ViewUpdate) {
        if isDeploying { report("Never Re-entrant: an update came while one was deployed") }
        queue.append(update)
        scheduleTurn()
    }

    private func scheduleTurn() {
        lane?.enqueue { [weak self] in self?.turn() }
    }

    private func turn() {
        guard !queue.isEmpty else { return }
        if fates.happens(.viewIsBusy) { return scheduleTurn() }
        let update = queue.removeFirst()
        if !queue.isEmpty, fates.happens(.viewDropsLater) { queue.removeLast() }
        // An update that the view loses must deploy all the same.
        if fates.happens(.viewDropsUpdate) { return }
        let refuses = fates.happens(.viewRefuses)
        let visible = visibleGeneration()
        isDeploying = true
        let isDeployed = update.deploy { update in
            if refuses { throw PlannedFailure() }
            fates.pause()
            check(update)
        }
        isDeploying = false
        if isDeployed, visible >= update.newMap.generation {
            report("generation \(visible) was visible before the view deployed it")
        }
        guard isDeployed, !refuses else { return }
        if fates.happens(.viewIsBusy) {
            // An animation of some turns.
            lane?.enqueue { [lane] in lane?.enqueue { update.finish() } }
        } else {
            update.finish()
        }
    }
}
