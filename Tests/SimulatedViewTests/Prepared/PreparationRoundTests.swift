import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

@Suite("How often what is measured brings other things near")
struct PreparationRoundTests {
    /// Counts what is measured when a layout is ready. What the view wants afterwards is not asked for.
    private final class Counting: LayoutDelegate {
        let counts: Journal<Int>
        private let base: FlowLayoutDelegate

        init(_ view: SimulatedCollectionView, _ counts: Journal<Int>) {
            self.counts = counts
            base = FlowLayoutDelegate(view)
        }

        func layoutContext(for map: ElementMap) -> FlowLayoutDelegate.Context {
            base.layoutContext(for: map)
        }

        func layout(
            _ map: ElementMap,
            in context: FlowLayoutDelegate.Context,
            measurer: LayoutMeasurer
        ) -> PreparedFlow? {
            let prepared = base.layout(map, in: context, measurer: measurer)
            counts.append(map.items.count { $0.content.size != nil })
            return prepared
        }
    }

    /// Rows that are taken for 50 high and turn out half a point high: each brings one more within the screenful of 10
    /// after the view.
    @Test func afterSixteenRoundsTheRestIsLeftToTheView() {
        let counts = Journal<Int>()
        let list = PreparedList(0, size: Size(width: 50, height: 10)) { _ in
        } delegate: {
            Counting($0, counts)
        }
        list.update { source, changes in
            source.rows = Array(repeating: "low:0.5", count: 100)
            changes.insertItems(at: (0..<100).map { ItemPath(0, $0) })
        }
        #expect(counts.values.first { $0 > 0 } == 16)
    }
}
