import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Which views are asked for a size")
struct PreferredSizeTests {
    @Test func whatGoesOutOfSightIsNotAskedForASize() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.log("preferred") == ["preferred 0 - 0 100 × 20", "preferred 0 - 1 100 × 20"])
        bench.check()
    }

    @Test func aWishIsForTheViewThatWasAskedWhateverPlaceItNames() throws {
        final class AstrayCell: CollectionViewCell {
            override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes)
                -> LayoutAttributes
            {
                var frame = attributes.frame
                frame.size.height = 14
                return LayoutAttributes(.cell(ItemPath(0, 8)), frame: frame)
            }
        }
        let bench = try Bench([texts(9)])
        try bench.view.register(AstrayCell.self, forCellWithReuseIdentifier: "row")
        bench.layout.takesWishes = true
        bench.load()
        #expect(bench.view.visibleCells.map(\.frame.minY) == [0, 14, 28])
        #expect(bench.view.errors == [])
    }
}
