import CollectionElements
import CollectionSnapshots
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// A snapshot whose comparison may wait, return wrong changes, or record its arguments.
private struct MarkedState: CollectionState {
    typealias Snapshot = CollectionSnapshot<String, Int>

    var snapshot = Snapshot()
    var gate: Gate?
    var lies = false
    var compared: Journal<(old: HierarchyShape, options: DifferenceOptions, isWorker: Bool)>?
    var isWorker: @Sendable () -> Bool = { false }
    /// Any other object that the state retains.
    var baggage: (any AnyObject & Sendable)?

    init() {}

    init(_ sections: KeyValuePairs<String, [Int]>, gate: Gate? = nil) throws {
        (snapshot, self.gate) = (try Snapshot(sections), gate)
    }

    var shape: HierarchyShape { snapshot.shape }

    var accepted: MarkedState {
        var state = self
        (state.snapshot, state.gate) = (snapshot.accepted, nil)
        return state
    }

    func superseding(_ older: MarkedState) -> MarkedState {
        var state = self
        state.snapshot = snapshot.superseding(older.snapshot)
        return state
    }

    func models(at items: Range<Int>, inSection section: Int) -> [Int] {
        snapshot.models(at: items, inSection: section)
    }

    func changes(
        from old: MarkedState,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet {
        compared?.append((old.shape, options, isWorker()))
        gate?.pass()
        return try (lies ? old : self).snapshot.changes(
            from: old.snapshot,
            options: options,
            isCancelled: isCancelled
        )
    }
}

@Suite("Applying states", .endsHangs)
struct ApplyingTests {
    private typealias Board = DataController<SnapshotDataSource<MarkedState>>

    private let view = RecordingView()
    private let events = EventRecorder()

    private func board(
        _ stage: Stage,
        differences: DifferenceOptions = DifferenceOptions(),
        configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) -> Board {
        var configuration = PipelineConfiguration.unwatched
        configure(&configuration)
        return Board(
            states: MarkedState.self,
            view: view,
            configuration: configuration,
            differences: differences,
            lane: stage.lane,
            environment: stage.environment,
            observer: events
        )
    }

    private func shown(_ board: Board) -> [[Int]] {
        let map = board.visibleMap
        return map.shape.itemCounts.enumerated().map { section, count in
            (0..<count).map { map.content(at: ItemPath(section, $0))?.model as? Int ?? -1 }
        }
    }

    // MARK: States that arrive during a comparison

    /// One state of a burst, with its expectations.
    private struct Applied {
        var state: MarkedState
        var isAnimated = false
        var reloads = false
        var isTooLarge = false
        var isCancelled = false
        let id: Int
        var reloaded: Set<Int> = []
        var reconfigured: Set<Int> = []
        var reloadedSections: Set<String> = []
    }

    private static let base: KeyValuePairs = ["a": [1, 2, 3, 4], "b": [5, 6]]

    private func draw(_ id: Int, _ random: inout SeededGenerator) throws -> Applied {
        let ids = (1...9).filter { _ in random.chance(0.7) }.shuffled(using: &random)
        let cut = random.next(below: ids.count + 1)
        var applied = Applied(
            state: try MarkedState(["b": Array(ids[..<cut]), "a": Array(ids[cut...])]),
            isAnimated: random.chance(0.3),
            id: id
        )
        // Each item has marks of one kind only, so that no mark overrules another.
        applied.reloaded = Set(ids.filter { $0 % 3 == 0 && random.chance(0.4) })
        applied.reconfigured = Set(ids.filter { $0 % 3 == 1 && random.chance(0.4) })
        if random.chance(0.15) { applied.reloadedSections = ["b"] }
        try applied.state.snapshot.reloadItems(applied.reloaded.sorted())
        try applied.state.snapshot.reconfigureItems(applied.reconfigured.sorted())
        try applied.state.snapshot.reloadSections(applied.reloadedSections.sorted())
        switch random.next(below: 8) {
        case 0: applied.reloads = true
        case 1: applied.state.lies = ids != [1, 2, 3, 4]
        case 2:
            applied.isTooLarge = true
            try applied.state.snapshot.appendItems(Array(20..<40))
        case 3: applied.isCancelled = true
        default: break
        }
        return applied
    }

