import CollectionElements
import CollectionSnapshots
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// What is said of a second list that is told states, where it shows them and where it does not.
@Suite("What the checks of a board find", .endsHangs)
struct SimulatedBoardTests {
    private static func shown(_ seeds: Range<UInt64>) -> ShownBoard {
        let shown = ShownBoard()
        for seed in seeds { shown.apply(seed) }
        return shown
    }

    @Test func aBoardThatIsLeftAloneBreaksNothing() {
        for start: UInt64 in stride(from: 0, to: 100, by: 10) {
            let shown = Self.shown(start..<start + 10)
            #expect(shown.board.applied.allSatisfy { $0.outcome != nil })
            #expect(shown.view.visibleGeneration() == shown.controller.visibleMap.generation)
            #expect(shown.view.visibleGeneration() > 0)
            shown.board.checkAtRest()
            shown.finish()
            #expect(shown.noted == [])
        }
    }

    @Test func aCloseThatDoesNotEndIsNoted() {
        let shown = ShownBoard()
        shown.board.checkClosed()
        #expect(shown.noted == ["Quiet After Close: board: the close did not end"])
        shown.finish()
        #expect(shown.noted == [])
    }

    @Test func aStateThatIsShownAfterALaterOneIsNoted() throws {
        let shown = Self.shown(0..<6)
        let first = try #require(shown.updates.first)
        shown.show(first)
        shown.finish()
        let found = shown.noted
        let text = "Ordered Commits: board: state "
        #expect(found.count { $0.hasPrefix(text) } == 1, "\(found)")
        #expect(found.first?.contains(" came after ") == true)
    }

    @Test func aStateThatIsShownAgainIsInOrder() throws {
        let shown = Self.shown(0..<6)
        let last = try #require(shown.updates.last)
        shown.show(last)
        shown.finish()
        #expect(shown.noted == [])
    }

    /// What is in both maps is one element: here the same update comes again, from a map with other elements, and
    /// again in the midst of the others.
    @Test func anElementThatIsAnotherIsNoted() {
        var count = 0
        for start: UInt64 in stride(from: 0, to: 60, by: 6) {
            let twin = Self.shown(start..<start + 6)
            let shown = Self.shown(start..<start + 6)
            guard let update = shown.updates.last, !update.changeSet.isReloadData,
                let other = twin.updates.last,
                let state = shown.board.applied.last(where: { $0.submission == update.submission }),
                case .deployed? = state.outcome
            else { continue }
            let forged = shown.forged(update, from: other.oldMap)
            shown.show(forged)
            shown.finish()
            twin.finish()
            let kept = Set(ShownBoard.contents(of: update.oldMap).joined())
                .intersection(ShownBoard.contents(of: update.newMap).joined())
                .subtracting(state.state.snapshot.reloadedItemIdentifiers)
            let found = shown.noted
            #expect(found.count == kept.count, "\(found)")
            #expect(found.allSatisfy { $0.hasPrefix("Identity Kept: board: item ") })
            count += kept.count
        }
        #expect(count > 3)
    }

    // MARK: Ends

    @Test func aRejectionByACloseOfNobodyIsNoted() {
        var rejections = 0
        for seed: UInt64 in 0..<10 {
            let shown = ShownBoard()
            shown.controller.close {}
            shown.run.simulation.run()
            shown.apply(seed)
            // What is invalid may be rejected for that.
            guard case .rejected? = shown.board.applied.first?.outcome,
                shown.board.applied[0].isValid
            else { continue }
            let found = shown.noted
            #expect(found.count == 1, "\(found)")
            let text = "Whole Or Nothing: board: state 0 was rejected: "
            #expect(found.first?.hasPrefix(text) == true)
            rejections += 1
        }
        #expect(rejections > 0)
    }

    @Test func aRejectionByTheCloseOfTheBoardIsRight() {
        for seed: UInt64 in 0..<10 {
            let shown = ShownBoard()
            shown.board.close(draining: true)
            shown.run.simulation.run()
            shown.apply(seed)
            #expect(shown.board.applied.count == 1 && shown.board.applied[0].outcome != nil)
            #expect(shown.noted == [])
        }
    }

    /// Whoever applied a state that its view refuses is told so, and that is how it ended.
    @Test func aRefusalIsAnEnd() {
        var refusals = 0
        for start: UInt64 in stride(from: 0, to: 40, by: 4) {
            let shown = ShownBoard(faults: [RunPlan.Fault(point: .viewRefuses, rate: 0.5)])
            for seed in start..<start + 4 { shown.apply(seed) }
            for applied in shown.board.applied {
                #expect(applied.outcome != nil)
                if case .refused? = applied.outcome { refusals += 1 }
            }
            shown.finish()
            #expect(shown.noted == [])
        }
        #expect(refusals > 0)
    }

    @Test func anotherNewestStateIsNotedAtRest() throws {
        let shown = Self.shown(0..<4)
        shown.board.checkAtRest()
        #expect(shown.noted == [])
        var snapshot = SimulatedBoardState.Snapshot()
        try snapshot.appendSections([77])
        try snapshot.appendItems([-7], toSection: 77)
        shown.controller.apply(SimulatedBoardState(snapshot, isShort: false)) { _ in }
        shown.run.simulation.run()
        #expect(shown.noted.allSatisfy { $0.hasPrefix("Consistent Snapshot: board: generation ") })
        shown.board.checkAtRest()
        #expect(
            shown.noted == [
                "Ordered Commits: board: the newest state is not what was accepted last"
            ]
        )
        shown.finish()
    }

    // MARK: What is drawn

    /// A list that has nothing gets a section of the first three and one of the next three; others are added only by
    /// later edits, from a thousand.
    @Test func aListOfNothingBeginsWithTwoOfSixSections() {
        let shown = ShownBoard()
        var sections: [Int: Int] = [:]
        for seed: UInt64 in 0..<2000 {
            var random = SeededGenerator(seed: seed)
            let state = shown.board.nextState(&random).snapshot
            for section in state.sectionIdentifiers { sections[section, default: 0] += 1 }
        }
        #expect((0..<6).allSatisfy { sections[$0, default: 0] > 300 }, "\(sections)")
        #expect(sections.allSatisfy { $0.key < 6 || $0.value < 50 }, "\(sections)")
        shown.finish()
    }

    /// Five of six states are made from the newest, and half of those keep what that had marked.
    @Test func aboutHalfOfTheStatesKeepTheMarksOfTheNewest() {
        let shown = ShownBoard()
        var marked: [Int] = []
        for seed: UInt64 in 0..<400 where marked.isEmpty {
            shown.apply(seed)
            guard let state = shown.board.applied.last?.state.snapshot else { continue }
            // Of a few items, one may well be marked again.
            let isPlain = state.reloadedItemIdentifiers.count <= 2 && state.numberOfItems > 8
            if isPlain { marked = state.reloadedItemIdentifiers }
        }
        #expect(!marked.isEmpty)
        let count = 3000
        let kept = (0..<UInt64(count)).count { seed in
            var random = SeededGenerator(seed: seed)
            let state = shown.board.nextState(&random).snapshot
            return state.reloadedItemIdentifiers.contains { marked.contains($0) }
        }
        #expect((0.33...0.51).contains(Double(kept) / Double(count)), "\(kept)")
        shown.finish()
    }
}
