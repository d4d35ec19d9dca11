import PipelineTestSupport
import SimulatedView
import Testing

/// Answers to `layoutAttributes(for:)` that are other than those for rectangles.
private final class SelectiveLayout: RowLayout {
    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        var answer = super.layoutAttributesForItem(at: path)
        switch path.item {
        case 60: return nil
        case 61: answer?.center.y = .nan
        case 62: answer?.size.width = -1
        case 63: answer?.place = .cell(ItemPath(3, 63))
        default: break
        }
        return answer
    }
}

@Suite("What a layout answers")
struct LayoutAnswersTests {
    private func error(_ body: () throws(ViewError) -> Void) -> ViewError? {
        do throws(ViewError) {
            try body()
            return nil
        } catch { return error }
    }

    @Test(arguments: [29, 60, 61, 62, 63])
    func whereSomethingIsIsAskedLoggedAndChecked(_ item: Int) throws {
        let bench = try Bench([texts(80)], SelectiveLayout())
        bench.load()
        let refusal = error { () throws(ViewError) in
            try bench.view.scrollToItem(at: ItemPath(0, item))
        }
        #expect(refusal?.code == (item == 29 ? nil : .layoutAttributes))
        let found = item == 60 ? ": none" : ""
        #expect(bench.log.first == "layout attributes for 0 - \(item)\(found)")
        #expect(bench.view.contentOffset.y == (item == 29 ? 290 : 0))
        let codes: [ViewError.Code] =
            item < 61 ? [] : item == 63 ? [.noSuchPath] : [.layoutAttributes]
        #expect(Array(bench.view.errors.map(\.code).prefix(1)) == codes)
    }

    @Test func whatIsInThePagesAroundIsNotAskedFor() throws {
        let bench = try Bench([texts(40)], SelectiveLayout())
        bench.load()
        try bench.view.selectItem(at: ItemPath(0, 2), scrollPosition: .top)
        #expect(bench.log("layout attributes for") == [])
    }

    @Test func nothingIsAskedWhereAViewHasNoExtent() throws {
        let bench = try Bench([texts(5)], RowLayout(), size: Size(width: 100, height: 0))
        bench.lane.run()
        #expect(bench.log("layout prepare") == ["layout prepare"])
        try bench.update(animated: true) { source, changes in
            source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.log("layout attributes") == [])
    }

    /// The messages have the values, each as it was found.
    @Test func mistakesAreReportedWithTheirPlaceAndNumbers() throws {
        let bench = try Bench([texts(2)], height: 100)
        let kind = SupplementaryKind(rawValue: "backdrop")
        let frame = Rect(x: 1, y: 2, width: 3, height: 4)
        let wrong: [LayoutAttributes] = [
            LayoutAttributes(.cell(ItemPath(0, 2)), frame: frame),
            LayoutAttributes(.header(1), frame: frame),
            LayoutAttributes(LayoutPlace(.decoration(kind), ItemPath(-1, 0)), frame: frame),
            LayoutAttributes(.footer(0), frame: Rect(x: 0, y: 0, width: 3, height: -4)),
            LayoutAttributes(.cell(ItemPath(0, 0)), frame: frame),
        ]
        bench.layout.altered = { $0 + wrong }
        bench.lane.run()
        let text = "UICollectionView received layout attributes for a"
        let rest = "with an index path that does not exist:"
        #expect(
            bench.view.errors.map(\.message) == [
                "\(text) cell \(rest) 0 - 2", "\(text) supplementary view \(rest) header 1 - 0",
                "\(text) decoration view \(rest) decoration backdrop -1 - 0",
                "expected a finite frame for footer 0 - 0, found (0.0, 0.0) 3.0 × -4.0; it is not"
                    + " shown",
                "the layout placed 0 - 0 twice in one answer; the first counts",
            ]
        )
        #expect(bench.view.errors.map(\.place) == wrong.map(\.place))
        #expect(bench.cell(0, 0)?.frame == Rect(x: 0, y: 0, width: 100, height: 10))
        bench.view.clearErrors()
        bench.layout.altered = { $0 }
        bench.layout.alteredSize = { Size(width: $0.width, height: -1) }
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(
            bench.view.errors.map(\.message) == [
                "expected a finite content size, found 100.0 × -1.0; it stays 100.0 × 20.0"
            ]
        )
    }

    @Test func attributesThatChangeWithoutInvalidationAreReportedWithBothFrames() throws {
        let bench = try Bench([texts(9), texts(9)])
        bench.layout.headerHeight = 5
        bench.load()
        bench.layout.altered = { answer in
            answer.map { attributes in
                var attributes = attributes
                if attributes.indexPath == ItemPath(0, 0) { attributes.center.x += 1 }
                return attributes
            }
        }
        bench.view.scroll(by: 10)
        bench.settle()
        func text(_ what: String, _ y: Int, _ height: Int) -> String {
            "layout attributes for \(what) at index path (0 - 0) changed from (0.0, \(y).0) 100.0 ×"
                + " \(height).0 to (1.0, \(y).0) 100.0 × \(height).0 without invalidating the layout"
        }
        #expect(
            bench.view.errors.map(\.message) == [
                text("item", 5, 10), text("supplementary item", 0, 5),
            ]
        )
        #expect(bench.view.errors.map(\.code) == [.changedAttributes, .changedAttributes])
        #expect(bench.view.errors.map(\.place) == [.cell(ItemPath(0, 0)), .header(0)])
    }
}
