import PipelineTestSupport
import Testing

@testable import SimulatedView

/// What a view knows of its selection, and has its cells look like.
@Suite("What a view knows of its selection")
struct SelectionStateTests {
    private func path(_ row: Int) -> ItemPath { ItemPath(0, row) }

    @Test func atFirstOneItemMayBeSelectedAndThereIsNothingToTell() {
        let state = SelectionState()
        #expect(state.isAllowed && !state.isMultipleAllowed)
        #expect(!state.untold.isEverything && !state.untold.isDue)
    }

    @Test func whereItemsCameOrAnythingMayHaveChangedThereIsSomethingToTell() {
        for paths in [[], [path(1)]] {
            for isEverything in [false, true] {
                let untold = SelectionState.Untold(paths: paths, isEverything: isEverything)
                #expect(untold.isDue == (isEverything || paths.count == 1))
            }
        }
    }

    /// Whatever it looked like before. Those that look like no other are told at the end of the pass.
    @Test func aCellThatIsUsedAgainLooksLikeItsItem() {
        let view = SimulatedCollectionView(size: .zero)
        view.selection.items.insert(path(1))
        view.selection.touch.begin(at: path(2))
        let looks = [(false, false), (true, false), (false, true)]
        for (row, (isSelected, isHighlighted)) in looks.enumerated() {
            let cell = CollectionViewCell()
            (cell.isSelected, cell.isHighlighted) = (!isSelected, !isHighlighted)
            view.restoreState(of: cell, at: .cell(path(row)))
            #expect(cell.isSelected == isSelected && cell.isHighlighted == isHighlighted, "\(row)")
        }
        #expect(view.selection.untold.paths == [path(1), path(2)])
        view.selection.touch.move(inside: false)
        let cell = CollectionViewCell()
        view.restoreState(of: cell, at: .cell(path(2)))
        #expect(!cell.isHighlighted, "the touch has moved off")
        #expect(view.selection.untold.paths.count == 2)
    }

    @Test func aHeaderOfAClassOfCellsIsNotSelectedWithTheItemOfItsPath() {
        let view = SimulatedCollectionView(size: .zero)
        view.selection.items.insert(path(0))
        view.selection.touch.begin(at: path(0))
        let header = CollectionViewCell()
        view.restoreState(of: header, at: .header(0))
        #expect(!header.isSelected && !header.isHighlighted)
        #expect(!view.selection.untold.isDue)
    }

    @Test func nobodyIsAskedAboutATouchWhereThereIsNoItem() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        for path in [path(3), ItemPath(1, 0)] { bench.view.touchDown(at: path) }
        #expect(bench.watcher.heard == [] && bench.log == [])
        #expect(bench.view.highlightedItem == nil)
    }
}
