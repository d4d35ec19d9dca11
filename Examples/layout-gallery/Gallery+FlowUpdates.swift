import PipelineTrace
import SimulatedView

extension Gallery {
    static func estimatedSizes() async throws -> GalleryEntry {
        let layout = spaced(FlowLayout())
        // What nodes say comes before the layout's own estimate, so they say the same.
        let estimate = Size(width: 90, height: 40)
        layout.estimatedItemSize = estimate
        var sayings = GallerySection("Sayings", Texts.sayings, itemWidth: 140)
        sayings.estimate = estimate
        let flow = try await GalleryStage(layout, [sayings], height: 150)
        let list = ListLayout()
        list.estimatesHeights = true
        var books = GallerySection("Books", Texts.openings(0..<9))
        books.estimate = Size(width: 0, height: 30)
        let rows = try await GalleryStage(list, [books], height: 220)
        return GalleryEntry(
            name: "estimates",
            title: "Estimated sizes",
            sentence: "Until an item is shown it has an estimated size; what becomes visible then"
                + " says what it wants, and the rest keeps its estimate.",
            figures: [
                GalleryFigure(
                    "flow",
                    try await flow.updateBySelfSizing("FlowLayout, estimated and then sized"),
                    "Every item is taken for 90 × 40 at first; the last three were never in sight."
                ),
                GalleryFigure(
                    "list",
                    try await rows.updateBySelfSizing("ListLayout, estimated and then sized"),
                    "Rows of 30 take the height of their text; those below the viewport do not yet."
                ),
            ]
        )
    }

    private static func flowItemUpdate() async throws -> UpdatePicture {
        let stage = try await GalleryStage(
            spaced(FlowLayout()),
            [GallerySection("Europe", Texts.europe), GallerySection("Asia", Texts.asia)],
            width: 300,
            height: 260
        )
        return try await stage.update("Cities") { changes, sections in
            changes.deleteItems(at: [ItemPath(section: 0, item: 2)])
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            changes.reloadItems(at: [ItemPath(section: 1, item: 1)])
            changes.moveItem(
                at: ItemPath(section: 0, item: 4),
                to: ItemPath(section: 0, item: 7)
            )
            changes.moveItem(
                at: ItemPath(section: 1, item: 7),
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

    private static func flowSectionUpdate() async throws -> UpdatePicture {
        let stage = try await GalleryStage(
            spaced(FlowLayout()),
            [
                GallerySection("Europe", Array(Texts.europe.prefix(5))),
                GallerySection("Africa", Texts.africa),
                GallerySection("Asia", Array(Texts.asia.prefix(5))),
            ],
            width: 300,
            height: 260
        )
        return try await stage.update("Continents") { changes, sections in
            changes.deleteSections([0])
            changes.reloadSections([1])
            changes.moveSection(2, toSection: 0)
            changes.insertSections([1])
            sections = [
                sections[2], GallerySection("America", Array(Texts.america.prefix(4))),
                GallerySection("Africa, in short", Array(Texts.africa.prefix(3))),
            ]
        }
    }

    static func flowUpdates() async throws -> GalleryEntry {
        GalleryEntry(
            name: "flow-updates",
            title: "FlowLayout: updates",
            sentence: "What is edited makes lines break elsewhere, and what is behind it follows; a"
                + " line that begins where one began before stays as it was.",
            figures: [
                GalleryFigure(
                    "items",
                    try await flowItemUpdate(),
                    "Llanfairpwll comes, Oslo goes, Hanoi is reloaded with a longer name;"
                        + " Thessaloniki moves within its section, Colombo to the other."
                ),
                GalleryFigure(
                    "sections",
                    try await flowSectionUpdate(),
                    "Asia moves to the front, Africa is reloaded with fewer cities, Europe goes, and"
                        + " America comes."
                ),
            ]
        )
    }
}
