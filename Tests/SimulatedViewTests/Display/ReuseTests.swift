import PipelineTestSupport
import SimulatedView
import Testing

private final class OtherHeader: CollectionReusableView {}
private final class OtherCell: TextCell {}

@Suite("Reuse of views")
struct ReuseTests {
    /// The view creates only as many cells as the viewport shows, however far it scrolls; if many
    /// disappear together, at most 256 of a class wait for reuse.
    @Test func createdAndReusableViewsAreBounded() throws {
        let bench = try Bench([texts(1000), texts(1000)])
        bench.layout.headerHeight = 4
        bench.load()
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            bench.view.scroll(by: Double(random.next(below: 4000) - 1900))
            bench.settle()
        }
        #expect(bench.view.numberOfMadeViews <= 6 && bench.view.numberOfReusableViews <= 6)
        bench.check()
        let count = 356
        bench.view.resize(to: Size(width: 100, height: Double(count) * 10 + 4))
        bench.view.scrollToTop()
        bench.settle()
        #expect(bench.view.visibleCells.count == count)
        try bench.update { source, changes in
            source.sections = [[], []]
            changes.reloadSections([0, 1])
        }
        #expect(bench.view.visibleCells.isEmpty && bench.view.numberOfReusableViews == 256)
        bench.check()
    }

    /// The last registration counts, even for waiting views; `nil` unregisters one kind and no
    /// other.
    @Test func dequeuedViewsHaveTheCurrentlyRegisteredClass() throws {
        let kind = SupplementaryKind(rawValue: "backdrop")
        let place = LayoutPlace(.decoration(kind), ItemPath(0, 0))
        let bench = try Bench([texts(9)])
        let view = bench.view
        bench.layout.headerHeight = 4
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        let old = view.visibleView(at: place)
        func showAgain() {
            for size in [.zero, Size(width: 100, height: 30)] {
                view.resize(to: size)
                bench.settle()
            }
        }
        func register(
            _ cell: CollectionViewCell.Type?,
            _ header: CollectionReusableView.Type?,
            _ decoration: CollectionReusableView.Type?
        ) throws {
            try view.register(cell, forCellWithReuseIdentifier: "row")
            try view.register(
                header,
                forSupplementaryViewOfKind: .header,
                withReuseIdentifier: "header"
            )
            bench.layout.register(decoration, forDecorationViewOfKind: kind)
        }
        let made = view.numberOfMadeViews
        showAgain()
        #expect(view.visibleView(at: place) === old && view.numberOfMadeViews == made)
        bench.check()
        try register(OtherCell.self, OtherHeader.self, OtherHeader.self)
        showAgain()
        #expect(view.visibleCells.allSatisfy { $0 is OtherCell && $0.reuseIdentifier == "row" })
        let others = view.visibleViews.filter { !($0 is OtherCell) }
        #expect(others.count == 2 && others.allSatisfy { $0 is OtherHeader })
        #expect(view.visibleView(at: .header(0))?.reuseIdentifier == "header")
        bench.check()
        try register(nil, nil, nil)
        showAgain()
        #expect(view.visibleViews.isEmpty && view.numberOfReusableViews == 0)
        #expect(Set(view.errors.map(\.code)) == [.notRegistered])
        _ = try view.dequeueReusableSupplementaryView(
            ofKind: .footer,
            withReuseIdentifier: "header",
            for: ItemPath(0, 0)
        )
    }
}
