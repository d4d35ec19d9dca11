import CollectionElements
import CollectionPipeline

/// A view that is busy, refuses, drops updates and finishes late, as the run's fates have it, and
/// checks every update that it is to show. Main lane.
package final class FaultyView: CollectionView, @unchecked Sendable {  // main-lane confined
    private var lane: (any Lane)?
    private var queue: [ViewUpdate] = []
    private let nodes: WatchedNodes
    private let check: (ViewUpdate) -> Void
    private var isDeploying = false
    /// Whether it has stopped going on; nil where it has not yet.
    private var isStalled: Bool?
    /// What it has deployed and does not finish meanwhile.
    private var unfinished: ViewUpdate?
    /// Whether it refused to load, and has had every chance to load since.
    private var lacksLoad = false
    /// The generation that the controller says is visible; set by the run.
    package var visibleGeneration: () -> Int = { -1 }

    /// - Parameters:
    ///   - nodes: have the fates of the run, and are told what is wrong.
    ///   - check: told of every update that is to be shown.
    package init(_ nodes: WatchedNodes, check: @escaping (ViewUpdate) -> Void) {
        self.nodes = nodes
        self.check = check
    }

    private var fates: any WorkloadFates { nodes.fates }

    package func attach(to lane: any Lane) { self.lane = lane }

    package var elementSizeRange: SizeRange { .width(40) }

    package var firstVisiblePath: ItemPath? { ItemPath(section: 1, item: 1) }

    package func perform(_ update: ViewUpdate) {
        if isDeploying {
            nodes.report("an update came while one was deployed", breaking: "Never Re-entrant")
        }
        queue.append(update)
        scheduleTurn()
    }

    private func scheduleTurn() {
        lane?.enqueue { [weak self] in self?.turn() }
    }

    private func turn() {
        guard !queue.isEmpty, isStalled != true, !stalls() else { return }
        if fates.happens(.viewIsBusy) { return scheduleTurn() }
        let update = queue.removeFirst()
        if !queue.isEmpty, fates.happens(.viewDropsLater) {
            queue.removeLast()
            lacksLoad = false
        }
        // An update that the view loses must deploy all the same.
        if fates.happens(.viewDropsUpdate) {
            lacksLoad = false
            return
        }
        let refuses = fates.happens(.viewRefuses)
        let visible = visibleGeneration()
        isDeploying = true
        let isDeployed = update.deploy { update in
            checkLoad(update)
            lacksLoad = refuses && (lacksLoad || update.changeSet.isReloadData)
            if refuses { throw PlannedFailure() }
            fates.pause()
            check(update)
        }
        isDeploying = false
        if isDeployed, visible >= update.newMap.generation {
            nodes.report("generation \(visible) was visible before the view deployed it")
        }
        guard isDeployed, !refuses else { return }
        if stalls() {
            unfinished = update
        } else if fates.happens(.viewIsBusy) {
            // An animation of some turns.
            lane?.enqueue { [lane] in lane?.enqueue { update.finish() } }
        } else {
            update.finish()
        }
    }

    /// What was not loaded cannot be edited.
    private func checkLoad(_ update: ViewUpdate) {
        guard lacksLoad, !update.changeSet.isReloadData else { return }
        nodes.report("edits came after a refused load")
    }

    private func stalls() -> Bool {
        guard isStalled == nil, fates.happens(.viewStalls) else { return false }
        isStalled = true
        return true
    }

    /// Ends a stall. Main lane.
    package func goOn() {
        guard isStalled == true else { return }
        isStalled = false
        unfinished?.finish()
        unfinished = nil
        for _ in queue { scheduleTurn() }
    }
}
