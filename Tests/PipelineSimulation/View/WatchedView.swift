import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTesting
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

extension WatchedView {
    /// Does to the view what a user does. Main lane.
    package func perform(_ action: ViewAction) {
        fetches?.noteAction()
        switch action {
        case .scroll(let tenths):
            // Across too, for layouts that run that way.
            shown.scroll(by: Point(x: Double(tenths) / 10, y: Double(tenths) / 10))
        case .scrollToItem(let seed): scrollToItem(seed)
        case .moveToItem(let seed): scrollToItem(seed, animated: true)
        case .moveToTop: noteAnimation { shown.scrollToTop(animated: true) }
        case .drag(let turns, let tenths):
            shown.beginDragging()
            drag(turns, Double(tenths) / 10)
        case .resize(let width, let height, let isAnimated):
            shown.resize(
                to: Size(width: Double(width), height: Double(height)),
                animated: isAnimated
            )
        case .setLayout(let layout, let isAnimated):
            numberOfSwitches += 1
            shown.setCollectionViewLayout(
                layout.make(sizesItself: plan.sizesItself),
                animated: isAnimated
            ) {
                [weak self] in self?.numberOfSwitches -= 1
            }
        case .touch(let seed, let turns): touch(seed, turns)
        case .select(let seed):
            shown.allowsMultipleSelection = seed % 3 == 0
            guard let path = visiblePath(seed) else { return }
            do { try shown.selectItem(at: path) } catch { report("selecting \(path): \(error)") }
        case .idle(let count): shown.idleTick(preparing: count)
        case .changeWish(let seed):
            let cells = shown.visibleCells
            guard !cells.isEmpty else { return }
            let cell = cells[Int(seed % UInt64(cells.count))]
            (cell as? SizingCell)?.wish += 1
            shown.invalidatePreferredSize(of: cell)
        case .inset(let inset):
            shown.contentInset = EdgeInsets(top: Double(inset), bottom: Double(inset / 2))
        case .invalidate: shown.collectionViewLayout.invalidateLayout()
        case .range(let action): shown.rangeController.map(action.perform)
        case .fetch(let action): fetches?.perform(action)
        }
    }

    private func visiblePath(_ seed: UInt64) -> ItemPath? {
        let paths = shown.visibleCells.compactMap { $0.attributes?.indexPath }
        return paths.isEmpty ? nil : paths[Int(seed % UInt64(paths.count))]
    }

    private func scrollToItem(_ seed: UInt64, animated isAnimated: Bool = false) {
        let paths = shown.map.items.map(\.path)
        guard !paths.isEmpty else { return }
        let path = paths[Int(seed % UInt64(paths.count))]
        do {
            try noteAnimation {
                try shown.scrollToItem(at: path, at: [.top, .left], animated: isAnimated)
            }
        } catch {
            if hasRoom { report("scrolling to \(path): \(error)") }
        }
    }

    /// Has the watcher expect the end of what begins to move; without a clock it has ended by then.
    private func noteAnimation(_ body: () throws -> Void) rethrows {
        /// How many there were, of which one may be under way.
        func count() -> Int { watcher.animationEnds + (shown.isScrollAnimating ? 1 : 0) }
        let before = count()
        try body()
        guard count() > before else { return }
        mark("view animated")
        watcher.animationsBegan(count() - before)
    }

    /// Whether every element has a place: pages are what the insets leave.
    var hasRoom: Bool { !shown.bounds.inset(by: shown.adjustedContentInset).isEmpty }

    private func drag(_ turns: Int, _ distance: Double) {
        guard turns > 0 else {
            shown.decelerationRate = distance < 0 ? .fast : .normal
            // As far as ten times the last step, or five hundred times.
            let velocity = distance / 10
            return shown.endDragging(velocity: Point(x: velocity, y: velocity))
        }
        shown.drag(by: Point(x: distance, y: distance))
        lane?.enqueue { [weak self] in self?.drag(turns - 1, distance) }
    }

    private func touch(_ seed: UInt64, _ turns: Int) {
        guard let path = visiblePath(seed) else { return }
        shown.touchDown(at: path)
        liftTouch(after: turns)
    }

    private func liftTouch(after turns: Int) {
        guard turns > 0 else { return shown.touchUp() }
        lane?.enqueue { [weak self] in self?.liftTouch(after: turns - 1) }
    }
}

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

/// How many of something there are; from any thread.
package final class LifeCount: Sendable {
    private let alive = Lock(0)

    package init() {}

    /// How many tokens are still there.
    package var numberAlive: Int { alive.withLock { $0 } }

    /// Counts for as long as somebody holds it.
    func makeToken() -> Token { Token(self) }

    final class Token: Sendable {
        private let count: LifeCount

        fileprivate init(_ count: LifeCount) {
            self.count = count
            count.alive.withLock { $0 += 1 }
        }

        deinit { count.alive.withLock { $0 -= 1 } }
    }
}

/// A view that is counted once it was shown.
protocol CountedView: AnyObject {
    var life: LifeCount.Token? { get set }
}

/// A cell that shows its node, and takes the size that this was measured with.
package class WatchedCell: CollectionViewCell, CountedView {
    var life: LifeCount.Token?
}

/// The header of a section.
package final class WatchedHeader: CollectionReusableView, CountedView {
    var life: LifeCount.Token?
}

/// A cell that wants a height of its own, which depends on its item and on a wish that may change.
package final class SizingCell: WatchedCell {
    var wish = 0

    package override func prepareForReuse() { wish = 0 }

    package override func preferredLayoutAttributesFitting(
        _ attributes: LayoutAttributes
    ) -> LayoutAttributes {
        guard let item = content?.model as? ModelItem else { return attributes }
        var wanted = attributes
        // The same whenever it is asked, or cell and layout would never agree.
        wanted.size.height = Double(1 + (item.id &* 7 &+ item.revision &+ wish) & 3)
        return wanted
    }
}
