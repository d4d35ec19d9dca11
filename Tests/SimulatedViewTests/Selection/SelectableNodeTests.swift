import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import SimulatedView

/// A node that notes whether it is selected and touched.
private final class ChoiceNode: SelectableNode, ReconfigurableNode {
    private let name: Lock<String>
    private let told: Journal<String>

    init(_ name: String, _ told: Journal<String>) {
        self.name = Lock(name)
        self.told = told
    }

    func measure(in range: SizeRange) -> Size { Size(width: 100, height: 10) }

    func measure(_ model: String, in range: SizeRange) -> Size { measure(in: range) }

    /// What ends in an exclamation mark needs a node of its own.
    func accepts(_ model: String) -> Bool { !model.hasSuffix("!") }

    func update(to model: String) { name.withLock { $0 = model } }

    private func note(_ text: String) { told.append("\(name.withLock { $0 }) \(text)") }

    func selectionDidChange(to isSelected: Bool) { note(isSelected ? "selected" : "deselected") }

    func highlightDidChange(to isHighlighted: Bool) { note(isHighlighted ? "touched" : "left") }
}

private func path(_ row: Int) -> ItemPath { ItemPath(section: 0, item: row) }

@Suite("Nodes of selected and touched items")
struct SelectableNodeTests {
    private let list = RangedList(9, hasRanges: false) { ChoiceNode($0, $1) }

    /// What was told since the last time.
    private func news() -> [String] {
        defer { list.told.removeAll() }
        return list.told.values
    }

    @Test func aTapIsHeardInItsOrder() {
        list.onMain { view, _ in view.tapItem(at: path(1)) }
        #expect(news() == ["row 1 touched", "row 1 left", "row 1 selected"])
        list.onMain { view, _ in view.tapItem(at: path(2)) }
        #expect(news() == ["row 2 touched", "row 2 left", "row 1 deselected", "row 2 selected"])
        list.onMain { view, _ in
            view.touchDown(at: path(0))
            view.touchMoved(inside: false)
            view.touchMoved(inside: true)
            view.cancelTouch()
        }
        #expect(news() == ["row 0 touched", "row 0 left", "row 0 touched", "row 0 left"])
    }

