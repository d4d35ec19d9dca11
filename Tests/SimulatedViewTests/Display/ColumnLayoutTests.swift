import PipelineTestSupport
import SimulatedView
import Testing

/// Columns as many an application writes them: the layout prepares first, and only then sets the item size and
/// the insets that follow from the bounds, which is for it to prepare again.
private final class ColumnsAfterwards: FlowLayout {
    private(set) var prepareCount = 0

    override func prepare() {
        super.prepare()
        prepareCount += 1
        guard let host else { return }
        minimumInteritemSpacing = 0
        minimumLineSpacing = 0
        let room = host.bounds.size.width
        let columnCount = max(1, (room / 30).rounded(.down))
        itemSize = Size(width: (room / columnCount).rounded(.down), height: 10)
        sectionInset = EdgeInsets(top: 5, bottom: 5)
    }
}

@Suite("A layout that sets itself after preparing")
struct ColumnLayoutTests {
    private func columns(_ size: Size) throws -> Bench<ColumnsAfterwards> {
        let bench = try Bench([(0..<20).map { "\($0)" }], ColumnsAfterwards(), size: size)
        bench.load()
        return bench
    }

    private func check(_ bench: Bench<ColumnsAfterwards>, columnCount: Int, width: Double) {
        for item in 0..<20 {
            let (line, column) = item.quotientAndRemainder(dividingBy: columnCount)
            let frame = bench.layout.layoutAttributes(for: .cell(ItemPath(section: 0, item: item)))?
                .frame
            let expected = Rect(
                x: Double(column) * width,
                y: 5 + Double(line) * 10,
                width: width,
                height: 10
            )
            #expect(frame == expected, "\(item)")
        }
        #expect(bench.view.errors.isEmpty)
        #expect(bench.view.visibleCells.allSatisfy { $0.attributes?.size.width == width })
    }

    @Test func itSettlesWithinThePass() throws {
        let bench = try columns(Size(width: 99, height: 30))
        check(bench, columnCount: 3, width: 33)
        #expect(bench.layout.prepareCount == 2, "once more for what it set")
        bench.settle()
        #expect(bench.layout.prepareCount == 2)
    }

    @Test func itSettlesWithinThePassThatFollowsOtherBounds() throws {
        let bench = try columns(Size(width: 99, height: 30))
        bench.view.resize(to: Size(width: 64, height: 30))
        bench.view.layoutIfNeeded()
        check(bench, columnCount: 2, width: 32)
        #expect(bench.layout.prepareCount == 4)
        bench.settle()
        #expect(bench.layout.prepareCount == 4)
    }

    @Test func scrollingAndChangesOfItemsHaveItPrepareOnceMoreAtMost() throws {
        let bench = try columns(Size(width: 99, height: 30))
        bench.view.scroll(by: 20)
        bench.settle()
        #expect(bench.layout.prepareCount == 2)
        bench.view.collectionViewLayout.invalidateLayout()
        bench.settle()
        #expect(bench.layout.prepareCount == 3, "what it sets is what it was")
        check(bench, columnCount: 3, width: 33)
    }
}