    /// The newest valid state is shown with the marks of those before it; each state ends as
    /// expected.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func theNewestOfABurstReplacesTheOthers(_ substrate: Substrate) async throws {
        for seed in 1...UInt64(Effort.number(200, usually: 60)) {
            var random = SeededGenerator(seed: seed)
            let fault = try await fault(ofBurst: substrate, &random)
            #expect(fault == nil, "seed \(seed): \(fault ?? "")")
        }
    }

    private func fault(
        ofBurst substrate: Substrate,
        _ random: inout SeededGenerator
    ) async throws -> String? {
        let gate = Gate()
        defer { gate.open() }
        let (view, ends, recorder) = (RecordingView(), Journal<String>(), EventRecorder())
        let stage = substrate.makeStage(seed: random.next(), workerCount: 2)
        var configuration = PipelineConfiguration.unwatched
        configuration.limits.items = 15
        let board = Board(
            states: MarkedState.self,
            view: view,
            configuration: configuration,
            lane: stage.lane,
            environment: stage.environment,
            observer: recorder
        )
        try await board.apply(MarkedState(Self.base))
        // The state that is compared first is cancelled in some runs.
        var first = Applied(state: try MarkedState(Self.base, gate: gate), id: 2)
        first.isCancelled = random.chance(0.3)
        let comparing = start(first, board, Journal())
        await gate.reached()
        let count = 2 + random.next(below: 4)
        let burst = try (0..<count).map { try draw($0 + 3, &random) }
        var tasks: [Task<Void, Never>] = []
        for (number, applied) in burst.enumerated() {
            tasks.append(start(applied, board, ends))
            while await onMain(board, { $0.core.applier?.comparisons.count }) != number + 2 {
                await Task.yield()
            }
        }
        for (task, applied) in zip(tasks, burst) where applied.isCancelled { task.cancel() }
        await ends.values(count: burst.count { $0.isCancelled })
        let before = board.visibleMap
        if first.isCancelled { comparing.cancel() }
        gate.open()
        for task in tasks + [comparing] { await task.value }
        await board.settle()
        let (expected, shown) = expectation(burst)
        let found = ends.values.sorted()
        await board.close()
        guard found == expected.sorted() else { return "\(found), not \(expected.sorted())" }
        // The state that was compared first changes nothing.
        let updates = shown.isEmpty ? 1 : 2
        guard view.received.count == updates else { return "\(view.received.count) updates" }
        guard let target = shown.last, let update = view.received.values.last else { return nil }
        let isAnimated = shown.contains { $0.isAnimated || $0.reloads }
        guard update.isAnimated == isAnimated else { return "animation" }
        let reloads = shown.contains(where: \.reloads)
        guard update.changeSet.isReloadData == reloads else { return "reload" }
        // Tasks continue in any order.
        let order = recorder.events(.completed).compactMap(\.submission?.rawValue)
        guard order.filter(shown.map(\.id).contains) == shown.map(\.id) else { return "\(order)" }
        guard self.shown(board) == target.state.texts else { return "\(self.shown(board))" }
        return fault(of: shown, reloads, before, board.visibleMap)
    }

    private func start(_ applied: Applied, _ board: Board, _ ends: Journal<String>)
        -> Task<Void, Never>
    {
        Task {
            do throws(UpdateError) {
                let result =
                    applied.reloads
                    ? try await board.applyUsingReloadData(applied.state, callerContext: applied.id)
                    : try await board.apply(
                        applied.state,
                        animated: applied.isAnimated,
                        callerContext: applied.id
                    )
                ends.append("\(applied.id) \(result.text) \(result.callerContext as? Int ?? 0)")
            } catch {
                let code = error.hierarchyError?.code.rawValue ?? error.code.rawValue
                ends.append("\(applied.id) \(code) \(error.submission?.rawValue ?? 0)")
            }
        }
    }

