import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTesting
import SimulatedView

/// A simulated view of a run's pipeline that is checked, and whose updates may be delayed or lost.
/// Main lane.
package final class WatchedView: CollectionView, @unchecked Sendable {  // main-lane confined
    package let shown: SimulatedCollectionView
    let plan: ViewPlan
    let report: (String) -> Void
    let watcher: ViewWatcher
    private(set) var lane: (any Lane)?
    /// Decides which updates are delayed or lost; `nil` for a view that receives all of them
    /// immediately.
    private let fates: (any FaultInjector)?
    private var delayed: [ViewUpdate] = []
    /// The generation of the newest map whose update was lost.
    private var lostGeneration = -1
    /// The number of layout switches that have not completed yet.
    var numberOfSwitches = 0

    /// Called with every update in the order of generations; set by the run.
    package var willShow: (ViewUpdate) -> Void = { _ in }
    /// Returns the controller's visible map; `nil` without a controller. Set by the run.
    package var visibleMap: () -> ElementMap? = { nil }
    /// Called with faults in the notifications of nodes; set by the run.
    package var reportRanges: (String) -> Void = { _ in }
    /// Returns the number of nodes with a range state that has not ended; set by the run.
    package var nodesInRange: () -> Int = { 0 }
    /// The delegate that fetches more content; set by the run.
    var fetches: SimulatedFetches? { didSet { shown.batchFetcher?.delegate = fetches } }
    /// Counts events of the view; set by the run.
    package var mark: (String) -> Void = { _ in }
    /// Whether every shown element has been measured, so that its frame has that size.
    package var expectsMeasured = true
    /// Whether some elements are measured after they are shown, for the first time or again.
    package var measuresLater = false
    /// Whether nodes that have left all ranges are released.
    package var releasesNodes = false
    /// Whether workers prepare the layout.
    package var preparesLayout = false
    /// Returns whether requests are still fulfilled; set by the run.
    package var isOpen: () -> Bool = { true }
    /// Returns whether the counts of the data source match the accepted state; set by the run.
    package var countsAgree: () -> Bool = { true }
    /// Whether callers request nodes, which have the newest accepted revision while older ones may
    /// still be shown.
    package var nodesAreRequested = false
    /// Returns whether the map of a generation may show earlier revisions, so that nodes created
    /// since are newer; before rest, this includes later maps. Set by the run.
    package var mayBeOlder: (_ generation: Int, _ isAtRest: Bool) -> Bool = { _, _ in false }

    /// - Parameters:
    ///   - fates: Decides which updates are delayed or lost; `nil` for none.
    ///   - clock: The clock for animations; without one they end immediately.
    ///   - cells: Counts the views that are still alive.
    ///   - report: Called with each fault.
    package init(
        _ plan: ViewPlan,
        fates: (any FaultInjector)?,
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

    // MARK: Delayed and lost updates

    /// Whether the view lacks an update that the pipeline counts as shown.
    var isBehind: Bool { shown.map.generation < lostGeneration }

    /// Whether updates are in flight to the view, or wait in it.
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

    /// Checks that the view refuses an update only if it lacks an earlier one.
    package func didReject(_ error: (any Error)?) {
        guard !isBehind else { return mark("view refused") }
        report("the view refused an update: \(error.map { "\($0)" } ?? "no error")")
    }
}

extension WatchedView {
    /// Performs an action of a user. Main lane.
    package func perform(_ action: ViewAction) {
        fetches?.noteAction()
        switch action {
        case .scroll(let tenths):
            // Scrolls along both axes, for layouts of either direction.
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
        case .changePreferredSize(let seed):
            let cells = shown.visibleCells
            guard !cells.isEmpty else { return }
            let cell = cells[Int(seed % UInt64(cells.count))]
            (cell as? SizingCell)?.extraHeight += 1
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

    /// Lets the watcher expect the end of an animation that `body` begins; without a clock it has
    /// already ended.
    private func noteAnimation(_ body: () throws -> Void) rethrows {
        /// Returns the number of animations so far, including a running one.
        func count() -> Int { watcher.animationEnds + (shown.isScrollAnimating ? 1 : 0) }
        let before = count()
        try body()
        guard count() > before else { return }
        mark("view animated")
        watcher.animationsBegan(count() - before)
    }

    /// Whether every element has a place: the insets must leave room for pages.
    var hasRoom: Bool { !shown.bounds.inset(by: shown.adjustedContentInset).isEmpty }

    private func drag(_ turns: Int, _ distance: Double) {
        guard turns > 0 else {
            shown.decelerationRate = distance < 0 ? .fast : .normal
            // The velocity gives a distance of ten or five hundred times the last step.
            let velocity = distance / 10
            return shown.endDragging(velocity: Point(x: velocity, y: velocity))
        }
        shown.drag(by: Point(x: distance, y: distance))
        lane?.enqueue { [weak self] in self?.drag(turns - 1, distance) }
    }

    private func touch(_ seed: UInt64, _ turns: Int) {
        guard let path = visiblePath(seed) else { return }
        shown.touchDown(at: path)
        checkSelection(isAtRest: false)
        liftTouch(after: turns)
    }

    private func liftTouch(after turns: Int) {
        guard turns > 0 else { return shown.touchUp() }
        lane?.enqueue { [weak self] in self?.liftTouch(after: turns - 1) }
    }
}

/// The view of a run: the faulty one, or a simulated view that is checked.
extension SimulatedRun {
    /// The simulated view; `nil` if the run has the faulty one or has released it.
    var watchedView: WatchedView? { view as? WatchedView }

    /// Creates the view of the plan, which passes updates to `checker` and reads the visible map
    /// from `controller`.
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
        // A layout that measures nothing on demand excludes it.
        view.releasesNodes =
            self.plan.releasesNodes == true
            && (!self.plan.hasLayout || self.plan.preparesLayout == true)
        view.measuresLater = self.plan.measuring != nil || view.releasesNodes
        view.preparesLayout = self.plan.hasLayout && self.plan.preparesLayout == true
        view.isOpen = { [weak self] in
            self.map { !$0.isClosing && !$0.isClosed && !$0.isAbandoned } ?? false
        }
        view.countsAgree = { controller()?.divergence?.countsSince == nil }
        view.nodesAreRequested = self.plan.requestsNodes
        // The scale may change while an update is in flight.
        checker.textScale = { nil }
        return view
    }

    /// Creates the layout delegate of the plan; it is that of `view` if workers prepare the layout.
    func makeLayoutDelegate(_ view: any CollectionView) -> (any LayoutDelegate)? {
        guard plan.hasLayout else { return nil }
        if plan.preparesLayout == true, let watched = view as? WatchedView {
            return FlowLayoutDelegate(watched.shown)
        }
        return SimulatedLayout(lane: lane, nodes: nodes)
    }

    /// The guarantee that a simulated view breaks if it shows something wrong.
    private static let viewGuarantee = "Simulated View"

    /// Performs an action of a user on the simulated view, if it exists.
    func perform(_ action: ViewAction) {
        // Deferred measuring leaves no trace in the node, so a repeated size looks like a second
        // measurement.
        if action.changesElementSizes, plan.measuring != nil { nodes.noteRelayout() }
        lane.enqueue { [self] in watchedView?.perform(action) }
    }

    /// Checks the simulated view at rest.
    func checkViewAtRest() {
        guard plan.view != nil else { return }
        lane.enqueue { [self] in watchedView?.check(isAtRest: true) }
        simulation.step()
    }

    /// Checks the simulated view after an event.
    func observeView(_ event: PipelineEvent) {
        guard plan.view != nil else { return }
        switch event.kind {
        case .viewRefused: watchedView?.didReject(event.error)
        case .deployed: lane.enqueue { [self] in watchedView?.check(isAtRest: false) }
        default: break
        }
    }
}

/// Counts living objects; any thread.
package final class LifeCount: Sendable {
    private let alive = Lock(0)

    package init() {}

    /// The number of tokens that are still alive.
    package var numberAlive: Int { alive.withLock { $0 } }

    /// Returns a token that counts while it is retained.
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

/// A view that is counted after it was shown.
protocol CountedView: AnyObject {
    var life: LifeCount.Token? { get set }
}

/// A cell that shows its node with the measured size.
package class WatchedCell: CollectionViewCell, CountedView {
    var life: LifeCount.Token?
}

/// The header of a section.
package final class WatchedHeader: CollectionReusableView, CountedView {
    var life: LifeCount.Token?
}

/// A cell that prefers its own height, which depends on its item and on an extra height that may
/// change.
package final class SizingCell: WatchedCell {
    var extraHeight = 0

    package override func prepareForReuse() { extraHeight = 0 }

    package override func preferredLayoutAttributesFitting(
        _ attributes: LayoutAttributes
    ) -> LayoutAttributes {
        guard let item = content?.model as? ModelItem else { return attributes }
        var wanted = attributes
        // The result is stable; otherwise cell and layout would never agree.
        wanted.size.height = Double(1 + (item.id &* 7 &+ item.revision &+ extraHeight) & 3)
        return wanted
    }
}
