import CollectionElements
import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionChanges
@testable import CollectionPipeline
@testable import PipelineSimulation
@testable import PipelineTesting
@testable import SimulatedView

/// The board of a run with its shown updates and its internals, for tests that forge its state.
final class ShownBoard: @unchecked Sendable {  // one thread
    let run: SimulatedRun
    let board: SimulatedBoard
    let view: FaultyView
    let controller: DataController<SnapshotDataSource<SimulatedBoardState>>
    private let check: (ViewUpdate) -> Void
    /// The updates in the order in which they were shown.
    private(set) var updates: [ViewUpdate] = []

    /// - Parameter seeds: The seeds of the states that are applied and shown first.
    init(_ seeds: Range<UInt64> = 0..<0) {
        var plan = RunScene.plan
        plan.strategy = .inOrder
        run = SimulatedRun(plan, keepsTrace: false)
        board = run.makeBoard()
        (view, controller) = (board.view, board.controller)
        check = view.willShow
        view.willShow = { [unowned self] update in
            updates.append(update)
            check(update)
        }
        for seed in seeds { apply(seed) }
    }

    /// Passes an update to the board's check once more, or passes a forged one.
    func show(_ update: ViewUpdate) {
        run.lane.enqueue { [self] in check(update) }
        run.simulation.run()
    }

    /// Applies a state and waits for its outcome.
    func apply(_ seed: UInt64) {
        Task(executorPreference: LaneTaskExecutor(run.lane)) { [board] in
            _ = try? await board.apply(seed)
        }
        run.simulation.run()
    }

    /// Closes the board and returns all reports.
    var found: [String] {
        board.close(draining: true)
        run.simulation.run()
        board.checkClosed()
        run.simulation.run()
        run.board = nil
        return run.violations.map(\.description)
    }

    static func contents(of map: ElementMap) -> [[Int]] {
        var contents = Array(repeating: [Int](), count: map.numberOfSections)
        for item in map.items {
            contents[item.path.section].append(item.content.model as? Int ?? -1)
        }
        return contents
    }

    /// Returns a forged update of the same submission.
    func forged(
        _ update: ViewUpdate,
        from oldMap: ElementMap? = nil,
        like other: ViewUpdate? = nil
    ) -> ViewUpdate {
        let other = other ?? update
        let submission = Submission(
            id: update.submission,
            latched: LatchedChangeSet(update: other.changeSet, map: other.newMap, nextSectionID: 0),
            oldMap: oldMap ?? other.oldMap,
            request: SubmissionRequest(id: update.submission),
            traitsGeneration: 0
        )
        return ViewUpdate(submission, core: controller.core)
    }

    /// The last update of edits between two deployed states, and the number of its state.
    var lastEdits: (update: ViewUpdate, state: Int)? {
        for update in updates.dropFirst().reversed() where !update.changeSet.isReloadData {
            let state = board.applied.firstIndex { $0.submission == update.submission }
            if let state, case .deployed? = board.applied[state].outcome { return (update, state) }
        }
        return nil
    }
}

