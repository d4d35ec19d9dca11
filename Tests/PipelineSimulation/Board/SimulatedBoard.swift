import CollectionElements
import CollectionPipeline
import CollectionSnapshots
import PipelineTesting

/// A second list of a run, which receives whole states and computes the edits, with the checks of
/// its guarantees.
///
/// Every client may apply states to it, based on the newest or empty, while it closes and its view
/// fails.
final class SimulatedBoard: @unchecked Sendable {  // one thread
    typealias State = SimulatedBoardState

    /// An applied state.
    struct Applied {
        let state: State
        /// Whether no known reason prevents its acceptance.
        let isValid: Bool
        let reloads: Bool
        /// The outcome of its submission.
        var outcome: UpdateOutcome?
        var submission: SubmissionID?
    }

    /// An update that the view received.
    private struct Shown {
        let submission: SubmissionID
        let isReload: Bool
        let old: [Int: CollectionElement]
        let new: [Int: CollectionElement]
        let contents: [[Int]]
    }

    static let itemLimit = 24

    private unowned let run: SimulatedRun
    let controller: DataController<SnapshotDataSource<State>>
    let view: FaultyView
    private let rejectsWhenFull: Bool
    /// The journal of the shown states, if the run has one.
    private let journal: SimulatedJournal?
    /// The hub that publishes the shown states, if the run has readers.
    let hub: SimulatedHub?
    private(set) var applied: [Applied] = []
    private var shown: [Shown] = []
    /// The number of created items.
    var itemCount = 0
    private(set) var isClosing = false
    private var isClosed = false

    init(_ run: SimulatedRun) {
        self.run = run
        journal = run.plan.hasJournal ? SimulatedJournal(run) : nil
        let hub = run.plan.hasReaders ? SimulatedHub(run) : nil
        self.hub = hub
        var configuration = PipelineConfiguration()
        configuration.name = "board"
        configuration.backlogLimit = run.plan.backlogLimit
        rejectsWhenFull = run.plan.rejectsWhenFull
        configuration.backlogPolicy =
            run.plan.mergesWhenFull ? .coalesce : rejectsWhenFull ? .reject : .suspend
        configuration.rejectionPolicy = run.plan.reloadsOnRejection ? .reload : .report
        configuration.limits.items = Self.itemLimit
        if hub != nil, let measuring = run.plan.measuring {
            configuration.measuringPolicy = measuring.policy
        }
        view = FaultyView(wrapping: hub?.hub, fates: run.simulation)
        controller = DataController(
            states: State.self,
            view: view,
            configuration: configuration,
            lane: run.lane,
            environment: run.simulation.environment,
            makeNode: hub.map(Self.makeNode)
        )
        view.visibleGeneration = { [weak self] in self?.controller.visibleMap.generation ?? -1 }
        view.willShow = { [weak self] in self?.check($0) }
        view.report = { [weak self] in self?.run.note($1, "board: \($0)") }
    }

    private static func makeNode(
        _ hub: SimulatedHub
    ) -> @Sendable (Int) throws -> any CollectionNode {
        { [unowned hub] in hub.makeNode($0) }
    }

    // MARK: Applying

    func apply(_ seed: UInt64) async throws(UpdateError) -> String {
        var random = SeededGenerator(seed: seed)
        let state = nextState(&random)
        let reloads = random.isTrue(oneIn: 8)
        let index = applied.count
        applied.append(
            Applied(
                state: state,
                isValid: state.snapshot.numberOfItems <= Self.itemLimit && !state.isShort,
                reloads: reloads
            )
        )
        do throws(UpdateError) {
            let result =
                reloads
                ? try await controller.applyUsingReloadData(state)
                : try await controller.apply(state)
            applied[index].submission = result.submission
            ended(index, result.outcome)
            return result.outcome.name
        } catch {
            switch error.code {
            case .cancelled: ended(index, .cancelled)
            case .viewRefused: ended(index, .refusedByView(error))
            default: ended(index, .rejected(error))
            }
            throw error
        }
    }

    // MARK: Checks

