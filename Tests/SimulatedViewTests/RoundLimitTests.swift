import PipelineTestSupport
import SimulatedView
import Testing

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

    @Test func theErrorNamesTheCellsThatAreStillToBeSized() throws {
        let bench = try Bench([texts(5)], height: 50)
        bench.layout.takesWishes = true
        bench.load()
        let cell = try #require(bench.cell(0, 2))
        cell.wish = { $0 + 1 }
        bench.view.invalidatePreferredSize(of: cell)
        bench.view.layoutIfNeeded()
        let error = try #require(bench.view.errors.first)
        #expect(error.code == .layoutLoop)
        #expect(error.message.contains("after 15 rounds"))
    }
}
