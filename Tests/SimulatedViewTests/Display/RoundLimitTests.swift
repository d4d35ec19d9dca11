import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("For how many rounds layout and views may disagree")
struct RoundLimitTests {
    /// The first question of a pass is news, and does not count; then so many disagreements running are too
    /// many.
    @Test(arguments: 0...20)
    func aCellThatChangesItsMindUpToTheLimitIsNoLoop(_ changes: Int) throws {
        let bench = try Bench([texts(3)])
        bench.layout.takesWishes = true
        bench.load()
        let cell = try #require(bench.cell(0, 0))
        var left = changes
        cell.wish = { height in
            guard left > 0 else { return nil }
            left -= 1
            return height == 10 ? 11 : 10
        }
        bench.view.invalidatePreferredSize(of: cell)
        bench.view.layoutIfNeeded()
        let isLoop = changes > SimulatedCollectionView.roundLimit
        #expect(bench.view.errors.map(\.code) == (isLoop ? [.layoutLoop] : []))
        if !isLoop { #expect(left == 0 && bench.log("preferred 0 - 0").count == changes + 1) }
    }

    /// Every round brings one more item into sight, many more of them than may disagree.
    @Test func roundsThatBringNewElementsIntoSightDoNotCount() throws {
        let bench = try Bench([texts(60)], RowLayout(), size: Size(width: 100, height: 600))
        bench.layout.takesWishes = true
        bench.layout.rowHeight = 600
        bench.source.wishes = { _ in 10 }
        bench.lane.run()
        #expect(bench.view.visibleCells.count == 60)
        #expect(bench.view.errors == [] && bench.layout.numberOfPrepares > 15)
        bench.check()
    }

    /// A cell that never has enough, and those beside it that are asked with it.
    @Test func aLoopNamesTheFirstThreeViewsThatAreStillToBeSized() throws {
        let bench = try Bench([texts(6)], height: 60)
        bench.layout.takesWishes = true
        bench.load()
        let cell = try #require(bench.cell(0, 5))
        cell.wish = { $0 + 1 }
        bench.view.invalidatePreferredSize(of: cell)
        bench.view.layoutIfNeeded()
        #expect(bench.view.errors.map(\.code) == [.layoutLoop])
        #expect(
            bench.view.errors.map(\.message) == [
                "UICollectionView is stuck in its update/layout loop: after 15 rounds without a new"
                    + " element the layout was invalidated again; still to be sized: 0 - 0, 0 - 1, 0 - 2"
            ]
        )
        #expect(bench.view.errors.first?.place == .cell(ItemPath(0, 0)))
    }

    @Test func anItemThatGetsNoViewAgainAndAgainIsNoNews() throws {
        let bench = try Bench([texts(20)])
        bench.layout.takesWishes = true
        bench.view.pass.totalRoundLimit = 40
        bench.source.madeCell = { view, path in
            if path.item == 2 {
                view.collectionViewLayout.invalidateLayout()
                throw TestFailure()
            }
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        }
        bench.lane.run(limit: 5)
        let loops = bench.view.errors.filter { $0.code == .layoutLoop }
        #expect(loops.count == 1)
        #expect(loops.first?.message.contains("after 15 rounds without a new element") == true)
    }
}