    func ended(_ index: Int, _ outcome: UpdateOutcome) {
        applied[index].outcome = outcome
        run.mark("state \(outcome.name)")
        switch outcome {
        case .rejected(let error):
            let isExpected =
                isClosing && error.code == .closed
                || rejectsWhenFull && error.code == .backlogFull || !applied[index].isValid
                // A superseded state ends with the error of the one that supersedes it.
                || error.code == .dataSourceChangedDuringRead
                    && applied.contains { $0.state.isShort }
            if !isExpected { note("Whole Or Nothing", "state \(index) was rejected: \(error)") }
        case .deployed:
            if !applied[index].isValid {
                note("Whole Or Nothing", "state \(index) must be rejected, and was accepted")
            }
        case .cancelled, .refusedByView, .superseded, .deployedByReload: break
        }
    }

    /// Checks that the view shows only applied states.
    private func check(_ update: ViewUpdate) {
        let contents = contents(of: update.newMap)
        if !applied.contains(where: { self.contents(of: $0.state) == contents }) {
            note("Consistent Snapshot", "generation \(update.newMap.generation) is no state")
        }
        journal?.shown(update, contents)
        hub?.shown(update)
        shown.append(
            Shown(
                submission: update.submission,
                isReload: update.changeSet.isReloadData,
                old: elements(of: update.oldMap),
                new: elements(of: update.newMap),
                contents: contents
            )
        )
    }

    /// Checks that the updates show exactly the deployed states, in the order of their application.
    ///
    /// The outcomes are complete only at the end.
    private func checkShown() {
        var last = -1
        for update in shown {
            let index = applied.firstIndex { applied in
                if case .deployed? = applied.outcome {
                    applied.submission == update.submission
                } else {
                    false
                }
            }
            guard let index else { continue }
            if update.contents != contents(of: applied[index].state) {
                note("Consistent Snapshot", "what was shown of state \(index) is another")
            }
            if index < last { note("Ordered Commits", "state \(index) came after \(last)") }
            if !update.isReload, index >= last, last >= 0 {
                checkIdentities(update, between: last, and: index)
            }
            last = index
        }
        shown = []
    }

    /// Checks that items in both maps keep their element, unless this state or one that it
    /// supersedes reloads them.
    private func checkIdentities(_ update: Shown, between last: Int, and index: Int) {
        var mayBeReloaded: Set<Int> = []
        var isReloaded = Set(applied[index].state.snapshot.reloadedItemIdentifiers)
        for applied in applied[last...index] {
            let marked = applied.state.snapshot.reloadedItemIdentifiers
            mayBeReloaded.formUnion(marked)
            if case .superseded(by: update.submission)? = applied.outcome {
                isReloaded.formUnion(marked)
            }
        }
        for (item, element) in update.new {
            guard let before = update.old[item] else { continue }
            if before !== element, !mayBeReloaded.contains(item) {
                note("Identity Kept", "item \(item) of state \(index) is another element")
            }
            if before === element, isReloaded.contains(item) {
                note("Consistent Snapshot", "item \(item) of state \(index) was not reloaded")
            }
        }
    }

    private func elements(of map: ElementMap) -> [Int: CollectionElement] {
        var elements: [Int: CollectionElement] = [:]
        for item in map.items {
            if let model = item.content.model as? Int { elements[model] = item.element }
        }
        return elements
    }

    private func contents(of map: ElementMap) -> [[Int]] {
        var contents = Array(repeating: [Int](), count: map.numberOfSections)
        for item in map.items {
            contents[item.path.section].append(item.content.model as? Int ?? -1)
        }
        return contents
    }

    private func contents(of state: State) -> [[Int]] {
        let snapshot = state.snapshot
        return snapshot.sectionIdentifiers.map {
            (try? snapshot.itemIdentifiers(inSection: $0)) ?? []
        }
    }

    /// Checks that at rest the newest accepted state is current.
    func checkAtRest() {
        guard !isClosing else { return }
        hub?.checkAtRest()
        let last = applied.last { applied in
            switch applied.outcome {
            case .deployed, .deployedByReload, .superseded, .refusedByView: true
            default: false
            }
        }
        guard let last else { return }
        if contents(of: controller.pendingMap) != contents(of: last.state) {
            note("Ordered Commits", "the newest state is not what was accepted last")
        }
        if controller.divergence != nil {
            note("Whole Or Nothing", "states that were rejected are said to be there")
        }
    }

    func note(_ guarantee: String, _ message: String) {
        run.note(guarantee, "board: \(message)")
    }

    // MARK: The end

