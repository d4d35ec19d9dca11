import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// What the checks of a board find in updates that nobody would send, and what its states are made of.
@Suite("What the checks of a board find in forged updates", .endsHangs)
struct ForgedBoardTests {
    /// Applies a state for each seed, all before the first is shown.
    private static func applyAtOnce(_ seeds: Range<UInt64>, to shown: ShownBoard) {
        for seed in seeds {
            Task(executorPreference: LaneTaskExecutor(shown.run.lane)) { [board = shown.board] in
                _ = try? await board.apply(seed)
            }
        }
        shown.run.simulation.run()
    }

    @Test func whatItsViewReportsIsNotedAsOfTheBoard() {
        let shown = ShownBoard()
        shown.view.report("went wrong", "Never Re-entrant")
        #expect(shown.noted == ["Never Re-entrant: board: went wrong"])
        shown.finish()
    }

    /// From here on what is shown starts from another map.
    private static func forge(
        _ shown: ShownBoard,
        from oldMap: @escaping (ViewUpdate) -> ElementMap?
    ) {
        let check = shown.view.willShow
        shown.view.willShow = { [unowned shown] update in
            check(oldMap(update).map { shown.forged(update, from: $0) } ?? update)
        }
    }

    /// The first state that is shown counts as any other does.
    @Test func elementsThatAreOthersThanThoseOfTheFirstStateAreNoted() {
        var count = 0
        for seed: UInt64 in 0..<40 {
            let (shown, twin) = (ShownBoard(), ShownBoard())
            for board in [shown, twin] { board.apply(seed) }
            Self.forge(shown) { _ in twin.updates.last?.oldMap }
            for board in [twin, shown] { board.apply(seed + 1_000) }
            shown.finish()
            twin.finish()
            let applied = shown.board.applied
            guard shown.updates.count == 2, !shown.updates[1].changeSet.isReloadData,
                applied.map(\.submission) == shown.updates.map(\.submission),
                case .deployed? = applied[0].outcome, case .deployed? = applied[1].outcome
            else { continue }
            let old = Set(ShownBoard.contents(of: shown.updates[1].oldMap).joined())
            let marked = Set(applied.flatMap { $0.state.snapshot.reloadedItemIdentifiers })
            let items = ShownBoard.contents(of: shown.updates[1].newMap).joined()
            let expected = items.filter { old.contains($0) && !marked.contains($0) }.map {
                "Identity Kept: board: item \($0) of state 1 is another element"
            }
            #expect(shown.noted.sorted() == expected.sorted())
            count += expected.count
        }
        #expect(count > 5, "\(count)")
    }

    /// What is to be reloaded is another element then, also where that is by a state that was superseded.
    @Test func anElementThatWasToBeReloadedAndIsTheSameIsNoted() {
        var (own, superseded) = (0, 0)
        for start: UInt64 in stride(from: 0, to: 160, by: 4) {
            let shown = ShownBoard()
            shown.apply(start)
            let isLoaded = shown.updates.count == 1
            // Nothing is another element, whatever is to be reloaded.
            Self.forge(shown) { $0.newMap }
            Self.applyAtOnce(start + 1..<start + 4, to: shown)
            shown.finish()
            let applied = shown.board.applied
            guard isLoaded, case .deployed? = applied[0].outcome else { continue }
            var expected: [String] = []
            for update in shown.updates.dropFirst() where !update.changeSet.isReloadData {
                let index = applied.firstIndex { $0.submission == update.submission }
                guard let index, case .deployed? = applied[index].outcome else { continue }
                let ownMarks = applied[index].state.snapshot.reloadedItemIdentifiers
                var marks = Set(ownMarks)
                for applied in applied {
                    guard case .superseded(by: update.submission)? = applied.outcome
                    else { continue }
                    marks.formUnion(applied.state.snapshot.reloadedItemIdentifiers)
                }
                for item in ShownBoard.contents(of: update.newMap).joined()
                where marks.contains(item) {
                    let text = "item \(item) of state \(index) was not reloaded"
                    expected.append("Consistent Snapshot: board: \(text)")
                    if ownMarks.contains(item) { own += 1 } else { superseded += 1 }
                }
            }
            #expect(shown.noted.sorted() == expected.sorted())
        }
        #expect(own > 3 && superseded > 0, "\(own) and \(superseded)")
    }

    // MARK: States

    @Test func aStateOfNothingLacksNothing() {
        let state = SimulatedBoardState()
        #expect(!state.isShort && state.snapshot == SimulatedBoardState.Snapshot())
        #expect(!state.accepted.isShort && state.shape == .empty)
    }

    /// A section that is added has a number of its own from six on, and none that is there is added again.
    @Test func sectionsThatAreAddedAreOthers() {
        let shown = ShownBoard()
        var (most, added): (Int, Set<Int>) = (0, [])
        for seed: UInt64 in 0..<60 where most < 3 {
            shown.apply(seed)
            let sections = shown.board.applied.last?.state.snapshot.sectionIdentifiers ?? []
            most = sections.count { $0 > 5 }
        }
        #expect(most >= 3)
        // The seeds of those that are there draw the same numbers again.
        for seed: UInt64 in 0..<1_500 {
            var random = SeededGenerator(seed: seed)
            let state = shown.board.nextState(&random).snapshot
            added.formUnion(state.sectionIdentifiers.filter { !(0..<6).contains($0) })
        }
        #expect(added.count > 100 && added.allSatisfy { (6..<1_006).contains($0) })
        #expect(shown.noted == [])
        shown.finish()
    }
}
