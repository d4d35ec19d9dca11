import PipelineTestSupport
import SimulatedView
import Testing

/// Passes updates on to a view whose turns are those of a lane of the test's own, and keeps them.
private final class SteppedView: CollectionView, @unchecked Sendable {
    // Unchecked: used on the main lane of its controller only.
    let view = SimulatedCollectionView(size: Size(width: 10, height: 5))
    let lane = ManualLane()
    private let first: Int
    private(set) var updates: [ViewUpdate] = []

    /// - Parameter first: the number of the first update that is not lost on the way.
    init(first: Int) { self.first = first }

    func attach(to lane: any Lane) {}

    var elementSizeRange: SizeRange { view.elementSizeRange }

    var firstVisiblePath: ItemPath? { view.firstVisiblePath }

    func perform(_ update: ViewUpdate) {
        guard update.submission.rawValue >= first else { return }
        updates.append(update)
        view.perform(update)
    }
}

/// A controller over texts whose view takes a turn only where the test says.
private struct SteppedList: Sendable {
    let stepped: SteppedView
    let controller: TextController

    init(_ sections: [TextDataSource.Section], first: Int = 1) async throws {
        stepped = SteppedView(first: first)
        controller = Substrate.dispatch.makeStage().makeController(
            TextDataSource(sections),
            view: stepped
        )
    }

    /// Attaches the view, and loads it in a turn.
    func load() async throws {
        try await onMain {
            stepped.view.attach(to: stepped.lane)
            try $0.assumeIsolated().reloadData(animated: false, completion: nil)
        }
        await controller.reached(.handedOver)
    }

    @discardableResult
    func onMain<Result: Sendable>(
        _ body: @escaping @Sendable (TextController) throws -> Result
    ) async throws -> Result {
        try await PipelineTestSupport.onMain(controller) { try body($0) }
    }

    /// Submits, and returns when the view has the update.
    func append(_ text: String, animated isAnimated: Bool = false) async throws {
        try await onMain {
            try $0.assumeIsolated().performBatchUpdates(
                animated: isAnimated,
                { $0.append(text, &$1) },
                completion: nil
            )
        }
        await controller.reached(.handedOver)
    }

    /// What the next piece of work of the view's lane does to updates.
    func turn() async throws -> [String] {
        try await onMain { _ in
            stepped.view.clearEventLog()
            stepped.lane.runOne()
            return stepped.view.eventLog.map(\.description).filter { line in
                ["reloaded", "applied", "refused", "dropped", "finished", "postponed"]
                    .contains { line.hasPrefix($0) }
            }
        }
    }

    func count() async throws -> Int { try await onMain { _ in stepped.lane.count } }
}

