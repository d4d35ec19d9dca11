import CollectionLayouts
import Testing

@testable import git_timelapse

@Suite struct SlowScrollTests {
    /// Where a viewport of ten rows is after each of so many commits.
    private func offsets(_ commits: Int, of total: Int, in height: Double) -> [Double] {
        var scroll = SlowScroll(commits: total)
        var bounds = Rect(x: 0, y: 0, width: 5, height: 10)
        return (0..<commits).map { _ in
            bounds.origin.y += scroll.next(bounds, in: height) ?? 0
            return bounds.minY
        }
    }

    @Test func itGoesToTheEndAndBackRowByRow() {
        #expect(offsets(9, of: 1, in: 13) == [1, 2, 3, 2, 1, 0, 1, 2, 3])
        #expect(offsets(4, of: 1, in: 10.5) == [1, 0, 1, 0])
    }

    @Test func whatFitsIsNotScrolled() {
        #expect(offsets(5, of: 1, in: 10) == [0, 0, 0, 0, 0])
        #expect(offsets(5, of: 1, in: 0) == [0, 0, 0, 0, 0])
    }

    @Test func aHistoryHasTwoHundredSteps() {
        for (total, last) in [
            (0, 5.0), (199, 199), (200, 200), (399, 399), (400, 200), (4_000, 200),
        ] {
            #expect(offsets(max(5, total), of: total, in: 1e6).last == last, "\(total)")
        }
    }

    @Test func contentThatShrinksTurnsItBack() {
        var scroll = SlowScroll(commits: 1)
        let bounds = Rect(x: 0, y: 20, width: 5, height: 10)
        #expect(scroll.next(bounds, in: 100) == 1)
        #expect(scroll.next(bounds, in: 30) == -1)
        #expect(scroll.next(bounds, in: 100) == -1)
        #expect(scroll.next(Rect(x: 0, y: 0, width: 5, height: 10), in: 100) == 1)
    }
}
