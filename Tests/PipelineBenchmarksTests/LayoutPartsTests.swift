import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import pipeline_benchmarks

@Suite struct LayoutPartsTests {
    private func heights(_ host: RowsHost) -> [Double] {
        (0..<host.rowCount).map {
            host.measuredSize(of: .cell(ItemPath(section: 0, item: $0)))?.height ?? -1
        }
    }

    /// Whether the list says what one says that is laid out again.
    private func expectLaidOut(_ rows: LaidOutRows) {
        let (host, layout) = (rows.host, rows.layout)
        let fresh = ListLayout()
        fresh.attach(to: host)
        fresh.prepare()
        #expect(layout.collectionViewContentSize == fresh.collectionViewContentSize)
        #expect(layout.collectionViewContentSize.height >= heights(host).reduce(0, +))
        let visible = fresh.layoutAttributesForElements(in: host.bounds).count
        #expect(visible > 30)
        #expect(
            host.look(at: layout) == UInt(fresh.collectionViewContentSize.height) + UInt(visible)
        )
    }

    @Test func rowsAreFromTwentyToFortyHigh() {
        let host = RowsHost(rowCount: 210)
        #expect(host.bounds == Rect(x: 0, y: 0, width: 320, height: 1_500))
        #expect(host.numberOfSections == 1)
        #expect(host.numberOfItems(inSection: 0) == 210)
        let heights = heights(host)
        for height in 20...40 { #expect(heights.count { $0 == Double(height) } == 10) }
        #expect(Array(heights.prefix(3)) == [20, 22, 24])
        let size = host.measuredSize(of: .cell(ItemPath(section: 0, item: 0)))
        #expect(size == Size(width: 320, height: 20))
    }

    @Test func aChangedHeightIsLaidOutAtOnce() {
        let rows = LaidOutRows(count: 200)
        expectLaidOut(rows)
        var changed: Set<Int> = []
        for _ in 0..<100 {
            let (before, consumed) = (heights(rows.host), BlackHole.consumed)
            #expect(rows.changeHeight() > 0)
            let after = heights(rows.host)
            let places = after.indices.filter { after[$0] != before[$0] }
            #expect(places.count <= 1)
            changed.formUnion(places)
            #expect(after.allSatisfy { (0..<50).contains($0) })
            let looked = BlackHole.consumed
            #expect(looked.count - consumed.count == 1)
            #expect(looked.sum - consumed.sum == UInt64(rows.host.look(at: rows.layout)))
            expectLaidOut(rows)
        }
        #expect(changed.count > 50)
    }

    @Test func tenRowsMoreAreLaidOutAtOnce() throws {
        let rows = LaidOutRows(count: 100)
        for number in 1...20 {
            let before = heights(rows.host)
            #expect(try rows.insertTen() > 0)
            #expect(rows.host.rowCount == 100 + 10 * number)
            var rest = heights(rows.host)[...]
            // What was there is still there, in its order.
            let isKept = before.allSatisfy { height in
                guard let place = rest.firstIndex(of: height) else { return false }
                rest = rest[(place + 1)...]
                return true
            }
            #expect(isKept)
            expectLaidOut(rows)
        }
    }

    @Test func aViewportIsLookedAtAnywhere() {
        let rows = LaidOutRows(count: 500)
        var offsets: [Double] = []
        for _ in 0..<50 {
            #expect(rows.lookAnywhere() > 0)
            let bounds = rows.host.bounds
            offsets.append(bounds.origin.y)
            #expect(bounds.origin.y >= 0)
            #expect(bounds.origin.y + 1_500 <= rows.layout.collectionViewContentSize.height)
            expectLaidOut(rows)
        }
        #expect(Set(offsets).count == 50)
        #expect(offsets.max() ?? 0 > rows.layout.collectionViewContentSize.height / 2)
    }

    @Test func sumsAreThoseOfTheHeightsSoFar() {
        for count in 0..<5 {
            let host = RowsHost(rowCount: count)
            var sums: [Double] = []
            RowsHost.sumHeights(of: host) { sums.append($0) }
            let heights = heights(host)
            #expect(sums == heights.indices.map { heights[...$0].reduce(0, +) })
        }
    }

    // MARK: Scrolling

    @Test func rowsAreScrolledThroughToTheirEnd() throws {
        for count in [60, 77, 300, 1_000] {
            let list = try ScrolledList(rowCount: count)
            #expect(list.isAtEnd == false)
            var steps = 0
            while let step = list.step() {
                #expect(step > 0)
                steps += 1
            }
            #expect(list.isAtEnd, "\(count) rows")
            // A row is 20 high on average, so that a viewport has about fifty.
            #expect(steps >= count / 52 && steps <= count / 48 + 1, "\(count) rows, \(steps) steps")
        }
    }

    @Test func aListWithinItsViewportNeedsNoSteps() throws {
        let list = try ScrolledList(rowCount: 20)
        #expect(list.step() == nil)
        #expect(list.isAtEnd)
    }

    @Test func theLastTenthIsComparedWithTheFirst() {
        #expect(ScrolledList.lastTenth(of: Array(repeating: 1, count: 9)) == nil)
        let ten = ScrolledList.lastTenth(of: (1...10).map(Double.init))
        #expect(ten?.value == Samples([10]) && ten?.reference == Samples([1]))
        let many = ScrolledList.lastTenth(of: (1...39).map(Double.init))
        #expect(many?.value == Samples([37, 38, 39]) && many?.reference == Samples([1, 2, 3]))
    }
}
