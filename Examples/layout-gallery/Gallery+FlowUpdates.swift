import PipelineTrace
import SimulatedView

extension Gallery {
    static func estimatedSizes() async throws -> GalleryEntry {
        let layout = spaced(FlowLayout())
        // The size from a node takes precedence over the layout's estimate, so both are the same.
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
            sentence: "An item has an estimated size until it becomes visible. Then it gets the"
                + " size that it requests; the other items keep their estimates.",
            figures: [
                GalleryFigure(
                    "flow",
                    try await flow.updateBySelfSizing("FlowLayout, estimated and then sized"),
                    "Every item is estimated as 90 × 40 at first. The last three were never visible."
                ),
                GalleryFigure(
                    "list",
                    try await rows.updateBySelfSizing("ListLayout, estimated and then sized"),
                    "Rows of 30 get the height of their text when they become visible."
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
            changes.deleteItems(at: [path(0, 2)])
            changes.insertItems(at: [path(0, 0)])
            changes.reloadItems(at: [path(1, 1)])
            changes.moveItem(at: path(0, 4), to: path(0, 7))
            changes.moveItem(at: path(1, 7), to: path(0, 3))
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
            sentence: "Edits change the line breaks, and later items follow. A line that starts"
                + " with the same item at the same place as before does not change.",
            figures: [
                GalleryFigure(
                    "items",
                    try await flowItemUpdate(),
                    "Llanfairpwll is inserted, Oslo is deleted, and Hanoi is reloaded with a"
                        + " longer name. Thessaloniki moves in its section, Colombo to the other."
                ),
                GalleryFigure(
                    "sections",
                    try await flowSectionUpdate(),
                    "Asia moves to the front, Africa is reloaded with fewer cities, Europe is"
                        + " deleted, and America is inserted."
                ),
            ]
        )
    }
}

extension Gallery {
    static func animations() async throws -> GalleryEntry {
        let sections = [GallerySection("Novels", Texts.openings(0..<6))]
        let stage = try await GalleryStage(ListLayout(), sections, height: 260)
        let update = try await stage.update("Before and after") { changes, sections in
            func path(_ item: Int) -> [ItemPath] { [ItemPath(section: 0, item: item)] }
            changes.deleteItems(at: path(1), animation: .leading)
            changes.deleteItems(at: path(5), animation: .none)
            changes.insertItems(at: path(3), animation: .trailing)
            changes.insertItems(at: path(5), animation: .bottom)
            sections[0].items.remove(at: 5)
            sections[0].items.remove(at: 1)
            sections[0].items.insert(Texts.openings[6], at: 3)
            sections[0].items.insert(Texts.openings[7], at: 5)
        }
        var middle = await stage.middle(of: update, "Halfway")
        middle.area = Rect(x: -160, y: 0, width: 640, height: 260)
        return GalleryEntry(
            name: "list-animation",
            title: "ListLayout: an animated update",
            sentence: "Each edit names its animation, the layout provides the start and end"
                + " attributes, and the view reports the transition of each element. Moby-Dick"
                + " leaves through the leading edge, Walden enters through the trailing edge, and"
                + " A Christmas Carol enters from below, where Alice disappears without animation.",
            figures: [
                GalleryFigure("edits", update, "The recorded update."),
                GalleryFigure(
                    "halfway",
                    middle,
                    "The same update halfway: rows close the gap of the deleted row, and make room"
                        + " for the row that enters through the edge."
                ),
            ]
        )
    }
}
