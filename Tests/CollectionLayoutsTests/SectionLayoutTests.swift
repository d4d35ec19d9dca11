import CollectionLayouts
import PipelineTestSupport
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
        let found = layout.attributesForElements(in: Rect(x: 0, y: 85, width: 50, height: 30))
        #expect(
            found.map(\.path) == [ItemPath(section: 1, item: 1)]
        )
    }
}
