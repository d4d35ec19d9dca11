import CollectionElements
import CollectionPipeline

/// A view that is busy, refuses updates, loses them and finishes late, around a view of yours or around none.
///
/// The wrapped view meets what may happen to it and nothing else: updates that wait, and updates for which
/// ``ViewUpdate/deploy(_:file:line:)`` returns false since a reload of everything replaces them. An update that is lost is
/// one that it never gets; the next that would start from it is refused in the wrapped view's place. What the wrapped view
/// does wrong is in ``mistakes``, and ``Simulation/settle(_:_:checksContent:)`` throws the first.
///
/// ```swift
/// let view = FaultyView(wrapping: list, in: simulation) { map in
///     map.items.map { $0.content.model as? String }
/// } showing: {
///     list.lines
/// }
/// ```
///
/// The faults are ``FaultPoint/viewIsBusy``, ``FaultPoint/viewStalls``, ``FaultPoint/viewRefuses``,
/// ``FaultPoint/viewDropsUpdate``, ``FaultPoint/viewDropsLater`` and ``FaultPoint/callTakesLong``, each as often as the simulation's rates say.
///
/// Threading: every member but `attach(to:)` and the initializers belongs to the main lane; what is compared is
/// asked for there. Between the steps of a simulation, its thread may read too.
///
/// Retained: the wrapped view; an update, until it is handed on or lost, or the controller closes.
///
/// Complexity: O(1) an update beside the wrapped view's work, and what the comparison takes, twice.
public final class FaultyView: CollectionView, @unchecked Sendable {  // main-lane confined
    let wrapped: (any CollectionView)?
    let fates: any WorkloadFates
    private var lane: (any Lane)?
    /// Who answers for the updates that the wrapped view has.
    private(set) var relay: UpdateRelay?
    private var queue: [ViewUpdate] = []
    private var isDeploying = false
    /// Whether it has stopped going on; nil where it has not yet.
    private var isStalled: Bool?
    /// What is deployed and does not finish meanwhile.
    private var unfinished: [ViewUpdate] = []
    /// Whether the controller has closed.
    private(set) var isClosed = false
    /// Whether it refused to load, and has had every chance to load since.
    private var lacksLoad = false
    var wrappedState = WrappedState()
    /// How what the wrapped view shows differs from a map; nil where it does not.
    let difference: @Sendable (ElementMap) -> String?

    /// The generation that the controller says is visible; set by a run.
    package var visibleGeneration: () -> Int = { -1 }
    /// Told of every update when it is shown; set by a run.
    package var willShow: (ViewUpdate) -> Void = { _ in }
    /// Told what the pipeline does wrong; set by a run.
    package var report: (_ message: String, _ guarantee: String) -> Void = { _, _ in }

    package init(
        wrapping view: (any CollectionView)? = nil,
        fates: any WorkloadFates,
        difference: @escaping @Sendable (ElementMap) -> String? = { _ in nil }
    ) {
        wrapped = view
        self.fates = fates
        self.difference = difference
    }

    /// Makes a faulty view of which the calls are checked, and not what it shows.
    ///
    /// - Parameters:
    ///   - view: the view under test, retained; nil for one that shows every update at once.
    ///   - simulation: decides which faults happen, by its rates and seed.
    public convenience init(wrapping view: (any CollectionView)? = nil, in simulation: Simulation) {
        self.init(wrapping: view, fates: simulation)
    }

    /// Makes a faulty view that compares what the wrapped view shows, before and after each update.
    ///
    /// - Parameters:
    ///   - view: the view under test, retained.
    ///   - simulation: decides which faults happen, by its rates and seed.
    ///   - expected: what the view should show of a map.
    ///   - shown: what it shows now.
    public convenience init<Content: Equatable & SendableMetatype>(
        wrapping view: any CollectionView,
        in simulation: Simulation,
        expecting expected: @escaping @Sendable (ElementMap) -> Content,
        showing shown: @escaping @Sendable () -> Content
    ) {
        self.init(wrapping: view, fates: simulation) { map in
            let (shown, expected) = (shown(), expected(map))
            return shown == expected ? nil : TextDifference.text("\(shown)", "\(expected)")
        }
    }

