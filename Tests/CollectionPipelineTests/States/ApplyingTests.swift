import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Applying states", .endsHangs)
struct ApplyingTests {
    struct Row: Identifiable, Equatable {
        let id: Int
        var text = ""
    }

    typealias Rows = SectionedRows<String, Row>
    typealias Board = DataController<SnapshotDataSource<Rows>>

    static func rows(_ sections: (String, [Int])...) -> Rows {
        Rows(sections.map { ($0.0, $0.1.map { Row(id: $0) }) })
    }

    private func board(
        _ substrate: Substrate,
        view: (any CollectionView)? = nil,
        options: DifferenceOptions = DifferenceOptions(),
        limits: ShapeLimits = ShapeLimits(),
        makeNode: (@Sendable (Row) throws -> any CollectionNode)? = nil
    ) -> Board {
        let stage = substrate.makeStage()
        var configuration = PipelineConfiguration.unwatched
        configuration.limits = limits
        return Board(
            states: Rows.self,
            view: view,
            configuration: configuration,
            differences: options,
            lane: stage.lane,
            environment: stage.environment,
            makeNode: makeNode
        )
    }

    private func shown(_ board: Board) -> [[Int]] {
        var ids = Array(repeating: [Int](), count: board.visibleMap.numberOfSections)
        for item in board.visibleMap.items {
            ids[item.path.section].append((item.content.model as? Row)?.id ?? -1)
        }
        return ids
    }