    /// Returns the expected end of each state, and the shown states with the last one as the
    /// target.
    private func expectation(_ burst: [Applied]) -> (ends: [String], shown: [Applied]) {
        var left = burst.filter { !$0.isCancelled }
        var ends = burst.filter(\.isCancelled).map { "\($0.id) cancelled \($0.id)" }
        while let target = left.last {
            if target.isTooLarge {
                ends.append("\(target.id) tooManyItems \(target.id)")
            } else if target.state.lies {
                ends.append("\(target.id) invalidState \(target.id)")
            } else {
                ends += left.dropLast().map { "\($0.id) superseded(#\(target.id)) \($0.id)" }
                ends.append("\(target.id) deployed \(target.id)")
                return (ends, left)
            }
            left.removeLast()
        }
        return (ends, [])
    }

    private func fault(
        of shown: [Applied],
        _ reloads: Bool,
        _ before: ElementMap,
        _ after: ElementMap
    ) -> String? {
        let reloaded = shown.reduce(into: Set<Int>()) { $0.formUnion($1.reloaded) }
        let reconfigured = shown.reduce(into: Set<Int>()) { $0.formUnion($1.reconfigured) }
        let reloadsB = shown.contains { $0.reloadedSections == ["b"] }
        // A mark of a section covers the items that the section had in the marked state.
        let covered = shown.filter { !$0.reloadedSections.isEmpty }.reduce(into: Set<Int>()) {
            $0.formUnion((try? $1.state.snapshot.itemIdentifiers(inSection: "b")) ?? [])
        }
        for item in after.items {
            guard let id = item.content.model as? Int,
                let old = before.items.first(where: { $0.content.model as? Int == id })
            else { continue }
            // Section b was second and is now first.
            let wasInB = old.path.section == 1
            let isInB = item.path.section == 0
            if reloadsB, wasInB != isInB, isInB || !covered.contains(id) { continue }
            let isReloaded = reloaded.contains(id) || reloadsB && (isInB || covered.contains(id))
            let isKept = !reloads && !isReloaded
            guard (old.element === item.element) == isKept else { return "\(id) is kept or not" }
            guard isKept else { continue }
            guard (old.content != item.content) == reconfigured.contains(id) else {
                return "the content of \(id)"
            }
        }
        return nil
    }

    // MARK: Options