    func disturbJournal(_ seed: UInt64) { journal?.disturb(seed) }

    /// Lets a stalled view continue.
    func endStall() { view.endStall() }

    func close(draining: Bool) {
        guard !isClosing else { return }
        isClosing = true
        controller.close(draining: draining, timeout: nil) { [self] in
            if isClosed { note("Quiet After Close", "the close completed twice") }
            isClosed = true
        }
    }

    func checkClosed() {
        checkShown()
        journal?.checkEnd()
        hub?.checkClosed()
        for mistake in view.mistakes {
            note("Converges", "the hub is a view that errs: \(mistake)")
        }
        if !isClosed { note("Quiet After Close", "the close did not end") }
    }
}

extension SimulatedBoard {
    /// Returns a state based on the newest one with some edits, or on an empty one.
    func nextState(_ random: inout SeededGenerator) -> State {
        var state = applied.last?.state.snapshot ?? CollectionSnapshot()
        if random.isTrue(oneIn: 6) { state = CollectionSnapshot() }
        // An application that does not know the accepted state removes the marks.
        if random.isTrue(oneIn: 2) { state.removeAllMarks() }
        var isShort = false
        do {
            for _ in 0..<(1 + random.next(below: 4)) { try edit(&state, &random) }
            if random.isTrue(oneIn: 10), let section = state.sectionIdentifiers.last {
                // The model of this item is missing.
                itemCount += 1
                try state.appendItems([itemCount - 1], toSection: section)
                isShort = true
            }
        } catch {
            note("Whole Or Nothing", "an edit of a snapshot failed: \(error)")
        }
        return State(state, isShort: isShort)
    }

    private func edit(_ state: inout State.Snapshot, _ random: inout SeededGenerator) throws {
        let items = state.itemIdentifiers
        func someItem() -> Int? { items.isEmpty ? nil : items[random.next(below: items.count)] }
        func newItems(_ count: Int) -> [Int] {
            itemCount += count
            return Array(itemCount - count..<itemCount)
        }
        guard let section = state.sectionIdentifiers.randomElement(using: &random) else {
            return try state.appendSections([random.next(below: 3), 3 + random.next(below: 3)])
        }
        switch random.next(below: 10) {
        case 0, 1: try state.appendItems(newItems(2), toSection: section)
        case 2: try someItem().map { try state.deleteItems([$0]) }
        case 3: try someItem().map { try state.appendItems([$0], toSection: section) }
        case 4, 5: try someItem().map { try state.reloadItems([$0]) }
        case 6: try someItem().map { try state.reconfigureItems([$0]) }
        case 7:
            let new = 6 + random.next(below: 1_000)
            if !state.containsSection(new) {
                try state.insertSections([new], beforeSection: section)
            }
        case 8 where random.isTrue(oneIn: 3): try state.deleteSections([section])
        case 9 where random.isTrue(oneIn: 4):
            try state.appendItems(newItems(Self.itemLimit), toSection: section)
        default:
            let first = state.sectionIdentifiers[0]
            if first != section { try state.moveSection(section, beforeSection: first) }
        }
    }
}

/// A state of a ``SimulatedBoard``: a snapshot that may lack the model of its last item.
struct SimulatedBoardState: CollectionState {
    typealias Snapshot = CollectionSnapshot<Int, Int>

    let snapshot: Snapshot
    /// Whether the state has no model for its last, new item: it must be rejected without any
    /// effect.
    let isShort: Bool

    init() { self.init(Snapshot(), isShort: false) }

    init(_ snapshot: Snapshot, isShort: Bool) {
        self.snapshot = snapshot
        self.isShort = isShort
    }

    var shape: HierarchyShape { snapshot.shape }
    var accepted: SimulatedBoardState { Self(snapshot.accepted, isShort: isShort) }

    func superseding(_ older: SimulatedBoardState) -> SimulatedBoardState {
        Self(snapshot.superseding(older.snapshot), isShort: isShort)
    }

    func models(at items: Range<Int>, inSection section: Int) -> [Int] {
        let models = snapshot.models(at: items, inSection: section)
        guard isShort, let last = snapshot.itemIdentifiers.last else { return models }
        return models.filter { $0 != last }
    }

    func changes(
        from old: SimulatedBoardState,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet {
        try snapshot.changes(from: old.snapshot, options: options, isCancelled: isCancelled)
    }
}
