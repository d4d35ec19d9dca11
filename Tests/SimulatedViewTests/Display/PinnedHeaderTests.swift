import PipelineTestSupport
import SimulatedView
import Testing

/// Headers that are held in sight, in a view that keeps what its layout said of the pages around.
@Suite("Pinned headers in a simulated view")
struct PinnedHeaderTests {
    /// Only the section in the middle has a header.
    private final class OneHeader: LayoutMetrics {
        func metrics(ofSection section: Int) -> SectionMetrics {
            SectionMetrics(lineSpacing: 0, headerExtent: section == 1 ? 2 : 0)
        }
    }

    private static func layouts() -> [CollectionLayout] {
        let flow = FlowLayout()
        flow.sectionHeadersPinToVisibleBounds = true
        flow.minimumLineSpacing = 0
        flow.itemSize = Size(width: 100, height: 4)
        var lines = FlowSectionLayout()
        lines.itemSize = Size(width: 100, height: 4)
        let composed = ComposedLayout(defaultLayout: lines)
        composed.features = [StickyHeaders()]
        return [flow, composed]
    }

    /// The section lies between the old bounds and the new, within the pages around both.
    @Test(arguments: [0, 1])
    func aSectionThatIsJumpedOverIsNobodysBusiness(_ number: Int) throws {
        let bench = try Bench<CollectionLayout>(
            [texts(4), texts(1), texts(20)],
            Self.layouts()[number],
            size: Size(width: 100, height: 10)
        )
        let metrics = OneHeader()
        bench.view.layoutMetrics = metrics
        bench.load()
        bench.view.scroll(by: 5)
        bench.settle()
        for distance in [20.0, -20, 60, -60] {
            bench.view.scroll(by: distance)
            bench.settle()
            bench.check()
        }
    }
}
