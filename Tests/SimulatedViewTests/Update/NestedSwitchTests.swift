import PipelineTestSupport
import SimulatedView
import Testing

/// What else is done with layouts while one takes over, and what of that is told.
@Suite("Changes of the layout within others")
struct NestedSwitchTests {
    private func rows(_ height: Double) -> RowLayout {
        let layout = RowLayout()
        layout.rowHeight = height
        return layout
    }

    /// A view of rows of 10, of which the 20th is the first in sight.
    private func scrolledBench() throws -> Bench<RowLayout> {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        return bench
    }

    @Test func settingTheLayoutThatIsThereIsNoMistakeWithinThePassEither() throws {
        let bench = try Bench([texts(3)])
        bench.watcher.onDisplay = { view, _ in
            view.setCollectionViewLayout(view.collectionViewLayout)
        }
        bench.load()
        #expect(bench.view.errors == [] && bench.view.visibleCells.count == 3)
    }

    @Test func aThirdLayoutThatIsSetMeanwhileHasNoTransitionsOfTheOtherTwo() throws {
        let bench = try scrolledBench()
        let third = rows(7)
        bench.watcher.onScroll = { [watcher = bench.watcher] view in
            watcher.onScroll = { _ in }
            view.setCollectionViewLayout(third, animated: false)
        }
        bench.view.setCollectionViewLayout(rows(5), animated: true)
        #expect(bench.view.collectionViewLayout === third && bench.view.transitions == [])
        bench.settle()
        bench.check()
    }

    @Test func anOldLayoutThatIsGivenToAnotherViewMeanwhileStaysThere() throws {
        let bench = try scrolledBench()
        let (old, new) = (bench.layout, rows(5))
        let other = SimulatedCollectionView(size: Size(width: 10, height: 10))
        bench.watcher.onScroll = { [watcher = bench.watcher] _ in
            watcher.onScroll = { _ in }
            other.setCollectionViewLayout(old)
        }
        bench.view.setCollectionViewLayout(new, animated: true)
        #expect(old.host === other && bench.view.transitions == [])
        #expect(bench.view.collectionViewLayout === new)
        bench.settle()
        bench.check()
    }

    @Test func whatStaysAsItWasIsNoTransitionAndWhatGoesOutOfSightIsOneInOrder() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.setCollectionViewLayout(rows(10), animated: true)
        #expect(bench.view.transitions == [])
        bench.view.setCollectionViewLayout(rows(30), animated: true)
        #expect(bench.view.visibleCells.count == 1)
        #expect(bench.view.transitions.map { $0.newPlace?.path.item } == [0, 1, 2])
        bench.settle()
        bench.check()
    }
}
