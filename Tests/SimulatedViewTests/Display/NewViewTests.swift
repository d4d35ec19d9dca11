import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("Views that are new, or used again")
struct NewViewTests {
    @Test func aNewViewHadNoNodeAndWaitsForNoSizeButIsToBeAskedForIt() {
        let view = CollectionReusableView()
        #expect(!view.hadNode && !view.wantsMeasuring)
        let place = LayoutPlace.cell(ItemPath(0, 0))
        let attributes = LayoutAttributes(place, frame: Rect(x: 0, y: 0, width: 1, height: 1))
        #expect(ShownView(view, attributes).needsPreferred)
    }

    @Test func aPassAsksOnceForWhatIsToBeMeasured() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let cell = try #require(bench.cell(0, 0))
        cell.wantsMeasuring = true
        bench.view.setNeedsLayout()
        bench.view.layoutIfNeeded()
        #expect(!cell.wantsMeasuring)
    }

    @Test func aCellIsInItsPlaceAndLooksSelectedBeforeItIsFilled() throws {
        let bench = try Bench([texts(9)])
        var places: [LayoutPlace?] = []
        var selected: [ItemPath] = []
        bench.source.madeCell = { view, path in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            places.append(cell.attributes?.place)
            if cell.isSelected { selected.append(path) }
            (cell as? TextCell)?.text = "\(path.item)"
            return cell
        }
        bench.load()
        try bench.view.selectItem(at: ItemPath(0, 4))
        bench.view.scroll(by: 30)
        bench.settle()
        #expect(places == (0..<6).map { .cell(ItemPath(0, $0)) })
        #expect(selected == [ItemPath(0, 4)])
        bench.check()
    }
}
