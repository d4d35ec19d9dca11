import CollectionElements
import CollectionPipeline
import CollectionSnapshots
import PipelineTestSupport
import Testing

/// Snapshots as states: what is marked in them is done once, whichever of them comes in.
@Suite("Applying snapshots", .endsHangs)
struct ApplyingSnapshotTests {
    private typealias Snapshot = CollectionSnapshot<String, Int>

    /// A snapshot whose comparison waits, or of which models are missing.
    private struct Held: CollectionState {
        var snapshot = Snapshot()
        var gate: Gate?
        var isShort = false

        init() {}

        init(_ snapshot: Snapshot, gate: Gate? = nil, isShort: Bool = false) {
            (self.snapshot, self.gate, self.isShort) = (snapshot, gate, isShort)
        }

        var shape: HierarchyShape { snapshot.shape }
        var accepted: Held { Held(snapshot.accepted, isShort: isShort) }

        func superseding(_ older: Held) -> Held {
            Held(snapshot.superseding(older.snapshot), gate: gate, isShort: isShort)
        }

        func models(at items: Range<Int>, inSection section: Int) -> [Int] {
            isShort ? [] : snapshot.models(at: items, inSection: section)
        }

        func changes(
            from old: Held,
            options: DifferenceOptions,
            isCancelled: () -> Bool
        ) throws(DifferenceError) -> ValidatedChangeSet {
            gate?.pass()
            return try snapshot.changes(
                from: old.snapshot,
                options: options,
                isCancelled: isCancelled
            )
        }
    }

    private func board<State>(
        _ substrate: Substrate,
        of states: State.Type
    ) -> DataController<SnapshotDataSource<State>> {
        let stage = substrate.makeStage()
        return DataController(
            states: State.self,
            configuration: .unwatched,
            lane: stage.lane,
            environment: stage.environment
        )
    }

    @Test(arguments: Substrate.allCases)
    func whatIsAcceptedHasNoMarks(_ substrate: Substrate) async throws {
        let board = board(substrate, of: Snapshot.self)
        try await board.apply(Snapshot(["a": [1, 2, 3]]))
        var next = await board.withDataSource { $0.state }
        try next.reloadItems([2])
        let first = try #require(board.visibleMap.element(at: ItemPath(section: 0, item: 1)))
        try await board.apply(next)
        let second = try #require(board.visibleMap.element(at: ItemPath(section: 0, item: 1)))
        #expect(first !== second)
        var last = await board.withDataSource { $0.state }
        #expect(last.reloadedItemIdentifiers.isEmpty)
        try last.appendItems([4])
        try await board.apply(last)
        #expect(board.visibleMap.element(at: ItemPath(section: 0, item: 1)) === second)
        await board.close()
    }