    @Test(arguments: Substrate.allCases, ValidationProfile.allCases)
    func statesAreComparedOnAWorkerWithTheControllersProfile(
        _ substrate: Substrate,
        _ profile: ValidationProfile
    ) async throws {
        let stage = substrate.makeStage()
        let other = ValidationProfile.allCases.first { $0 != profile } ?? .standard
        let board = board(
            stage,
            differences: DifferenceOptions(contentUpdates: .reload, profile: other)
        ) { $0.profile = profile }
        let compared = Journal<(old: HierarchyShape, options: DifferenceOptions, isWorker: Bool)>()
        for ids in [[1], [1, 2], [1, 2, 3]] {
            var state = try MarkedState(["a": ids])
            (state.compared, state.isWorker) = (compared, { stage.environment.isCurrentWorker })
            try await board.apply(state)
        }
        // The first state is compared with an empty one, and duplicates are rejected unless they
        // are allowed.
        let options = DifferenceOptions(
            duplicates: .reject,
            contentUpdates: .reload,
            profile: profile
        )
        #expect(compared.values.map(\.old) == [[], [1], [2]])
        #expect(compared.values.allSatisfy { $0.isWorker && $0.options == options })
        #expect(view.received.values.map(\.changeSet.isReloadData) == [true, false, false])
        #expect(view.received.values.allSatisfy { $0.isAnimated })
        #expect(view.inFlight.values == [true, false, true, false, true, false])
        // The stored state is the last accepted one, and its marks are done only once.
        var marked = await board.withDataSource { $0.state }
        try marked.snapshot.reloadItems([2])
        try await board.apply(marked)
        let left = await board.withDataSource { $0.state.snapshot }
        #expect(left.reloadedItemIdentifiers.isEmpty)
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func rowsDeployAsEditsAndNodes(_ substrate: Substrate) async throws {
        struct Row: Identifiable, Equatable {
            let id: Int
            var text = ""
        }
        typealias Rows = SectionedRows<String, Row>
        func rows(_ sections: (String, [Int])...) -> Rows {
            Rows(sections.map { ($0.0, $0.1.map { Row(id: $0) }) })
        }
        let (stage, book) = (substrate.makeStage(), NodeBook())
        func board(_ differences: DifferenceOptions) -> DataController<SnapshotDataSource<Rows>> {
            DataController(
                rows: Row.self,
                sections: String.self,
                configuration: .unwatched,
                differences: differences,
                lane: stage.lane,
                environment: stage.environment,
                makeNode: { TextNode("\($0.id)\($0.text)", book: book) }
            )
        }
        let twice: [(Rows, DifferenceError.Code)] = [
            (rows(("a", [1, 1])), .duplicateNewItem),
            (rows(("a", [1]), ("b", [2, 1])), .duplicateNewItem),
            (rows(("a", [1]), ("a", [2])), .duplicateNewSection),
        ]
        let lenient = board(DifferenceOptions(duplicates: .byOccurrence))
        for (state, _) in twice + twice { try await lenient.apply(state) }
        await lenient.close()
        for updates in [DifferenceOptions.ContentUpdates.reconfigure, .reload] {
            let board = board(DifferenceOptions(contentUpdates: updates))
            // The first load, a state with edits, and a reload.
            for turn in 0..<3 {
                for (state, code) in twice {
                    let error = await #expect(throws: UpdateError.self) {
                        _ =
                            turn == 2
                            ? try await board.applyUsingReloadData(state)
                            : try await board.apply(state)
                    }
                    #expect(error?.code == .invalidState && board.divergence == nil)
                    #expect((error?.underlyingError as? DifferenceError)?.code == code)
                }
                try await board.apply(rows(("a", [1, 2, 3, 4]), ("b", [5])))
            }
            let before = board.visibleMap
            func next(_ text: String) -> Rows {
                let kept = rows(("b", [5, 3]), ("a", [4, 1, 2])).rows
                return Rows([("b", kept[0]), ("a", kept[1] + [Row(id: 9, text: text)])])
            }
            try await board.apply(next("x"))
            #expect(board.visibleMap.nodeTexts == [["5", "3"], ["4", "1", "2", "9x"]])
            #expect(board.visibleMap.items.count { before.path(of: $0.element) != nil } == 5)
            let element = board.visibleMap.element(at: ItemPath(1, 3))
            try await board.apply(next("y"))
            #expect(board.visibleMap.nodeTexts[1] == ["4", "1", "2", "9y"])
            let isKept = board.visibleMap.element(at: ItemPath(1, 3)) === element
            #expect(isKept == (updates == .reconfigure))
            await board.close()
        }
    }

    // MARK: Waiting and cancelling