    @Test func theViewsLogHasIt() {
        list.onMain { view, _ in
            view.tapItem(at: path(1))
            view.clearEventLog()
            view.tapItem(at: path(2))
        }
        nonisolated(unsafe) var log: [String] = []
        list.onMain { view, _ in log = view.eventLog.map(\.description) }
        #expect(
            log.filter { $0.hasPrefix("node ") } == [
                "node 0 - 2: highlighted", "node 0 - 2: not highlighted",
                "node 0 - 1: not selected", "node 0 - 2: selected",
            ]
        )
    }

    @Test func whatTheProgramDoesIsHeardOnceAlsoOutOfSight() {
        list.onMain { view, _ in
            view.allowsMultipleSelection = true
            for row in [8, 1, 8] { try? view.selectItem(at: path(row)) }
        }
        #expect(news() == ["row 8 selected", "row 1 selected"])
        for distance in [60.0, -60] { list.scroll(by: distance) }
        #expect(news() == [], "coming into sight is no news")
        list.onMain { view, _ in view.allowsMultipleSelection = false }
        #expect(news() == ["row 8 deselected"])
        list.onMain { view, _ in
            for _ in 0..<2 { view.deselectItem(at: path(1)) }
        }
        #expect(news() == ["row 1 deselected"])
        list.onMain { view, _ in
            try? view.selectItem(at: path(3))
            try? view.selectItem(at: nil)
        }
        #expect(news() == ["row 3 selected", "row 3 deselected"])
    }

    @Test func theSelectionMovesWithItsItemAndEndsWithIt() {
        list.onMain { view, _ in try? view.selectItem(at: path(1)) }
        _ = news()
        list.update { rows, changes in
            rows.rows.swapAt(0, 1)
            changes.moveItem(at: path(1), to: path(0))
        }
        #expect(news() == [])
        list.update { rows, changes in
            rows.rows.remove(at: 0)
            changes.deleteItems(at: [path(0)])
        }
        #expect(news() == ["row 1 deselected"])
        list.onMain { view, _ in try? view.selectItem(at: path(0)) }
        list.onMain { view, _ in view.touchDown(at: path(3)) }
        _ = news()
        list.update { _, changes in changes.reloadData() }
        #expect(news() == ["row 0 deselected", "row 4 left"])
    }

    @Test func aTouchStaysOnItsItem() {
        list.onMain { view, _ in view.touchDown(at: path(1)) }
        #expect(news() == ["row 1 touched"])
        list.update { rows, changes in
            rows.rows.insert("new", at: 0)
            changes.insertItems(at: [path(0)])
        }
        #expect(news() == [])
        list.onMain { view, _ in view.touchUp() }
        #expect(news() == ["row 1 left", "row 1 selected"])
    }

    @Test func afterAPassNothingIsLeftToLookFor() {
        list.onMain { view, _ in try? view.selectItem(at: path(8)) }
        list.scroll(by: 60)
        list.onMain { view, _ in #expect(!view.selection.untold.isDue) }
        list.update { rows, changes in
            rows.rows.remove(at: 0)
            changes.deleteItems(at: [path(0)])
        }
        list.onMain { view, _ in #expect(!view.selection.untold.isDue) }
    }

    @Test func whatCameIntoSightIsToldAloneUnlessAnythingMayHaveChanged() {
        list.onMain { view, _ in
            for row in [8, 1] { view.selection.items.insert(path(row)) }
            view.selection.touch.begin(at: path(2))
            view.selection.untold.paths = [path(1)]
            view.tellLooks()
            #expect(news() == ["row 1 selected"])
            view.selection.untold.isEverything = true
            view.tellLooks()
            #expect(news() == ["row 8 selected", "row 2 touched"], "the touched one last")
            #expect(!view.selection.untold.isDue)
        }
    }

    @Test func whatIsSelectedNoMoreIsNotToldWhileSomebodyIsBeingAsked() {
        list.onMain { view, _ in
            try? view.selectItem(at: path(1))
            #expect(news() == ["row 1 selected"])
            view.selection.items.removeAll()
            view.selection.untold.isEverything = true
            view.pass.questionBegan()
            view.tellLooks()
            #expect(news() == [])
            view.pass.questionEnded()
            view.tellLooks()
            #expect(news() == ["row 1 deselected"])
        }
    }

    @Test func aNodeInPlaceOfAnotherIsToldAndTheOtherToo() {
        list.onMain { view, _ in
            view.allowsMultipleSelection = true
            try? view.selectItem(at: path(1))
            try? view.selectItem(at: path(8))
            view.touchDown(at: path(1))
        }
        _ = news()
        list.update { rows, changes in
            rows.rows[1] = "new!"
            changes.reconfigureItems(at: [path(1)])
        }
        #expect(news() == ["row 1 left", "row 1 deselected", "new! touched", "new! selected"])
    }

    /// Nothing may be told from within a pass, where a node may do what it likes.
    @Test func whatIsSelectedWithinAPassIsToldAfterIt() {
        let watcher = SelectingDelegate()
        list.onMain { view, _ in
            view.delegate = watcher
            view.allowsMultipleSelection = true
            watcher.told = list.told
            view.scroll(by: 30)
            view.layoutIfNeeded()
        }
        #expect(
            news() == [
                "end of willDisplay", "end of willDisplay", "row 4 selected", "row 5 selected",
            ]
        )
    }

    private final class SelectingDelegate: CollectionViewDelegate {
        var told: Journal<String>?

        func collectionView(
            _ collectionView: SimulatedCollectionView,
            willDisplay view: CollectionReusableView,
            at place: LayoutPlace
        ) {
            guard place.path.item >= 4 else { return }
            try? collectionView.selectItem(at: place.path)
            told?.append("end of willDisplay")
        }
    }

    /// A layout delegate measures, and what it did not ask for has no node.
    @Test(arguments: [true, false])
    func aNodeThatIsMadeLateIsToldWhenItIsShown(_ isUpdated: Bool) throws {
        let (simulation, told) = (Simulation(seed: 1, strategy: .inOrder), Journal<String>())
        let layout = FlowLayout()
        layout.itemSize = Size(width: 100, height: 10)
        layout.minimumLineSpacing = 0
        let view = SimulatedCollectionView(size: Size(width: 100, height: 30), layout: layout)
        let controller = DataController(
            dataSource: RangedRows((0..<9).map { "row \($0)" }) { ChoiceNode($0, told) },
            view: view,
            lane: simulation.makeLane(label: "main"),
            environment: simulation.environment,
            layoutDelegate: MeasuringNothing()
        )
        func update(_ body: @escaping @Sendable (inout BatchRecorder) -> Void) {
            controller.enqueueBatchUpdates {
                body(&$1)
            } completion: { _ in
            }
            simulation.run()
        }
        update { $0.reloadData() }
        controller.lane.enqueue { try? view.selectItem(at: path(8)) }
        simulation.run()
        _ = try controller.visibleMap.element(at: path(8))?.waitForNode()
        #expect(told.values == [])
        if isUpdated {
            update { _ in }
        } else {
            controller.lane.enqueue {
                view.scroll(by: 60)
                view.layoutIfNeeded()
            }
            simulation.run()
        }
        #expect(told.values == ["row 8 selected"])
    }

    private final class MeasuringNothing: LayoutDelegate {
        func layoutContext(for map: ElementMap) -> Int { 0 }

        func layout(_ map: ElementMap, in context: Int, measurer: LayoutMeasurer) -> Int { 0 }
    }
}