    // MARK: CollectionView

    /// Gives the lane to the wrapped view too; the controller calls it.
    public func attach(to lane: any Lane) {
        self.lane = lane
        relay = UpdateRelay(lane: lane, view: self)
        wrapped?.attach(to: lane)
    }

    /// The wrapped view's; without one, a width of 40.
    public var elementSizeRange: SizeRange { wrapped?.elementSizeRange ?? .width(40) }

    /// The wrapped view's; without one, the second item of the second section.
    public var firstVisiblePath: ItemPath? {
        guard let wrapped else { return ItemPath(section: 1, item: 1) }
        return wrapped.firstVisiblePath
    }

    /// Takes in an update, for a later turn; the controller calls it.
    public func perform(_ update: ViewUpdate) {
        if isDeploying {
            report("an update came while one was deployed", "Never Re-entrant")
        }
        queue.append(update)
        scheduleTurn()
    }

    /// Tells the wrapped view; the controller calls it.
    public func updatesInFlightDidChange(_ areInFlight: Bool) {
        wrapped?.updatesInFlightDidChange(areInFlight)
    }

    /// Lets go of what waits and tells the wrapped view; the controller calls it.
    public func controllerDidClose() {
        isClosed = true
        // Without a wrapped view, what waits is dropped in its turn, where one comes.
        guard wrapped != nil || isStalled == true else { return }
        queue = []
        unfinished = []
        wrapped?.controllerDidClose()
    }

    // MARK: Turns

    private func scheduleTurn() { lane?.enqueue { [weak self] in self?.turn() } }

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
        guard let wrapped else {
            if show(update, {}) { finish(update) }
            return
        }
        if let update = relay?.standIn(for: update) { wrapped.perform(update) }
    }

    /// Deploys an update, unless it is to be refused.
    ///
    /// - Parameter fits: whether the wrapped view shows what the update starts from.
    /// - Returns: whether `apply` has run; what it throws is the view's own refusal.
    func show(_ update: ViewUpdate, fits: Bool = true, _ apply: () throws -> Void) -> Bool {
        let refuses = fates.happens(.viewRefuses) || !fits
        let visible = visibleGeneration()
        isDeploying = true
        let isDeployed = update.deploy { update in
            checkLoad(update)
            lacksLoad = refuses && (lacksLoad || update.changeSet.isReloadData)
            if refuses { throw PlannedFailure() }
            fates.pause()
            willShow(update)
            try apply()
        }
        isDeploying = false
        if isDeployed, visible >= update.newMap.generation {
            report(
                "generation \(visible) was visible before the view deployed it",
                "Consistent Snapshot"
            )
        }
        return isDeployed && !refuses
    }

    /// What was not loaded cannot be edited.
    private func checkLoad(_ update: ViewUpdate) {
        guard lacksLoad, !update.changeSet.isReloadData else { return }
        report("edits came after a refused load", "Consistent Snapshot")
    }

    func finish(_ update: ViewUpdate) {
        if isStalled == true || stalls() {
            unfinished.append(update)
        } else if fates.happens(.viewIsBusy) {
            // An animation of some turns.
            lane?.enqueue { [lane] in lane?.enqueue { update.finish() } }
        } else {
            update.finish()
        }
    }

    private func stalls() -> Bool {
        guard isStalled == nil, fates.happens(.viewStalls) else { return false }
        isStalled = true
        return true
    }

    /// Ends a stall: what was kept is finished, and what waits is taken up. Main lane; does nothing where the view
    /// has not stalled.
    public func goOn() {
        guard isStalled == true else { return }
        isStalled = false
        let kept = unfinished
        unfinished = []
        for update in kept { update.finish() }
        for _ in queue { scheduleTurn() }
    }
}