@Suite("Turns of a view", .endsHangs)
struct ViewTurnTests {
    @Test func aTurnTakesUpOneUpdateAndAnAnimationLastsATurnMore() async throws {
        let list = try await SteppedList([["a"]])
        try await list.load()
        #expect(try await list.turn() == ["reloaded #1", "finished #1"])
        for (text, isAnimated) in [("b", false), ("c", true), ("d", false)] {
            try await list.append(text, animated: isAnimated)
        }
        #expect(try await list.count() == 1)
        #expect(try await list.turn() == ["applied #2: -0 +1 ~0", "finished #2"])
        #expect(try await list.turn() == ["applied #3: -0 +1 ~0"])
        #expect(try await !list.onMain { $0.assumeIsolated().isSynchronized })
        #expect(try await list.turn() == ["finished #3"])
        #expect(try await list.turn() == ["applied #4: -0 +1 ~0", "finished #4"])
        #expect(try await list.count() == 0)
        #expect(
            try await list.onMain { $0.assumeIsolated().isSynchronized },
            "though the updates are still kept"
        )
        await list.controller.close()
    }

    @Test func aBusyViewTakesUpNothingAndDoesNotAskForTurnsMeanwhile() async throws {
        let list = try await SteppedList([["a"]])
        try await list.load()
        _ = try await list.turn()
        try await list.onMain { _ in list.stepped.view.beginBusy() }
        for (number, text) in [(1, "b"), (2, "c")] {
            try await list.append(text)
            #expect(try await list.turn() == ["postponed, \(number) waiting"])
            #expect(try await list.count() == 0)
        }
        try await list.onMain { _ in
            #expect(list.stepped.view.numberOfWaitingUpdates == 2)
            list.stepped.view.endBusy()
        }
        #expect(try await list.turn() == ["applied #2: -0 +1 ~0", "finished #2"])
        #expect(try await list.turn() == ["applied #3: -0 +1 ~0", "finished #3"])
        #expect(try await list.count() == 0)
        await list.controller.close()
    }

    @Test func anUpdateThatIsCancelledWhileItWaitsIsDropped() async throws {
        let list = try await SteppedList([["a"]])
        try await list.load()
        _ = try await list.turn()
        try await list.append("b")
        await list.controller.close(draining: false)
        #expect(try await list.turn() == ["dropped #2"])
        #expect(try await list.onMain { _ in list.stepped.view.numberOfItems(inSection: 0) } == 1)
    }

    @Test func editsOfSectionsAreCountedBesideThoseOfItems() async throws {
        let list = try await SteppedList([["a", "b"], ["c"]])
        try await list.load()
        _ = try await list.turn()
        try await list.onMain {
            try $0.assumeIsolated().performBatchUpdates(
                animated: false,
                { source, changes in
                    source.sections = [["a", "x"], ["y"], []]
                    changes.deleteItems(at: [ItemPath(0, 1)])
                    changes.insertItems(at: [ItemPath(0, 1)])
                    changes.deleteSections([1])
                    changes.insertSections([1, 2])
                },
                completion: nil
            )
        }
        await list.controller.reached(.handedOver)
        #expect(try await list.turn() == ["applied #2: -2 +3 ~0", "finished #2"])
        await list.controller.close()
    }

    @Test func ofSeveralItemsInSightTheFirstIsTheFirstVisible() async throws {
        let list = try await SteppedList([.init((0..<10).map { "\($0)" })])
        try await list.load()
        _ = try await list.turn()
        let paths = try await list.onMain { _ in
            [0.0, 2, 1.5].map { distance in
                list.stepped.view.scroll(by: distance)
                list.stepped.view.layoutIfNeeded()
                return list.stepped.view.firstVisiblePath
            }
        }
        #expect(paths == [ItemPath(0, 0), ItemPath(0, 2), ItemPath(0, 3)])
        await list.controller.close()
    }

    /// The reload that would have made it the pipeline's was lost.
    @Test func anUpdateOfAPipelineIsRefusedByAViewThatADataSourceOfViewsFills() async throws {
        let list = try await SteppedList([["a"]], first: 2)
        let messages = try await list.onMain { controller in
            let (view, source) = (list.stepped.view, RowSource([["x"]]))
            try view.register(TextCell.self, forCellWithReuseIdentifier: "row")
            let adapter = DataSourceAdapter(
                dataSource: source,
                view: view,
                lane: list.stepped.lane
            )
            list.stepped.lane.run()
            try controller.assumeIsolated().reloadData(animated: false, completion: nil)
            return withExtendedLifetime((adapter, source)) { view.errors.map(\.message) }
        }
        #expect(messages == [])
        await list.controller.reached(.handedOver)
        try await list.append("b")
        let refusals = try await list.onMain { _ in
            list.stepped.view.clearEventLog()
            list.stepped.lane.runOne()
            return list.stepped.view.eventLog.compactMap { event -> String? in
                if case .refused(_, let refusal) = event {
                    "\(refusal.code.rawValue): \(refusal.message)"
                } else {
                    nil
                }
            }
        }
        #expect(refusals == ["wrongBase: The view is filled by a data source of views"])
        await list.controller.close(draining: false)
    }

    // MARK: Without updates

    @Test func aViewIsBusyUntilEveryBeginningHasItsEnd() {
        var random = SeededGenerator(seed: 1)
        let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
        var (depth, expected) = (0, [String]())
        for _ in 0..<300 {
            if depth == 0 || random.isTrue(oneIn: 2) {
                depth += 1
                if depth == 1 { expected.append("busy") }
                view.beginBusy()
            } else {
                depth -= 1
                if depth == 0 { expected.append("idle") }
                view.endBusy()
            }
            #expect(view.isBusy == (depth > 0))
        }
        #expect(view.eventLog.map(\.description) == expected)
    }

    @Test func aBusyViewIsLaidOutAndSaysNothingOfUpdatesWhereNoneWait() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.view.beginBusy()
        bench.view.scroll(by: 40)
        bench.lane.run()
        #expect(bench.rows == ["0: 4", "10: 5", "20: 6"] && bench.log("postponed") == [])
        bench.view.endBusy()
        #expect(bench.lane.count == 1)
        bench.lane.runOne()
        #expect(bench.lane.count == 0)
    }

    @Test func anyNumberOfChangesLeadToOneTurn() throws {
        let bench = try Bench([texts(30)])
        #expect(bench.lane.count == 1)
        bench.load()
        for _ in 0..<5 {
            bench.view.setNeedsLayout()
            bench.view.contentOffset.y += 3
            bench.layout.invalidateLayout()
        }
        #expect(bench.lane.count == 1)
        bench.lane.runOne()
        #expect(bench.lane.count == 0 && bench.view.contentOffset.y == 15)
        bench.check()
    }

    @Test func whatATurnInvalidatesIsLaidOutInThatTurn() throws {
        let bench = try Bench([texts(30)])
        bench.layout.takesWishes = true
        bench.source.wishes = { _ in 14 }
        bench.lane.runOne()
        #expect(bench.rows == ["0: 0", "14: 1", "28: 2"] && bench.lane.count == 0)
        bench.check()
    }

    /// Told of at the end of the pass.
    @Test func whatIsInvalidatedWhenATurnIsAllButOverIsLaidOutInTheNext() throws {
        final class Reducing: CollectionViewDelegate {
            func collectionView(
                _ collectionView: SimulatedCollectionView,
                didMeet error: ViewError
            ) {
                (collectionView.collectionViewLayout as? RowLayout)?.rowHeight = 15
                collectionView.collectionViewLayout.invalidateLayout()
            }
        }
        let bench = try Bench([texts(30)])
        let delegate = Reducing()
        defer { withExtendedLifetime(delegate) {} }
        bench.view.delegate = delegate
        bench.source.madeCell = { view, path in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            if path.item > 0 { return cell }
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        }
        bench.lane.runOne()
        #expect(bench.view.errors.map(\.code) == [.notReturned])
        #expect(bench.view.visibleCells.count == 3 && bench.lane.count == 1)
        bench.lane.runOne()
        #expect(bench.view.visibleCells.count == 2 && bench.lane.count == 0)
    }
}
