import CollectionPipeline
import SimulatedView

/// The view of a run: the faulty one, or a simulated view that is watched.
extension SimulatedRun {
    /// The simulated view; nil where the run has the faulty one, or none any more.
    var watchedView: WatchedView? { view as? WatchedView }

    /// Makes the view that the plan says, which shows updates to `checker` and asks `controller` what is
    /// visible.
    func makeView(
        _ checker: SnapshotChecker,
        _ controller: @escaping () -> DataController<ReferenceModel>?
    ) -> any CollectionView {
        guard let plan = plan.view else {
            let view = FaultyView(nodes, checker)
            view.visibleGeneration = { controller()?.visibleMap.generation ?? -1 }
            return view
        }
        let view = WatchedView(
            plan,
            fates: simulation,
            clock: simulation.environment,
            cells: cells
        ) { [weak self] in
            self?.note(Self.viewGuarantee, $0)
        }
        view.willShow = checker.check
        view.visibleMap = { controller()?.visibleMap }
        view.mayBeOlder = { [weak self] generation, isAtRest in
            self?.model?.mayBeOlder(at: isAtRest ? generation : nil) ?? false
        }
        view.reportRanges = { [weak self] in self?.note("Each State Once", $0) }
        view.nodesInRange = { [nodes] in nodes.numberInRange }
        if plan.hasFetcher { view.fetches = SimulatedFetches(self, view.shown) }
        view.mark = { [weak self] in self?.mark($0) }
        view.expectsMeasured = !self.plan.hasLayout
        // Not with a layout that measures nothing on demand.
        view.releasesNodes =
            self.plan.releasesNodes == true
            && (!self.plan.hasLayout || self.plan.preparesLayout == true)
        view.measuresLater = self.plan.measuring != nil || view.releasesNodes
        view.preparesLayout = self.plan.hasLayout && self.plan.preparesLayout == true
        view.isOpen = { [weak self] in
            self.map { !$0.isClosing && !$0.isClosed && !$0.isAbandoned } ?? false
        }
        view.countsAgree = { controller()?.divergence?.countsSince == nil }
        view.nodesAreAskedFor = self.plan.asksForNodes
        // It may change once an update is on its way.
        checker.textScale = { nil }
        return view
    }

    /// Makes the layout that the plan says, which is that of `view` where it lays out beforehand.
    func makeLayoutDelegate(_ view: any CollectionView) -> (any LayoutDelegate)? {
        guard plan.hasLayout else { return nil }
        if plan.preparesLayout == true, let watched = view as? WatchedView {
            return FlowLayoutDelegate(watched.shown)
        }
        return SimulatedLayout(lane: lane, nodes: nodes)
    }

    /// What a simulated view breaks that shows something else than it should.
    private static let viewGuarantee = "Simulated View"

    /// Does to the simulated view what a user does; nothing happens where there is none.
    func perform(_ action: ViewAction) {
        // What is put off meanwhile leaves no trace in the node, so a size that comes back looks like the same.
        if action.offersOtherSizes, plan.measuring != nil { nodes.noteRelayout() }
        lane.enqueue { [self] in watchedView?.perform(action) }
    }

    /// Looks at the simulated view once nothing is left to run.
    func checkViewAtRest() {
        guard plan.view != nil else { return }
        lane.enqueue { [self] in watchedView?.check(isAtRest: true) }
        simulation.step()
    }

    /// Looks at the simulated view after what has happened.
    func observeView(_ event: PipelineEvent) {
        guard plan.view != nil else { return }
        switch event.kind {
        case .viewRefused: watchedView?.didReject(event.error)
        case .deployed: lane.enqueue { [self] in watchedView?.check(isAtRest: false) }
        default: break
        }
    }
}
