import CollectionLayouts
import PipelineTrace
import Testing

@testable import layout_gallery

/// What the gallery does to layouts is what a view does.
@Suite struct GalleryStageTests {
    private let sections = [GallerySection("", "abcde".map { GalleryItem(String($0)) })]

    private func makeLayout() -> ListLayout {
        let layout = ListLayout()
        layout.rowHeight = 20
        return layout
    }

    @Test func anUpdatedLayoutIsAsOneFromScratch() throws {
        let stage = GalleryStage(makeLayout(), sections)
        let picture = try stage.update { changes, sections in
            changes.moveItem(
                from: ItemPath(section: 0, item: 4),
                to: ItemPath(section: 0, item: 0)
            )
            changes.deleteItems(at: [ItemPath(section: 0, item: 2)])
            sections[0].items = "eabd".map { GalleryItem(String($0)) }
        }
        let fresh = GalleryStage(makeLayout(), stage.host.sections)
        #expect(try picture.new == fresh.picture())
        #expect(picture.old.elements.count == 5 && picture.edits.count == 2)
    }

    @Test func aRecordThatDoesNotFitIsAnError() {
        let stage = GalleryStage(makeLayout(), sections)
        #expect(throws: HierarchyUpdateError.self) {
            try stage.update { _, sections in sections[0].items.removeLast() }
        }
    }

    @Test func whatALayoutCouldNotUseIsAnError() {
        let layout = makeLayout()
        layout.rowHeight = .nan
        let stage = GalleryStage(layout, sections)
        #expect(throws: LayoutError.self) { try stage.picture() }
    }

    @Test func layoutsAreToldOfEditsInTheirOrder() throws {
        var changes = HierarchyChangeSet()
        changes.insertSections([1])
        changes.deleteSections([2])
        changes.moveItem(from: ItemPath(section: 0, item: 1), to: ItemPath(section: 0, item: 0))
        changes.reloadItems(at: [ItemPath(section: 0, item: 2)])
        changes.insertItems(at: [ItemPath(section: 0, item: 2)])
        changes.deleteItems(at: [ItemPath(section: 0, item: 0)])
        let update = try changes.validated(from: [3, 1, 1], to: [3, 1, 1])
        #expect(
            LayoutUpdateItem.items(of: update) == [
                .deleteItem(ItemPath(section: 0, item: 0)), .deleteSection(2),
                .insertItem(ItemPath(section: 0, item: 2)), .insertSection(1),
                .reloadItem(
                    old: ItemPath(section: 0, item: 2),
                    new: ItemPath(section: 0, item: 1)
                ),
                .moveItem(old: ItemPath(section: 0, item: 1), new: ItemPath(section: 0, item: 0)),
            ]
        )
    }

    @Test(arguments: [(300.0, 2.0), (520, 5), (40, 1), (1, 1)])
    func columnsFillTheRoomAndNoMore(width: Double, columns: Double) throws {
        let layout = ColumnFlowLayout(leastColumnWidth: 84, rowHeight: 34)
        layout.minimumInteritemSpacing = 8
        let stage = GalleryStage(layout, sections, viewport: Size(width: width, height: 100)) {
            $0.safeAreaInsets = EdgeInsets(left: 20)
            $0.layoutMargins = EdgeInsets(left: 12, right: 12)
        }
        let room = max(0, width - 44)
        let used = columns * layout.itemSize.width + (columns - 1) * 8
        #expect(used <= room && room - used < columns / 2)
        #expect(
            stage.layout.attributesForItem(at: ItemPath(section: 0, item: 0)) != nil || room == 0
        )
    }
}