    /// A state is watched and reported while it is compared; then it waits for a batch and for
    /// capacity like other submissions.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func waitsOfAStateAreReportedUntilItIsSubmitted(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let anyIDs = DifferenceOptions(duplicates: .byOccurrence)
        let board = board(substrate.makeStage(workerCount: 1), differences: anyIDs) {
            $0.stallTimeout = .milliseconds(50)
            $0.backlogLimit = 1
        }
        try await board.apply(MarkedState(["a": [1]]))
        board.apply(try MarkedState(["a": [2]], gate: gate)) { _ in }
        await gate.reached()
        board.apply(try MarkedState(["a": [3]])) { _ in }
        board.apply(try MarkedState(["a": [4]])) { _ in }
        let waiting = await board.report().details?.waiting ?? []
        #expect(waiting.map(\.submission.rawValue) == [2, 3, 4])
        #expect(waiting.allSatisfy { $0.wait == .comparing && $0.duration != nil })
        func stalls(_ kind: PipelineEvent.Kind) -> [Stall] {
            events.events(kind).compactMap(\.stall).filter { $0.wait == .comparing }
        }
        while stalls(.stalled).isEmpty { await Task.yield() }
        #expect(stalls(.stalled).map(\.submission?.rawValue) == [2])
        await onMain(board) { [view] _ in view.mode = .onDemand }
        gate.open()
        while stalls(.stallEnded).isEmpty { await Task.yield() }
        await view.received.values(count: 2)
        // The reload replaces both states and waits for capacity, so no comparison is in progress.
        await events.wait(for: .suspended)
        let later = Task { try await board.apply(MarkedState(["a": [5]])) }
        while await onMain(board, { $0.core.applier?.comparisons.count }) != 1 {
            await Task.yield()
        }
        #expect(await onMain(board) { $0.core.applier?.comparison == nil })
        later.cancel()
        let result = await later.result
        let error = #expect(throws: UpdateError.self) { try result.get() }
        #expect(error?.code == .cancelled && error?.submission?.rawValue == 5)
        await onMain(board) { [view] _ in view.catchUp() }
        await board.settle()
        #expect(shown(board) == [[4]] && stalls(.stalled).count == 1)
        await board.close()
    }

    /// Covers an open batch, before the first load and after it.
    @Test(arguments: Substrate.allCases)
    func aCloseRejectsUnsubmittedStatesBeforeItsCallback(
        _ substrate: Substrate
    ) async throws {
        for isLoaded in [false, true] {
            let (board, journal) = (board(substrate.makeStage()), Journal<String>())
            if isLoaded { try await board.apply(MarkedState(["a": [1]])) }
            try await onMain(board) { try $0.assumeIsolated().beginUpdates() }
            for count in 0..<5 {
                board.apply(try MarkedState(["a": Array(0...count)])) { result in
                    journal.append(result.text)
                }
            }
            board.close { journal.append("the end") }
            let all = await journal.values(count: 6)
            #expect(all == Array(repeating: "rejected(closed)", count: 5) + ["the end"])
            await #expect(throws: UpdateError.self) { try await board.apply(MarkedState()) }
        }
    }

    /// Records where it is released.
    private final class Baggage: Sendable {
        private let (endings, stage): (Journal<CallPlace>, Stage)
        init(_ endings: Journal<CallPlace>, _ stage: Stage) {
            (self.endings, self.stage) = (endings, stage)
        }
        deinit { endings.append(stage.currentPlace) }
    }

    @Test(arguments: Substrate.allCases, [true, false])
    func largeStatesAreReleasedOffTheMainLane(
        _ substrate: Substrate,
        _ shrinks: Bool
    ) async throws {
        let (stage, endings) = (substrate.makeStage(), Journal<CallPlace>())
        let board = board(stage)
        func state(_ count: Int, lies: Bool = false) throws -> MarkedState {
            var state = try MarkedState(["a": Array(0..<count)])
            state.lies = lies
            state.baggage = Baggage(endings, stage)
            return state
        }
        try await board.apply(state(shrinks ? 5000 : 1))
        // The caller has released it too, on its own thread.
        await board.settle()
        try await board.apply(state(shrinks ? 1 : 5000))
        #expect(await endings.values(count: 1).count == 1)
        // A rejected one too.
        board.apply(try state(5000, lies: true)) { _ in }
        let places = await endings.values(count: 2)
        #expect(places.count == 2 && !places.contains(.mainLane))
        await board.close()
    }

    // MARK: Headers

    private struct Chapter: Identifiable, Equatable {
        let id: Int
        var title = ""
    }

    private struct Line: Identifiable, Equatable {
        let id: Int
        var text = ""
    }

    /// The header of a section that stays is kept while its value is equal, and made again if the
    /// value changes; it moves with its section. An equal state makes no new map.
    @Test(arguments: Substrate.allCases)
    func headersAreKeptAndMadeAgainLikeRows(_ substrate: Substrate) async throws {
        typealias Chapters = SectionedRows<Chapter, Line>
        let (stage, book) = (substrate.makeStage(), NodeBook())
        let board = DataController(
            rows: Line.self,
            sections: Chapter.self,
            configuration: .unwatched,
            lane: stage.lane,
            environment: stage.environment,
            makeNode: { TextNode($0.text, book: book) },
            header: { TextNode($0.title, book: book) }
        )
        func header(_ section: Int) -> CollectionElement? {
            board.visibleMap.supplementary(ofKind: .header, at: ItemPath(section, 0))
        }
        var random = SeededGenerator(seed: 7)
        var (chapters, kept, others, same) = ([Chapter](), 0, 0, 0)
        for round in 0..<60 {
            let headers = chapters.indices.map { header($0) }
            let (old, generation) = (chapters, board.visibleMap.generation)
            if round % 4 > 0 {
                let ids = (0..<6).filter { _ in random.chance(0.7) }.shuffled(using: &random)
                chapters = ids.map { id in Chapter(id: id, title: "\(random.next(below: 2))") }
            }
            let state = Chapters(
                chapters.map { chapter in
                    (chapter, (0..<(chapter.id % 3)).map { Line(id: chapter.id * 10 + $0) })
                }
            )
            let result = try await board.apply(state)
            #expect(result.generation == board.visibleMap.generation)
            if chapters == old, round > 0 {
                #expect(board.visibleMap.generation == generation)
                same += 1
            }
            for (section, chapter) in chapters.enumerated() {
                let node = try await header(section)?.node as? TextNode
                #expect(node?.text == chapter.title)
                guard let index = old.firstIndex(where: { $0.id == chapter.id }) else { continue }
                let isKept = headers[index] === header(section)
                #expect(isKept == (old[index] == chapter))
                if isKept { kept += 1 } else { others += 1 }
            }
        }
        #expect(kept > 30 && others > 30 && same > 10)
        await board.close()
    }

    /// Sections are identified by themselves or by their `id`.
    @Test func sectionsAreIdentifiedByValueOrID() throws {
        struct Both: Identifiable, Hashable {
            let id: Int
            var title: String
        }
        func removals<Section>(
            _ old: SectionedRows<Section, Line>,
            _ new: SectionedRows<Section, Line>
        ) throws -> Int {
            let update = try new.changes(from: old, options: DifferenceOptions()) { false }
            return update.sectionRemovals.count
        }
        let rows = [Line(id: 1)]
        #expect(try removals(.init([("a", rows)]), .init([("b", rows)])) == 1)
        #expect(try removals(.init([("a", rows)]), .init([("a", rows)])) == 0)
        for (other, count) in [(Chapter(id: 1, title: "b"), 0), (Chapter(id: 2), 1)] {
            #expect(try removals(.init([(Chapter(id: 1), rows)]), .init([(other, rows)])) == count)
        }
        let (one, two) = (Both(id: 1, title: "a"), Both(id: 1, title: "b"))
        #expect(try removals(.init([(one, rows)]), .init([(two, rows)])) == 0)
    }

    /// A state that changes nothing completes together with the submissions accepted before it,
    /// whatever their outcome, and never before the view shows it.
    @Test(arguments: Substrate.threaded)
    func manyCallersOfOneStateCompleteOnceEach(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let board = self.board(stage)
        try await board.apply(try MarkedState(Self.base))
        let ends = Journal<UpdateResult>()
        let next = try (0..<3).map { try MarkedState(["a": [1, 2, 3, $0 + 10], "b": [5]]) }
        try await withThrowingTaskGroup { group in
            for caller in 0..<24 {
                group.addTask { ends.append(try await board.apply(next[caller / 8])) }
            }
            try await group.waitForAll()
        }
        #expect(ends.values.count == 24)
        #expect(Set(ends.values.map(\.submission)).count == 24)
        #expect(ends.values.allSatisfy { $0.generation! <= board.visibleMap.generation })
        let generation = board.visibleMap.generation
        #expect(generation <= 25)
        let left = await board.withDataSource { $0.state }
        let results = try await [board.apply(left), board.apply(left)]
        #expect(results.map(\.generation) == [generation, generation])
        await board.close()
    }
}

extension MarkedState {
    fileprivate var texts: [[Int]] {
        shape.itemCounts.enumerated().map { models(at: 0..<$1, inSection: $0) }
    }
}
