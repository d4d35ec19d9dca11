import CollectionElements
import CollectionPipeline

/// A view that injects faults: it is busy, refuses updates, loses them and finishes late. It wraps
/// a view under test, or works without one.
///
/// The wrapped view sees only what any view must handle: updates that wait, and updates for which
/// ``ViewUpdate/deploy(_:file:line:)`` returns `false` because a reload replaces them. The wrapped
/// view never receives a lost update; the faulty view then refuses the next update that starts from
/// the lost state. ``mistakes`` lists what the wrapped view does wrong, and
/// ``Simulation/settle(_:_:checksContent:)`` throws the first mistake.
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
/// ``FaultPoint/viewDropsUpdate``, ``FaultPoint/viewDropsLater`` and ``FaultPoint/callTakesLong``.
/// Each fault happens at the rate that the simulation defines.
///
/// Threading: every member except `attach(to:)` and the initializers belongs to the main lane, and
/// the closures that return content are called there. Between the steps of a simulation, its thread
/// may also read the members.
///
/// Retained: the wrapped view; each update until it is passed on or lost, or the controller closes.
///
/// Complexity: O(1) for each update, plus the wrapped view's work, plus two comparisons.
public final class FaultyView: CollectionView, @unchecked Sendable {  // main-lane confined
    let wrapped: (any CollectionView)?
    let fates: any FaultInjector
    private var lane: (any Lane)?
    /// The destination of the updates that were passed to the wrapped view.
    private(set) var relay: UpdateRelay?
    private var queue: [ViewUpdate] = []
    private var isDeploying = false
    /// Whether the view is stalled; `nil` if it has not stalled yet.
    private var isStalled: Bool?
    /// The deployed updates that cannot finish during a stall.
    private var unfinished: [ViewUpdate] = []
    /// Whether the controller has closed.
    private(set) var isClosed = false
    /// Whether the view refused a load, and has neither deployed nor lost an update since.
    private var lacksLoad = false
    var wrappedState = WrappedState()
    /// Returns the difference between what the wrapped view shows and a map; `nil` if there is
    /// none.
    let difference: @Sendable (ElementMap) -> String?

    /// Returns the visible generation according to the controller; set by a run.
    package var visibleGeneration: () -> Int = { -1 }
    /// Called before each update is shown; set by a run.
    package var willShow: (ViewUpdate) -> Void = { _ in }
    /// Called if the pipeline breaks a guarantee; set by a run.
    package var report: (_ message: String, _ guarantee: String) -> Void = { _, _ in }

    package init(
        wrapping view: (any CollectionView)? = nil,
        fates: any FaultInjector,
        difference: @escaping @Sendable (ElementMap) -> String? = { _ in nil }
    ) {
        wrapped = view
        self.fates = fates
        self.difference = difference
    }

    /// Creates a faulty view that checks the calls that the wrapped view makes, but not its
    /// content.
    ///
    /// - Parameters:
    ///   - view: The view under test, retained. If it is `nil`, the faulty view deploys and
    ///     finishes each update itself.
    ///   - simulation: The simulation whose rates and seed decide which faults happen.
    public convenience init(wrapping view: (any CollectionView)? = nil, in simulation: Simulation) {
        self.init(wrapping: view, fates: simulation)
    }

    /// Creates a faulty view that compares the content of the wrapped view before and after each
    /// update.
    ///
    /// - Parameters:
    ///   - view: The view under test, retained.
    ///   - simulation: The simulation whose rates and seed decide which faults happen.
    ///   - expected: A closure that returns the content that the view should show for a map.
    ///   - shown: A closure that returns the content that the view shows now.
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

    /// Attaches this view and the wrapped view to the lane; called by the controller.
    public func attach(to lane: any Lane) {
        self.lane = lane
        relay = UpdateRelay(lane: lane, view: self)
        wrapped?.attach(to: lane)
    }

    /// The size range of the wrapped view; without one, a width of 40.
    public var elementSizeRange: SizeRange { wrapped?.elementSizeRange ?? .width(40) }

    /// The first visible path of the wrapped view; without one, the second item of the second
    /// section.
    public var firstVisiblePath: ItemPath? {
        guard let wrapped else { return ItemPath(section: 1, item: 1) }
        return wrapped.firstVisiblePath
    }

    /// Queues an update for a later turn; called by the controller.
    public func perform(_ update: ViewUpdate) {
        if isDeploying {
            report("an update arrived while another was being deployed", "Never Re-entrant")
        }
        queue.append(update)
        scheduleTurn()
    }

    /// Notifies the wrapped view; called by the controller.
    public func updatesInFlightDidChange(_ areInFlight: Bool) {
        wrapped?.updatesInFlightDidChange(areInFlight)
    }