    @Test(arguments: Substrate.allCases)
    func theFirstStateIsTheFirstLoad(_ substrate: Substrate) async throws {
        let view = RecordingView()
        let board = board(substrate, view: view)
        let result = try await board.apply(Self.rows(("a", [1, 2]), ("b", [])))
        #expect(result.outcome.text == "deployed")
        #expect(shown(board) == [[1, 2], []])
        #expect(view.received.values.map(\.changeSet.isReloadData) == [true])
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func aStateIsShownByItsEditsWithItemsKept(_ substrate: Substrate) async throws {
        let view = RecordingView()
        let board = board(substrate, view: view)
        try await board.apply(Self.rows(("a", [1, 2, 3, 4]), ("b", [5])))
        let before = board.visibleMap
        try await board.apply(Self.rows(("b", [5, 3]), ("a", [4, 1, 2, 9])))
        #expect(shown(board) == [[5, 3], [4, 1, 2, 9]])
        let kept = board.visibleMap.items.filter { item in
            before.items.contains { $0.element === item.element }
        }
        #expect(kept.count == 5)
        let update = try #require(view.received.values.last?.changeSet)
        #expect(!update.isReloadData)
        #expect(update.itemRemovals.map(\.role) == [.move, .move])
        #expect(update.sectionRemovals.map(\.role) == [.move])
        #expect(update.itemInsertions.count { $0.role == .insert } == 1)
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func newContentsOfARowReconfigureItOrReloadIt(_ substrate: Substrate) async throws {
        for updates in [DifferenceOptions.ContentUpdates.reconfigure, .reload] {
            let board = board(substrate, options: DifferenceOptions(contentUpdates: updates))
            try await board.apply(Rows([("a", [Row(id: 1, text: "x"), Row(id: 2, text: "y")])]))
            let before = board.visibleMap.element(at: ItemPath(0, 1))
            try await board.apply(Rows([("a", [Row(id: 1, text: "x"), Row(id: 2, text: "z")])]))
            let after = board.visibleMap
            let models = after.items.map { ($0.content.model as? Row)?.text }
            #expect(models == ["x", "z"])
            #expect((after.element(at: ItemPath(0, 1)) === before) == (updates == .reconfigure))
            await board.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func rowsHaveTheNodesThatTheFunctionMakes(_ substrate: Substrate) async throws {
        let book = NodeBook()
        let board = board(substrate, makeNode: { TextNode("row \($0.id)", book: book) })
        try await board.apply(Self.rows(("a", [1])))
        try await board.apply(Self.rows(("a", [1, 2])))
        #expect(board.visibleMap.nodeTexts == [["row 1", "row 2"]])
        await board.close()
    }

    /// The newest always is shown at last, every call completes, and in the order of the calls.
    @Test(arguments: Substrate.allCases)
    func manyStatesEndWithTheNewestAndEachCompletes(_ substrate: Substrate) async throws {
        let board = board(substrate)
        let outcomes = Journal<String>()
        for count in 0..<50 {
            board.apply(Self.rows(("a", Array(0...count)))) { result in
                outcomes.append("\(result.submission.rawValue) \(result.outcome.text)")
            }
        }
        await board.reached(.completed)
        #expect(shown(board) == [Array(0...49)])
        let values = outcomes.values
        #expect(values.count == 50)
        #expect(values.map { Int($0.prefix { $0 != " " }) } == (1...50).map { $0 })
        #expect(values.last == "50 deployed")
        await board.close()
    }

    @Test(arguments: Substrate.threaded)
    func whatComesWhileAnotherIsComparedIsSupersededByTheNewest(
        _ substrate: Substrate
    ) async throws {
        let gate = Gate()
        let stage = substrate.makeStage()
        let board = DataController(
            states: OddState.self,
            configuration: .unwatched,
            lane: stage.lane,
            environment: stage.environment
        )
        try await board.apply(OddState(1))
        let outcomes = Journal<String>()
        for count in 2...5 {
            board.apply(OddState(count, gate: count == 2 ? gate : nil)) { result in
                outcomes.append(result.outcome.text)
            }
        }
        // All have come to the main lane.
        _ = await board.withIsolated { _ in }
        gate.open()
        await board.reached(.completed)
        #expect(
            outcomes.values
                == ["deployed", "superseded(#5)", "superseded(#5)", "deployed"]
        )
        #expect(board.visibleMap.shape == [5])
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func aStateThatCannotBeComparedIsRejectedAlone(_ substrate: Substrate) async throws {
        let options = DifferenceOptions(duplicates: .refuse)
        let board = board(substrate, options: options)
        try await board.apply(Self.rows(("a", [1])))
        do throws(UpdateError) {
            try await board.apply(Self.rows(("a", [1, 2, 2])))
            Issue.record("a duplicate was taken")
        } catch {
            #expect(error.code == .invalidState)
            #expect((error.underlyingError as? DifferenceError)?.code == .duplicateNewItem)
        }
        #expect(board.divergence == nil)
        try await board.apply(Self.rows(("a", [2, 1])))
        #expect(shown(board) == [[2, 1]])
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func aStateBeyondTheLimitsIsRejectedAndNothingDiverges(_ substrate: Substrate) async throws {
        let board = board(substrate, limits: ShapeLimits(sections: 2, items: 3))
        try await board.apply(Self.rows(("a", [1, 2])))
        await #expect(throws: UpdateError.self) {
            try await board.apply(Self.rows(("a", [1, 2, 3, 4])))
        }
        #expect(board.divergence == nil && shown(board) == [[1, 2]])
        try await board.apply(Self.rows(("a", [1, 2, 3])))
        #expect(shown(board) == [[1, 2, 3]])
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func reloadDataReplacesEverything(_ substrate: Substrate) async throws {
        let view = RecordingView()
        let board = board(substrate, view: view)
        try await board.apply(Self.rows(("a", [1])))
        try await board.applyUsingReloadData(Self.rows(("a", [1, 2])))
        #expect(view.received.values.map(\.changeSet.isReloadData) == [true, true])
        #expect(shown(board) == [[1, 2]])
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatIsNotSubmittedWhenTheControllerClosesIsRejectedBeforeTheLastCallback(
        _ substrate: Substrate
    ) async throws {
        let board = board(substrate)
        try await board.apply(Self.rows(("a", [1])))
        let journal = Journal<String>()
        for count in 0..<10 {
            board.apply(Self.rows(("a", Array(0...count)))) { result in
                if case .rejected(let error) = result.outcome {
                    journal.append(error.code.rawValue)
                } else {
                    journal.append("other")
                }
            }
        }
        board.close { journal.append("the end") }
        await journal.values(count: 11)
        #expect(journal.values.last == "the end")
        await #expect(throws: UpdateError.self) { try await board.apply(Self.rows()) }
    }

    @Test(arguments: Substrate.allCases)
    func aCancelledTaskIsNotShown(_ substrate: Substrate) async throws {
        let board = board(substrate)
        try await board.apply(Self.rows(("a", [1])))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await board.apply(Self.rows(("a", [2])))
        }
        await #expect(throws: UpdateError.self) { try await task.value }
        #expect(shown(board) == [[1]])
        try await board.apply(Self.rows(("a", [3])))
        #expect(shown(board) == [[3]])
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatIsNotEditedKeepsItsCounts(_ substrate: Substrate) async throws {
        let board = board(substrate)
        let many = (0..<20).map { ("\($0)", [Row(id: $0)]) }
        try await board.apply(Rows(many))
        var fewer = Array(many.dropFirst())
        fewer[6].1.append(Row(id: 99))
        try await board.apply(Rows(fewer))
        #expect(board.visibleMap.shape == HierarchyShape((1..<20).map { $0 == 7 ? 2 : 1 }))
        await board.close()
    }
}
