import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// Answers with what it laid out first, whatever the view is to show.
private final class Stale: LayoutDelegate {
    private let base: FlowLayoutDelegate
    private let first = Lock<PreparedFlow?>(nil)

    init(_ view: SimulatedCollectionView) { base = FlowLayoutDelegate(view) }

    func layoutContext(for map: ElementMap) -> FlowLayoutDelegate.Context {
        base.layoutContext(for: map)
    }

    func layout(
        _ map: ElementMap,
        in context: FlowLayoutDelegate.Context,
        measurer: LayoutMeasurer
    ) -> PreparedFlow? {
        let found = base.layout(map, in: context, measurer: measurer)
        return first.withLock { first in
            first = first ?? found
            return first
        }
    }
}

/// Answers with what no layout knows.
private final class Alien: LayoutDelegate {
    func layoutContext(for map: ElementMap) {}

    func layout(_ map: ElementMap, in context: (), measurer: LayoutMeasurer) -> String { "odd" }
}

@Suite("Layouts made on workers that the view cannot take")
struct OddDelegateTests {
    private func isAsFromScratch(_ list: PreparedList, _ count: Int) -> Bool {
        let fresh = list.fresh()
        return list.frames(0..<count) == (0..<count).map { fresh.frame(ofItem: ItemPath(0, $0)) }
    }

    private func messages(_ list: PreparedList) -> [String] {
        nonisolated(unsafe) var found: [String] = []
        list.onMain { view in
            found = view.errors.map { "\($0.code.rawValue): \($0.message)" }
            view.clearErrors()
        }
        return found
    }

    @Test func whatWasLaidOutOfOtherContentIsReportedAndTheLayoutDoesItItself() {
        let list = PreparedList(10) { _ in
        } delegate: {
            Stale($0)
        }
        #expect(messages(list) == [] && isAsFromScratch(list, 10))
        list.update { source, changes in
            source.rows.insert("new:30", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(
            messages(list) == [
                "layoutAttributes: expected a layout of what is to be shown, generation 2 with"
                    + " { 1 section with item counts: [11] }, found one of generation 1 with"
                    + " { 1 section with item counts: [10] }; the layout lays out itself"
            ]
        )
        #expect(isAsFromScratch(list, 11))
        list.update { source, changes in
            source.rows.removeLast(9)
            changes.deleteItems(at: (2..<11).map { ItemPath(0, $0) })
        }
        #expect(messages(list).count == 1 && isAsFromScratch(list, 2))
        #expect(list.frames(0..<2).map { $0?.minY } == [0, 30])
        list.update { _, changes in changes.reloadData() }
        #expect(messages(list).count == 1 && isAsFromScratch(list, 2))
    }

    @Test func whatNoLayoutKnowsIsLeftAlone() {
        let list = PreparedList(10) { _ in
        } delegate: { _ in
            Alien()
        }
        list.onMain { view in
            #expect(view.preparedLayout as? String == "odd" && view.visibleCells.count == 4)
        }
        #expect(messages(list) == [] && isAsFromScratch(list, 10))
    }
}