    /// Drops the waiting updates and notifies the wrapped view; called by the controller.
    public func controllerDidClose() {
        isClosed = true
        // Without a wrapped view, each waiting update is dropped in its turn.
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
        // The pipeline must deploy an update that the view loses.
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

    /// Deploys an update, or refuses it.
    ///
    /// - Parameter fits: Whether the wrapped view shows the state from which the update starts.
    /// - Returns: Whether `apply` has run. An error of `apply` is a refusal by the wrapped view.
    func show(_ update: ViewUpdate, fits: Bool = true, _ apply: () throws -> Void) -> Bool {
        let refuses = fates.happens(.viewRefuses) || !fits
        let visible = visibleGeneration()
        isDeploying = true
        let isDeployed = update.deploy { update in
            checkLoad(update)
            lacksLoad = refuses && (lacksLoad || update.changeSet.isReloadData)
            if refuses { throw InjectedFault() }
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

    /// Reports edits that arrive after a refused load: content that was not loaded cannot be
    /// edited.
    private func checkLoad(_ update: ViewUpdate) {
        guard lacksLoad, !update.changeSet.isReloadData else { return }
        report("edits arrived after a refused load", "Consistent Snapshot")
    }

    func finish(_ update: ViewUpdate) {
        if isStalled == true || stalls() {
            unfinished.append(update)
        } else if fates.happens(.viewIsBusy) {
            // Simulates an animation of some turns.
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

    /// Ends a stall: finishes the deployed updates, and processes the waiting ones. Does nothing if
    /// the view is not stalled. Call it on the main lane.
    public func endStall() {
        guard isStalled == true else { return }
        isStalled = false
        for update in exchange(&unfinished, with: []) { update.finish() }
        for _ in queue { scheduleTurn() }
    }
}

// The updates of the wrapped view, and the checks of its behaviour.

extension FaultyView {
    /// The observed state of the wrapped view; main lane only.
    struct WrappedState {
        /// The map that the wrapped view shows; `nil` before its first reload, and after its own
        /// refusal until the next reload.
        var shownMap: ElementMap?
        var mistakes: [ViewMistake] = []
    }

    /// The limit for recorded mistakes. The first one is the one to fix.
    private static let mistakeLimit = 64

    /// The first 64 mistakes of the wrapped view, in order.
    public var mistakes: [ViewMistake] { wrappedState.mistakes }

    func note(_ mistake: ViewMistake) {
        if mistakes.count < Self.mistakeLimit { wrappedState.mistakes.append(mistake) }
    }

    /// Deploys an update for the wrapped view.
    ///
    /// - Returns: Whether the wrapped view had to show the update.
    fileprivate func deployWrapped(_ update: ViewUpdate, _ apply: () throws -> Void) -> Bool {
        checkShown()
        let fits =
            update.changeSet.isReloadData
            || update.oldMap.generation == wrappedState.shownMap?.generation
        return show(update, fits: fits) {
            wrappedState.shownMap = nil
            try apply()
            wrappedState.shownMap = update.newMap
            guard let difference = difference(update.newMap) else { return }
            note(ViewMistake(.wrongContent, "after update \(update.submission) \(difference)"))
            // The consequences of the wrong content are not reported.
            wrappedState.shownMap = nil
        }
    }

    /// Checks that the wrapped view still shows the content of its last update.
    private func checkShown() {
        guard let map = wrappedState.shownMap, let difference = difference(map) else { return }
        wrappedState.shownMap = nil
        note(ViewMistake(.changedOutsideDeploy, "between two updates \(difference)"))
    }

    /// Checks, after all other work has finished, that the wrapped view does not keep any update.
    func checkAtRest() {
        checkShown()
        for (id, state) in relay?.held ?? [] {
            let start = "all work is done, but update \(id) is not"
            switch state {
            case _ where isClosed:
                note(ViewMistake(.keptAfterClose, "update \(id) is kept after the close"))
            case .waiting:
                note(ViewMistake(.neverDeployed, "\(start) deployed"))
            case .deployed:
                note(ViewMistake(.neverFinished, "\(start) finished"))
            case .replaced:
                note(ViewMistake(.keptReplaced, "update \(id) is kept, but need not be shown"))
            }
        }
    }
}

/// The destination of the updates that the wrapped view receives. It holds the original of each.
///
/// The updates retain this relay, and the relay does not retain the faulty view, so that a view
/// that never releases an update does not cause a retain cycle.
final class UpdateRelay: ViewUpdateDestination {
    let lane: any Lane
    /// Used only on the main lane.
    private weak let view: FaultyView?
    /// The entries by generation. Updates may be dropped on any thread.
    private let entries = Lock<[Int: Entry]>([:])

    private struct Entry {
        let update: ViewUpdate
        var state = State.waiting
    }

    enum State {
        case waiting
        case deployed
        /// The wrapped view need not show the update, or has refused it.
        case replaced
    }

    init(lane: any Lane, view: FaultyView) {
        self.lane = lane
        self.view = view
    }

    /// Returns the update that the wrapped view receives instead of the original.
    func standIn(for update: ViewUpdate) -> ViewUpdate {
        entries.withLock { $0[update.newMap.generation] = Entry(update: update) }
        return ViewUpdate(standingFor: update, destination: self)
    }

    /// The updates that the wrapped view holds, in the order in which it received them.
    var held: [(id: SubmissionID, state: State)] {
        entries.withLock { $0 }.sorted { $0.key < $1.key }
            .map { ($0.value.update.submission, $0.value.state) }
    }

    func deploy(_ update: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool {
        let generation = update.newMap.generation
        guard let view, let original = entries.withLock({ $0[generation]?.update }) else {
            return false
        }
        if let first = held.first(where: { $0.state == .waiting }), first.id != update.submission {
            misused(update, "must be deployed after \(first.id), which arrived first")
            set(.replaced, generation)
            return false
        }
        var isApplied = false
        let isShown = view.deployWrapped(original) {
            try apply(update)
            isApplied = true
        }
        set(isApplied ? .deployed : .replaced, generation)
        return isShown
    }

    private func set(_ state: State, _ generation: Int) {
        entries.withLock { $0[generation]?.state = state }
    }

    func finish(_ generation: Int) {
        // An update that need not be shown is just dropped.
        guard let entry = remove(generation), entry.state == .deployed else { return }
        view?.finish(entry.update)
    }

    func viewDropped(_ generation: Int) { _ = remove(generation) }

    /// The removed entry is released outside the lock, because its release calls the pipeline.
    private func remove(_ generation: Int) -> Entry? {
        entries.withLock { $0.removeValue(forKey: generation) }
    }

    func misused(_ update: ViewUpdate, _ problem: String) {
        view?.note(ViewMistake(.wrongCall, "update \(update.submission) \(problem)"))
    }
}