@Suite("Every check of a board, its journal and its fetches can fail", .endsHangs)
struct ForgedBoardTests {
    @Test func boards() throws {
        let forger = Forger<ShownBoard>({ ShownBoard(0..<6) }) { shown, forge in
            try forge(shown)
            return shown.found
        }
        forger.forge("Quiet After Close: board: the close did not end") { $0.board.checkClosed() }
        forger.forge("Ordered Commits: came after", alsoBreaking: "Identity Kept") { shown in
            shown.show(try #require(shown.updates.first))
        }
        let twin = ShownBoard(0..<6)
        forger.forge("Identity Kept: is another element") { shown in
            let update = try #require(shown.lastEdits).update
            shown.show(shown.forged(update, from: try #require(twin.lastEdits).update.oldMap))
        }
        // An item that a state should have reloaded keeps its element.
        let marked = (0..<40 as Range<UInt64>).lazy.map { ShownBoard($0 * 4..<$0 * 4 + 5) }.first {
            shown in
            guard let (update, state) = shown.lastEdits else { return false }
            let marks = Set(shown.board.applied[state].state.snapshot.reloadedItemIdentifiers)
            let (old, new) = (update.oldMap, update.newMap)
            return ShownBoard.contents(of: old).joined().contains {
                marks.contains($0) && ShownBoard.contents(of: new).joined().contains($0)
            }
        }
        forger.forge("Consistent Snapshot: was not reloaded", in: marked) { shown in
            let update = try #require(shown.lastEdits).update
            shown.show(shown.forged(update, from: update.newMap))
        }
        forger.forge(
            "Consistent Snapshot: is another",
            alsoBreaking: "Ordered Commits",
            "Identity Kept"
        ) { shown in
            let update = try #require(shown.updates.last)
            let other = try #require(
                shown.updates.first {
                    ShownBoard.contents(of: $0.newMap) != ShownBoard.contents(of: update.newMap)
                }
            )
            shown.show(shown.forged(update, like: other))
        }
        forger.forge(
            "Ordered Commits: the newest state is not what was accepted last",
            alsoBreaking: "Consistent Snapshot"
        ) { shown in
            var snapshot = SimulatedBoardState.Snapshot()
            try snapshot.appendSections([77])
            try snapshot.appendItems([-7], toSection: 77)
            shown.controller.apply(SimulatedBoardState(snapshot, isShort: false)) { _ in }
            shown.run.simulation.run()
            let isNoState = shown.run.violations.contains { $0.message.hasSuffix("is no state") }
            #expect(isNoState)
            shown.board.checkAtRest()
        }
        forger.forge("Whole Or Nothing: states that were rejected are said to be there") { shown in
            shown.controller.core.published.withLock {
                $0.divergence = .counts(since: SubmissionID(rawValue: 1))
            }
            shown.board.checkAtRest()
        }
        forger.forge("Whole Or Nothing: board: state 0 was rejected") { shown in
            try #require(shown.board.applied[0].isValid)
            shown.board.ended(0, .rejected(UpdateError(.stale, "text")))
        }
        forger.forge("Whole Or Nothing: must be rejected, and was accepted") { shown in
            for seed: UInt64 in 6..<200 where shown.board.applied.allSatisfy(\.isValid) {
                shown.apply(seed)
            }
            let state = try #require(shown.board.applied.firstIndex { !$0.isValid })
            shown.board.ended(state, .deployed)
        }
        forger.forge("Converges: board: the hub is a view that errs") { shown in
            shown.view.note(ViewMistake(.wrongCall, "text"))
        }
        forger.forge("Never Re-entrant: board: text") { $0.view.report("text", "Never Re-entrant") }
        #expect(forger.faults == [])
    }

    // MARK: The journal

    /// Updates for the journals; never changed.
    private static let shown: [ViewUpdate] = ShownBoard(0..<16).updates

    private static func contents(_ state: Int) -> [[Int]] {
        state == 0 ? [] : ShownBoard.contents(of: shown[state - 1].newMap)
    }

    /// A journal that syncs each state and has recorded some.
    private final class JournalScene {
        private static let seed = (0... as PartialRangeFrom<UInt64>).first {
            makeJournal($0).journal?.syncing == .always
        }
        let run: SimulatedRun
        let journal: SimulatedJournal

        private static func makeRun(_ seed: UInt64) -> SimulatedRun {
            var plan = RunScene.plan
            plan.seed = seed
            return SimulatedRun(plan, keepsTrace: false)
        }

        private static func makeJournal(_ seed: UInt64) -> SimulatedJournal {
            SimulatedJournal(makeRun(seed))
        }

        init(_ count: Int = 5) {
            run = Self.makeRun(Self.seed ?? 0)
            journal = SimulatedJournal(run)
            for state in 0..<count { show(state + 1) }
        }

        /// Records the update that leads to a state.
        func show(_ state: Int, _ contents: [[Int]]? = nil) {
            journal.shown(shown[state - 1], contents ?? ForgedBoardTests.contents(state))
            run.simulation.run()
        }

        func losePower() {
            let seed = (0... as PartialRangeFrom<UInt64>).first { seed in
                var random = SeededGenerator(seed: seed)
                return random.next(below: 4) == 0
            }
            journal.disturb(seed ?? 0)
            run.simulation.run()
        }

        func bytes() throws -> [UInt8] {
            let storage = journal.storage
            return try storage.read(0..<storage.byteCount())
        }

        /// Replaces the journal's bytes before the power returns.
        func replace(with bytes: [UInt8]) throws {
            try journal.storage.replaceAll(with: bytes)
            losePower()
        }
    }

    @Test func journals() throws {
        let forger = Forger(breaking: "Durable As Promised", { JournalScene() }) { scene, forge in
            try forge(scene)
            return scene.run.violations.map(\.description)
        }
        // Section 0 has no edits, so its content is unchanged.
        let plain = try #require(
            Self.shown.indices.dropFirst().first { index in
                let changes = Self.shown[index].changeSet
                let edited = (changes.itemInsertions + changes.itemRemovals).map(\.path.section)
                let sections = edited + changes.reconfigurations.map(\.newPath.section)
                return !changes.isReloadData && changes.sectionInsertions.isEmpty
                    && changes.sectionRemovals.isEmpty && !sections.contains(0)
                    && Self.contents(index + 1).first?.isEmpty == false
            }
        )
        forger.forge("the digest that was kept", in: JournalScene(plain)) { scene in
            var contents = Self.contents(plain + 1)
            contents[0][0] += 1
            scene.show(plain + 1, contents)
        }
        forger.forge("without any fault") { scene in
            try scene.journal.storage.append([1])
            scene.show(6)
        }
        forger.forge("state 5 was promised, and 3 is the last") { scene in
            try scene.replace(with: JournalScene(3).bytes())
        }
        forger.forge("state 6 was never shown") { try $0.replace(with: JournalScene(6).bytes()) }
        forger.forge("it could not be opened again") { try $0.replace(with: []) }
        forger.forge("state 3 is ") { scene in
            let storage = MemoryJournalStorage()
            var forged: UpdateJournal?
            try #require(scene.journal.journal).replay { record in
                switch record {
                case .base(let base): forged = try UpdateJournal(creatingIn: storage, base: base)
                case .update(var entry):
                    if entry.sequence == 3 { entry.digest = StateDigest(low: 1, high: 2) }
                    try forged?.append(entry.update, digest: entry.digest, payload: entry.payload)
                }
            }
            try scene.replace(with: storage.bytes)
        }
        forger.forge("state 6 is not synced") { scene in
            try scene.journal.storage.append([1])
            scene.show(6)
            scene.journal.checkEnd()
        }
        forger.forge("state 4 was synced, and 6 is the last", in: JournalScene(4)) {
            scene in
            try scene.replace(with: JournalScene(6).bytes())
            scene.journal.checkEnd()
        }
        #expect(forger.faults == [])
    }

