import CollectionElements
import CollectionPipeline
import SimulatedView

/// A simulated view at the end of a run's pipeline, which is watched, and to which updates may come late or
/// not at all. Main lane.
package final class WatchedView: CollectionView, @unchecked Sendable {  // main-lane confined
    package let shown: SimulatedCollectionView
    let plan: ViewPlan
    let report: (String) -> Void
    let watcher: ViewWatcher
    private(set) var lane: (any Lane)?
    /// Whether updates are delayed and lost; nil for a view that gets all of them at once.
    private let fates: (any WorkloadFates)?
    private var delayed: [ViewUpdate] = []
    /// The generation of the newest map that was lost on the way to the view.
    private var lostGeneration = -1
    /// How many changes of layouts have not completed yet.
    var numberOfSwitches = 0

    /// Told of every update that comes, in the order of generations; set by the run.
    package var willShow: (ViewUpdate) -> Void = { _ in }
    /// What the controller says is visible; nil where there is no controller any more. Set by the run.
    package var visibleMap: () -> ElementMap? = { nil }
    /// Told what is wrong with what nodes were told; set by the run.
    package var reportRanges: (String) -> Void = { _ in }
    /// How many nodes were told a state that has not ended; set by the run.
    package var nodesInRange: () -> Int = { 0 }
    /// Who fetches more; set by the run.
    var fetches: SimulatedFetches? { didSet { shown.batchFetcher?.delegate = fetches } }
    /// Told what the view has come to do; set by the run.
    package var mark: (String) -> Void = { _ in }
    /// Whether every element that is shown has been measured, so that its place has that size.
    package var expectsMeasured = true
    /// Whether some of it is measured after it is shown, for the first time or again.
    package var measuresLater = false
    /// Whether nodes are released that have left all ranges.
    package var releasesNodes = false
    /// Whether workers lay out for it.
    package var preparesLayout = false
    /// Whether what is asked for still comes; set by the run.
    package var isOpen: () -> Bool = { true }
    /// Whether the data source may be asked for what was accepted; set by the run.
    package var countsAgree: () -> Bool = { true }
    /// Whether somebody asks for nodes on demand, which are those of the newest accepted revisions: older
    /// ones may yet come to be shown.
    package var nodesAreAskedFor = false
    /// Whether the map of a generation may show items as they were, so that nodes made since are ahead
    /// of it; short of rest, those of later maps too. Set by the run.
    package var mayBeOlder: (_ generation: Int, _ isAtRest: Bool) -> Bool = { _, _ in false }

    /// - Parameters:
    ///   - fates: decide what comes late and what is lost; nil for nothing.
    ///   - clock: tells the time for what moves by itself; nil for none, where it does so at once.
    ///   - cells: counts the views that are still there.
    ///   - report: told what is wrong.
    package init(
        _ plan: ViewPlan,
        fates: (any WorkloadFates)?,
        clock: (any PipelineEnvironment)? = nil,
        cells: LifeCount,
        report: @escaping (String) -> Void
    ) {
        self.plan = plan
        self.fates = fates
        self.report = report
        shown = plan.makeView(clock: clock)
        watcher = ViewWatcher(lives: cells, report: report)
        shown.delegate = watcher
    }

    // MARK: CollectionView

    package func attach(to lane: any Lane) {
        self.lane = lane
        shown.attach(to: lane)
    }

    package var elementSizeRange: SizeRange { shown.elementSizeRange }

    package var firstVisiblePath: ItemPath? { shown.firstVisiblePath }

    package func perform(_ update: ViewUpdate) {
        willShow(update)
        guard fates != nil else { return shown.perform(update) }
        delayed.append(update)
        scheduleTurn()
    }

    package func updatesInFlightDidChange(_ areInFlight: Bool) {
        shown.updatesInFlightDidChange(areInFlight)
    }

    package func controllerDidClose() {
        delayed = []
        shown.controllerDidClose()
    }

    // MARK: What comes late or is lost

    /// Whether the view lacks an update that the pipeline counts as shown.
    var isBehind: Bool { shown.map.generation < lostGeneration }

    /// Whether updates are still on their way to the view, or wait there.
    var isWaiting: Bool { !delayed.isEmpty || shown.numberOfWaitingUpdates > 0 }

    private func scheduleTurn() {
        lane?.enqueue { [weak self] in self?.turn() }
    }

    private func turn() {
        guard let fates, !delayed.isEmpty else { return }
        if fates.happens(.viewIsBusy) { return scheduleTurn() }
        let update = delayed.removeFirst()
        if !delayed.isEmpty, fates.happens(.viewDropsLater) { lose(delayed.removeLast()) }
        if fates.happens(.viewDropsUpdate) { return lose(update) }
        shown.perform(update)
    }

    private func lose(_ update: ViewUpdate) {
        lostGeneration = max(lostGeneration, update.newMap.generation)
    }

    /// The view refused an update; only one that lacks another may.
    package func didReject(_ error: (any Error)?) {
        guard !isBehind else { return mark("view refused") }
        report("the view refused an update: \(error.map { "\($0)" } ?? "no error")")
    }
}
