import PipelineTestSupport
import SimulatedView
import Testing

/// Views between two elements.
@Suite("What waits for reuse", .endsHangs)
struct PooledElementTests {
    private final class Watched: CollectionViewCell {
        private(set) var shownTexts: [String] = []

        override func contentDidChange() {
            shownTexts.append(content?.model as? String ?? "-")
        }
    }

    @Test(arguments: Substrate.allCases)
    func aViewThatWaitsHasNeitherElementNorPlace(_ substrate: Substrate) async throws {
        let list = try await List(substrate, tenItems, height: 4)
        await list.onMain { view, _ in
            view.layoutIfNeeded()
            let cells = view.visibleCells
            #expect(cells.count == 4)
            #expect(cells.allSatisfy { $0.element != nil && $0.content != nil })
            view.resize(to: Size(width: 10, height: 1))
            view.layoutIfNeeded()
            #expect(view.numberOfReusableViews == 3)
            for cell in cells.dropFirst() {
                #expect(cell.element == nil && cell.content == nil && cell.attributes == nil)
                #expect(cell.frame == .zero && view.place(of: cell) == nil)
            }
        }
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func onlyWhatShowsAnotherRevisionIsFilledAgain(_ substrate: Substrate) async throws {
        let list = try await List(substrate, [.init(["a", "b", "c"], headers: ["H"])], height: 9)
        await list.clearLog()
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["c", "new"]
            changes.deleteItems(at: [ItemPath(0, 0)])
            changes.moveItem(at: ItemPath(0, 2), to: ItemPath(0, 0))
            changes.reconfigureItems(at: [ItemPath(0, 1)])
        }
        #expect(await list.log().filter { $0.hasPrefix("refilled") } == ["refilled 0 - 1"])
        #expect(await list.rows() == ["0: H", "1: c", "2: new"])
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aViewIsToldOfEveryContentThatItTakesOn(_ substrate: Substrate) async throws {
        let list = try await List(substrate, [["a", "b", "c"]], height: 1)
        try await list.onMain { view, _ throws(ViewError) in
            let identifier = SimulatedCollectionView.elementReuseIdentifier
            try view.register(Watched.self, forCellWithReuseIdentifier: identifier)
        }
        try await list.controller.reloadData()
        for _ in 0..<2 { await list.scroll(by: 1) }
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items[2] = "new"
            changes.reconfigureItems(at: [ItemPath(0, 2)])
        }
        await list.onMain { view, _ in
            view.layoutIfNeeded()
            let cell = view.cellForItem(at: ItemPath(0, 2)) as? Watched
            #expect(cell?.shownTexts.suffix(2) == ["c", "new"])
            #expect(cell?.content?.model as? String == "new")
            #expect(cell?.element === view.map.element(at: ItemPath(0, 2)))
        }
        await list.controller.close()
    }
}