    // MARK: Fetches

    /// A layout with a fixed content size and no items.
    private final class FixedLayout: CollectionLayout {
        override var collectionViewContentSize: Size { Size(width: 10, height: 5) }
    }

    /// A delegate that never completes a fetch.
    private final class IdleDelegate: BatchFetcherDelegate {
        private(set) var fetch: BatchFetchContext?
        func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
            self.fetch = fetch
        }
    }

    /// A view of 10 by 10 that is half filled, and a run.
    private final class FetchScene: @unchecked Sendable {  // one thread
        let scene = RunScene()
        let view: SimulatedCollectionView
        let fetcher = BatchFetcher()
        let fetches: SimulatedFetches
        private let controller: DataController<ModelList<String>>

        init() {
            nonisolated(unsafe) let layout = FixedLayout()
            view = SimulatedCollectionView(size: Size(width: 10, height: 10), layout: layout)
            view.batchFetcher = fetcher
            fetches = SimulatedFetches(scene.run, view)
            nonisolated(unsafe) let models = ModelList([["a", "b"]])
            controller = DataController(
                dataSource: models,
                view: view,
                lane: scene.run.lane,
                environment: scene.run.simulation.environment
            )
            controller.enqueueBatchUpdates { _, _ in
            } completion: { _ in
            }
            scene.run.simulation.run()
        }

        func beginFetches(_ end: ContentEnd, times: Int = 1) {
            for _ in 0..<times {
                let context = BatchFetchContext(at: end) { _ in }
                fetches.batchFetcher(fetcher, willBegin: context)
            }
        }
    }

    @Test func fetches() {
        let forger = Forger(breaking: "Fetched Once", { FetchScene() }) { fetching, forge in
            var result: Result<Void, any Error> = .success(())
            fetching.scene.onMain { _ in result = Result { try forge(fetching) } }
            try result.get()
            return fetching.scene.run.violations.map(\.description)
        }
        forger.forge("nobody is asked for the tail") { $0.fetches.checkAtRest() }
        forger.forge("nobody is asked for the head") { fetching in
            fetching.fetches.perform(.wantsHead)
            fetching.fetches.checkAtRest()
        }
        forger.forge("the head is asked for again") { $0.beginFetches(.head, times: 2) }
        forger.forge("the tail is asked for while a finger drags") { fetching in
            fetching.view.beginDragging()
            fetching.beginFetches(.tail)
        }
        forger.forge("the tail is asked for again after a failure") { fetching in
            fetching.beginFetches(.tail)
            fetching.fetches.perform(.callsOffTail)
            fetching.fetches.noteFailure(of: .tail)
            fetching.beginFetches(.tail)
        }
        forger.forge("while updates are on their way") { fetching in
            fetching.scene.run.controller?.core.published.withLock {
                $0.pendingMap = $0.pendingMap.withGeneration(2)
            }
            fetching.beginFetches(.tail)
        }
        let (waiting, idleDelegate) = (FetchScene(), IdleDelegate())
        waiting.scene.onMain { _ in
            waiting.fetcher.delegate = idleDelegate
            waiting.view.setNeedsLayout()
        }
        forger.forge("somebody is thought to fetch at the tail", in: waiting) {
            $0.fetches.checkAtRest()
        }
        withExtendedLifetime(idleDelegate) {}
        #expect(forger.faults == [])
    }
}
