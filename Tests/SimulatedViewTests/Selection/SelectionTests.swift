import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Selecting and highlighting")
struct SelectionTests {
    private let bench: Bench<RowLayout>
    private let a = ItemPath(0, 0)
    private let b = ItemPath(0, 1)
    private let c = ItemPath(0, 2)

    init() throws {
        bench = try Bench([texts(9)])
        bench.load()
    }

    private var view: SimulatedCollectionView { bench.view }
    private var heard: [String] { bench.watcher.heard }

    @Test func oneItemAtATimeMayBeSelectedByDefault() {
        #expect(view.allowsSelection && !view.allowsMultipleSelection)
    }

    @Test func aTapHighlightsUnhighlightsAndThenSelects() {
        view.touchDown(at: b)
        #expect(heard == ["shouldHighlight 0 - 1", "didHighlight 0 - 1"])
        #expect(bench.cell(0, 1)?.isHighlighted == true && view.highlightedItem == b)
        view.touchUp()
        #expect(
            heard.dropFirst(2) == ["didUnhighlight 0 - 1", "shouldSelect 0 - 1", "didSelect 0 - 1"]
        )
        #expect(bench.cell(0, 1)?.isSelected == true && bench.cell(0, 1)?.isHighlighted == false)
        #expect(view.indexPathsForSelectedItems == [b] && view.highlightedItem == nil)
        bench.check()
    }

    @Test func anItemThatMayNotBeHighlightedIsNotSelectedEither() {
        bench.watcher.mayHighlight = { _ in false }
        view.tapItem(at: b)
        #expect(heard == ["shouldHighlight 0 - 1"])
        #expect(view.indexPathsForSelectedItems == [])
    }

    @Test func anItemThatMayNotBeSelectedLeavesTheSelectionAlone() throws {
        try view.selectItem(at: a)
        bench.watcher.maySelect = { _ in false }
        view.tapItem(at: b)
        #expect(heard.suffix(2) == ["didUnhighlight 0 - 1", "shouldSelect 0 - 1"])
        #expect(view.indexPathsForSelectedItems == [a])
        bench.check()
    }

    @Test func selectingAnotherDeselectsTheFirstWithoutAskingIt() throws {
        try view.selectItem(at: a)
        bench.watcher.mayDeselect = { _ in false }
        view.tapItem(at: b)
        #expect(
            heard.dropFirst(3) == ["shouldSelect 0 - 1", "didDeselect 0 - 0", "didSelect 0 - 1"]
        )
        #expect(view.indexPathsForSelectedItems == [b])
        bench.check()
    }

    @Test func aTouchHasTheOthersLookDeselectedUntilItIsDecided() throws {
        try view.selectItem(at: a)
        view.touchDown(at: b)
        #expect(bench.cell(0, 0)?.isSelected == false && view.indexPathsForSelectedItems == [a])
        view.cancelTouch()
        #expect(bench.cell(0, 0)?.isSelected == true && view.indexPathsForSelectedItems == [a])
        bench.check()
    }

    @Test func tappingTheSelectedItemSelectsItAgainWithoutDeselecting() throws {
        try view.selectItem(at: a)
        view.tapItem(at: a)
        #expect(heard.dropFirst(3) == ["shouldSelect 0 - 0", "didSelect 0 - 0"])
        #expect(view.indexPathsForSelectedItems == [a])
        bench.check()
    }

    @Test func whereSeveralMayBeSelectedATapAddsAndASecondOneTakesAway() {
        view.allowsMultipleSelection = true
        view.tapItem(at: b)
        view.tapItem(at: a)
        #expect(view.indexPathsForSelectedItems == [b, a])
        bench.clear()
        bench.watcher.mayDeselect = { $0.item == 1 }
        view.tapItem(at: a)
        #expect(
            heard.suffix(1) == ["shouldDeselect 0 - 0"]
                && view.indexPathsForSelectedItems == [b, a]
        )
        view.tapItem(at: b)
        #expect(heard.suffix(2) == ["shouldDeselect 0 - 1", "didDeselect 0 - 1"])
        #expect(view.indexPathsForSelectedItems == [a])
        bench.check()
    }

    @Test func aTouchThatLeavesItsItemUnhighlightsItAndSelectsNothing() {
        view.touchDown(at: b)
        view.touchMoved(inside: false)
        #expect(heard.last == "didUnhighlight 0 - 1" && view.highlightedItem == nil)
        view.touchMoved(inside: false)
        view.touchMoved(inside: true)
        #expect(heard.last == "didHighlight 0 - 1" && heard.count == 4)
        view.touchMoved(inside: false)
        view.touchUp()
        #expect(view.indexPathsForSelectedItems == [] && heard.count == 5)
        bench.check()
    }

    @Test func scrollingEndsTheTouch() {
        view.touchDown(at: b)
        view.scroll(by: 5)
        #expect(heard.last == "didUnhighlight 0 - 1" && view.highlightedItem == nil)
        view.touchUp()
        #expect(view.indexPathsForSelectedItems == [])
        bench.settle()
        bench.check()
    }

    @Test func thereIsOneTouchAtATime() {
        view.touchDown(at: a)
        view.touchDown(at: b)
        #expect(view.highlightedItem == a)
        view.tapItem(at: c)
        #expect(
            view.highlightedItem == a && view.indexPathsForSelectedItems == [],
            "the first is still down"
        )
        view.touchUp()
        #expect(view.indexPathsForSelectedItems == [a])
        bench.check()
    }

    @Test func withoutSelectionTouchesHighlightOnly() {
        view.allowsSelection = false
        view.tapItem(at: b)
        #expect(heard == ["shouldHighlight 0 - 1", "didHighlight 0 - 1", "didUnhighlight 0 - 1"])
        #expect(view.indexPathsForSelectedItems == [])
    }

    @Test func theProgramSelectsWithoutAskingAndReplacesWhatWasSelected() throws {
        bench.watcher.maySelect = { _ in false }
        try view.selectItem(at: a)
        try view.selectItem(at: b)
        #expect(view.indexPathsForSelectedItems == [b] && bench.cell(0, 1)?.isSelected == true)
        view.allowsMultipleSelection = true
        try view.selectItem(at: ItemPath(0, 8))
        #expect(view.indexPathsForSelectedItems == [b, ItemPath(0, 8)])
        view.deselectItem(at: ItemPath(0, 5))
        view.deselectItem(at: b)
        #expect(view.indexPathsForSelectedItems == [ItemPath(0, 8)])
        try view.selectItem(at: nil)
        #expect(
            view.indexPathsForSelectedItems == [] && heard == [] && bench.log("should", "did") == []
        )
        #expect(view.contentOffset == .zero, "no position, no scrolling")
        bench.check()
    }

    @Test func theProgramMayHaveTheItemScrolledIntoSight() throws {
        try view.selectItem(at: ItemPath(0, 5), scrollPosition: .top)
        #expect(view.contentOffset.y == 50)
        bench.settle()
        #expect(bench.cell(0, 5)?.isSelected == true)
        bench.check()
    }

    @Test func selectingWhatDoesNotExistOrAtTwoPlacesChangesNothing() throws {
        try view.selectItem(at: a)
        let wrong: [(ItemPath, ScrollPosition, ViewError.Code)] = [
            (ItemPath(0, 9), [], .noSuchPath), (ItemPath(1, 0), [], .noSuchPath),
            (b, [.top, .bottom], .scrollPosition),
        ]
        for (path, position, code) in wrong {
            do throws(ViewError) {
                try view.selectItem(at: path, scrollPosition: position)
                Issue.record("\(path) was selected")
            } catch { #expect(error.code == code) }
        }
        #expect(view.indexPathsForSelectedItems == [a] && view.contentOffset == .zero)
        bench.check()
    }

    @Test func withoutSelectionTheProgramSelectsNothing() throws {
        view.allowsSelection = false
        try view.selectItem(at: a, scrollPosition: .top)
        #expect(view.indexPathsForSelectedItems == [])
    }

    @Test func withSeveralSelectedTheLastStaysWhenOnlyOneMayBe() throws {
        view.allowsMultipleSelection = true
        for path in [b, a, c] { try view.selectItem(at: path) }
        view.allowsMultipleSelection = false
        #expect(view.indexPathsForSelectedItems == [c] && heard == [])
        bench.check()
    }

    @Test func selectionFollowsItsItemsAndIsLostByWhatIsDeletedOrReloaded() throws {
        view.allowsMultipleSelection = true
        for item in [0, 1, 2, 8] { try view.selectItem(at: ItemPath(0, item)) }
        try bench.update { source, changes in
            source.sections = [["x"], ["3", "4", "5", "6", "7", "8", "2", "0"]]
            changes.insertSections([0])
            changes.deleteItems(at: [b])
            changes.reloadItems(at: [ItemPath(0, 8)])
            changes.moveItem(at: c, to: ItemPath(1, 6))
            changes.moveItem(at: a, to: ItemPath(1, 7))
        }
        #expect(Set(view.indexPathsForSelectedItems) == [ItemPath(1, 6), ItemPath(1, 7)])
        #expect(heard == [])
        bench.check()
        bench.view.scroll(by: 60)
        bench.settle()
        #expect(bench.cell(1, 6)?.isSelected == true && bench.cell(1, 5)?.isSelected == false)
        bench.check()
    }

    @Test func selectionFollowsAMovedSectionAndIsLostByAReloadedOne() throws {
        let bench = try Bench([texts(2), texts(2, "b")], height: 60)
        bench.load()
        bench.view.allowsMultipleSelection = true
        try bench.view.selectItem(at: ItemPath(0, 1))
        try bench.view.selectItem(at: ItemPath(1, 0))
        try bench.update { source, changes in
            source.sections = [texts(2, "b"), texts(2)]
            changes.moveSection(0, toSection: 1)
        }
        #expect(Set(bench.view.indexPathsForSelectedItems) == [ItemPath(1, 1), ItemPath(0, 0)])
        try bench.update { _, changes in changes.reloadSections([0]) }
        #expect(bench.view.indexPathsForSelectedItems == [ItemPath(1, 1)])
        bench.check()
    }

    @Test func reloadingDataClearsSelectionAndHighlightWithoutAWord() throws {
        try view.selectItem(at: a)
        view.touchDown(at: b)
        bench.clear()
        bench.adapter.reloadData()
        bench.settle()
        #expect(view.indexPathsForSelectedItems == [] && view.highlightedItem == nil && heard == [])
        #expect(view.visibleCells.allSatisfy { !$0.isSelected && !$0.isHighlighted })
    }

    @Test func aTouchFollowsItsItemAndEndsWithIt() throws {
        view.touchDown(at: c)
        try bench.update { source, changes in
            source.sections[0].removeFirst()
            changes.deleteItems(at: [a])
        }
        #expect(view.highlightedItem == b && bench.cell(0, 1)?.isHighlighted == true)
        try bench.update { source, changes in
            source.sections[0].remove(at: 1)
            changes.deleteItems(at: [b])
        }
        #expect(view.highlightedItem == nil)
        view.touchUp()
        #expect(view.indexPathsForSelectedItems == [])
        #expect(view.visibleCells.allSatisfy { !$0.isHighlighted })
        bench.check()
    }

    @Test func whenATouchEndsWithItsItemTheSelectedItemsLookSelectedAgain() throws {
        try view.selectItem(at: a)
        view.touchDown(at: b)
        try bench.update { source, changes in
            source.sections[0].remove(at: 1)
            changes.deleteItems(at: [b])
        }
        #expect(bench.cell(0, 0)?.isSelected == true)
        bench.check()
    }

    @Test func aDelegateThatDeletesTheItemInTheTouchLeavesNoSelectionBehind() throws {
        bench.watcher.maySelect = { [bench] _ in
            try? bench.adapter.performBatchUpdates { changes in
                changes.deleteItems(at: bench.source.sections[0].indices.map { ItemPath(0, $0) })
                bench.source.sections[0] = []
            }
            return true
        }
        view.tapItem(at: b)
        bench.settle()
        #expect(view.indexPathsForSelectedItems == [])
        bench.check()
    }

    @Test func aCellThatIsUsedAgainLooksLikeItsOwnItem() throws {
        try view.selectItem(at: a)
        view.scroll(by: 30)
        bench.settle()
        #expect(view.visibleCells.allSatisfy { !$0.isSelected })
        view.scroll(by: -30)
        bench.settle()
        #expect(view.visibleCells.map(\.isSelected) == [true, false, false])
        bench.check()
    }
}
