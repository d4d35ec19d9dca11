import CollectionLayouts
import PipelineTrace

extension Gallery {
    static func estimatedSizes() throws -> GalleryEntry {
        let layout = spaced(FlowLayout())
        layout.estimatedItemSize = Size(width: 90, height: 40)
        let section = GallerySection("Sayings", Texts.sayings, itemWidth: 140)
        let flow = GalleryStage(layout, [section], viewport: Size(width: 320, height: 150)) {
            $0.isMeasured = false
        }
        let list = ListLayout()
        list.estimatesHeights = true
        list.rowHeight = 30
        let books = [GallerySection("Books", Texts.openings(0..<9))]
        let rows = GalleryStage(list, books, viewport: Size(width: 320, height: 220)) {
            $0.isMeasured = false
        }
        return GalleryEntry(
            name: "estimates",
            title: "Estimated sizes",
            sentence: "Until an item is shown it has an estimated size; what comes into sight then"
                + " says what it wants, and the rest keeps its estimate.",
            figures: [
                GalleryFigure(
                    "flow",
                    try flow.updateBySelfSizing("FlowLayout, estimated and then sized"),
                    "Every item is taken for 90 × 40 at first; the last three were never in sight."
                ),
                GalleryFigure(
                    "list",
                    try rows.updateBySelfSizing("ListLayout, estimated and then sized"),
                    "Rows of 30 take the height of their text; those below the viewport do not yet."
                ),
            ]
        )
    }

    private static func flowItemUpdate() throws -> UpdatePicture {
        let stage = GalleryStage(
            spaced(FlowLayout()),
            [GallerySection("Europe", Texts.europe), GallerySection("Asia", Texts.asia)],
            viewport: Size(width: 300, height: 260)
        )
        return try stage.update("Cities") { changes, sections in
            changes.deleteItems(at: [ItemPath(section: 0, item: 2)])
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            changes.reloadItems(at: [ItemPath(section: 1, item: 1)])
            changes.moveItem(
                from: ItemPath(section: 0, item: 4),
                to: ItemPath(section: 0, item: 7)
            )
            changes.moveItem(
                from: ItemPath(section: 1, item: 7),
                to: ItemPath(section: 0, item: 3)
            )
            let (europe, asia) = (sections[0].items, sections[1].items)
            sections[0].items = [
                GalleryItem("Llanfairpwll"), europe[0], europe[1], asia[7], europe[3], europe[5],
                europe[6], europe[4], europe[7], europe[8],
            ]
            sections[1].items = Array(asia.prefix(7))
            sections[1].items[1] = GalleryItem("Hanoi", "Hà Nội, formerly Thăng Long")
        }
    }

    private static func flowSectionUpdate() throws -> UpdatePicture {
        let stage = GalleryStage(
            spaced(FlowLayout()),
            [
                GallerySection("Europe", Array(Texts.europe.prefix(5))),
                GallerySection("Africa", Texts.africa),
                GallerySection("Asia", Array(Texts.asia.prefix(5))),
            ],
            viewport: Size(width: 300, height: 260)
        )
        return try stage.update("Continents") { changes, sections in
            changes.deleteSections([0])
            changes.reloadSections([1])
            changes.moveSection(2, to: 0)
            changes.insertSections([1])
            sections = [
                sections[2], GallerySection("America", Array(Texts.america.prefix(4))),
                GallerySection("Africa, in short", Array(Texts.africa.prefix(3))),
            ]
        }
    }

    static func flowUpdates() throws -> GalleryEntry {
        GalleryEntry(
            name: "flow-updates",
            title: "FlowLayout: updates",
            sentence: "What is edited makes lines break elsewhere, and what is behind it follows; a"
                + " line that begins where one began before stays as it was.",
            figures: [
                GalleryFigure(
                    "items",
                    try flowItemUpdate(),
                    "Llanfairpwll comes, Oslo goes, Hanoi is reloaded with a longer name;"
                        + " Thessaloniki moves within its section, Colombo to the other."
                ),
                GalleryFigure(
                    "sections",
                    try flowSectionUpdate(),
                    "Asia moves to the front, Africa is reloaded with fewer cities, Europe goes, and"
                        + " America comes."
                ),
            ]
        )
    }
}