    /// Not in a simulation, whose one thread the gate would hold.
    @Test(arguments: [Substrate.dispatch, .jittered])
    func marksOfASupersededSnapshotAreTakenOver(_ substrate: Substrate) async throws {
        let board = board(substrate, of: Held.self)
        let snapshot = try Snapshot(["a": [1, 2, 3], "b": [4], "c": [5]])
        try await board.apply(Held(snapshot))
        let before = board.visibleMap
        let gate = Gate()
        board.apply(Held(snapshot, gate: gate)) { _ in }
        _ = await board.withIsolated { _ in }
        var (marked, newest) = (snapshot, snapshot)
        try marked.reloadItems([1, 3])
        try marked.reconfigureItems([2, 4])
        try marked.reloadSections(["c"])
        // The newest knows better of 2, and nothing of 3.
        try newest.deleteItems([3])
        try newest.reloadItems([2])
        board.apply(Held(marked)) { _ in }
        let last = Task { try await board.apply(Held(newest)) }
        for _ in 0..<20 { await board.withIsolated { _ in } }
        gate.open()
        _ = try await last.value
        let after = board.visibleMap
        func isKept(_ old: ItemPath, _ new: ItemPath) -> Bool {
            before.element(at: old) === after.element(at: new)
        }
        let (one, two) = (ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1))
        let (four, five) = (ItemPath(section: 1, item: 0), ItemPath(section: 2, item: 0))
        #expect(after.shape == [2, 1, 1])
        #expect(!isKept(one, one) && !isKept(two, two) && !isKept(five, five))
        #expect(isKept(four, four) && before.content(at: four) != after.content(at: four))
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRejectedStateLeavesNothingBehind(_ substrate: Substrate) async throws {
        let board = board(substrate, of: Held.self)
        let snapshot = try Snapshot(["a": [1, 2, 3]])
        try await board.apply(Held(snapshot))
        var next = snapshot
        try next.appendItems([4])
        let short = Held(next, isShort: true)
        let error = await #expect(throws: UpdateError.self) { try await board.apply(short) }
        #expect(error?.code == .dataSourceChangedDuringLatch)
        #expect(board.divergence == nil && error?.divergence == nil)
        let state = await board.withDataSource { $0.state.snapshot }
        #expect(state == snapshot)
        try await board.apply(Held(next))
        #expect(board.visibleMap.shape == [4])
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func aReloadCanBeToldByCompletionToo(_ substrate: Substrate) async throws {
        let board = board(substrate, of: Snapshot.self)
        let snapshot = try Snapshot(["a": [1, 2]])
        try await board.apply(snapshot)
        let before = try #require(board.visibleMap.element(at: ItemPath(section: 0, item: 0)))
        let outcomes = Journal<String>()
        board.applyUsingReloadData(snapshot) { outcomes.append("\($0.outcome)") }
        await board.reached(.completed)
        #expect(await outcomes.values(count: 1) == ["deployed"])
        #expect(board.visibleMap.element(at: ItemPath(section: 0, item: 0)) !== before)
        await board.close()
    }

    /// Each in turn is too large, and none keeps the others up.
    @Test(arguments: Substrate.allCases)
    func manyStatesThatCannotBeAreRejectedOneByOne(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        var configuration = PipelineConfiguration.unwatched
        configuration.limits.items = 2
        let board = DataController(
            states: Snapshot.self,
            configuration: configuration,
            lane: stage.lane,
            environment: stage.environment
        )
        let large = try Snapshot(["a": [1, 2, 3]])
        let outcomes = Journal<String>()
        for _ in 0..<200 {
            board.apply(large) { result in
                if case .rejected = result.outcome { outcomes.append("rejected") }
            }
        }
        #expect(await outcomes.values(count: 200).count == 200)
        try await board.apply(Snapshot(["a": [1, 2]]))
        #expect(board.visibleMap.shape == [2])
        await board.close()
    }

    /// Compares until it is told not to.
    private struct Endless: CollectionState {
        var isEndless = false
        let shape: HierarchyShape = []

        func models(at items: Range<Int>, inSection section: Int) -> [Int] { [] }

        func changes(
            from old: Endless,
            options: DifferenceOptions,
            isCancelled: () -> Bool
        ) throws(DifferenceError) -> ValidatedChangeSet {
            while isEndless, !isCancelled() {}
            if isEndless { return try ValidatedChangeSet(fromIdentifiers: [1], to: [1]) { true } }
            return try ValidatedChangeSet(
                fromIdentifiers: [(Int, [Int])](),
                to: [(Int, [Int])](),
                options: options
            )
        }
    }

    /// Not in a simulation, whose one thread would compare for ever.
    @Test(arguments: [Substrate.dispatch, .jittered])
    func aCloseEndsAComparison(_ substrate: Substrate) async throws {
        let board = board(substrate, of: Endless.self)
        try await board.apply(Endless())
        let errors = Journal<UpdateError.Code>()
        board.apply(Endless(isEndless: true)) { result in
            if case .rejected(let error) = result.outcome { errors.append(error.code) }
        }
        await board.close()
        #expect(errors.values == [.closed])
    }
}
