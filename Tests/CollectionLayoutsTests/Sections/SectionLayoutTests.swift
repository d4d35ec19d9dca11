import CollectionLayouts
import TestSupport
import Testing

/// The layout in the documentation of ``SectionLayout``.
private struct Stack: SectionLayout {
    func prepare(_ input: SectionInput) -> any SectionArrangement {
        StackArrangement(
            heights: (0..<input.itemCount).map { input.size(ofItem: $0)?.height ?? 44 }
        )
    }
}

private struct StackArrangement: SectionArrangement {
    let heights: [Double]
    var extent: Double { heights.reduce(0, +) }
    var headerFrame: Rect? { nil }
    var footerFrame: Rect? { nil }
    var itemCount: Int { heights.count }

    func frame(ofItem item: Int) -> Rect? {
        let top = heights[..<item].reduce(0, +)
        return Rect(x: 0, y: top, width: 100, height: heights[item])
    }
}

@Suite("Section layouts")
struct SectionLayoutTests {
    @Test
    func aLayoutOfOnesOwnIsScannedForRectangles() {
        let host = SectionTestHost()
        let sizes = [30.0, 40, 50].map { Size(width: 10, height: $0) }
        host.sections = [host.makeSection(sizes), host.makeSection(sizes)]
        let layout = ComposedLayout()
        layout.layoutProvider = { section, _ in section == 1 ? Stack() : nil }
        layout.features = [StickyHeaders()]
        layout.attach(to: host)
        layout.prepare()
        let found = layout.layoutAttributesForElements(in: Rect(x: 0, y: 85, width: 50, height: 30))
        #expect(
            found.map(\.indexPath) == [ItemPath(section: 1, item: 1)]
        )
    }

    @Test
    func aLayoutIsTriedOnItsOwn() {
        let input = SectionInput(
            acrossExtent: 320,
            itemCount: 3,
            metrics: SectionMetrics(headerExtent: 20)
        ) { item in Size(width: 100, height: Double(10 + item)) }
        let arrangement = FlowSectionLayout().prepare(input)
        #expect(arrangement.extent == 32)
        #expect(arrangement.headerFrame == Rect(x: 0, y: 0, width: 320, height: 20))
        #expect(
            arrangement.frame(ofItem: 0) == Rect(x: 0, y: 21, width: 100, height: 10)
        )
        #expect(arrangement.items(in: Rect(x: 105, y: 20, width: 10, height: 5)) == [1])
        let nothing = SectionInput(acrossExtent: .nan, itemCount: -1) { _ in nil }
        #expect(MasonrySectionLayout(columnCount: 2).prepare(nothing).extent == 0)
    }
}
