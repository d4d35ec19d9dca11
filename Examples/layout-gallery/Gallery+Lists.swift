import PipelineTrace
import SimulatedView

extension Gallery {
    private static let books = [
        GallerySection("Nineteenth century", Texts.openings(0..<4), footer: "4 books"),
        GallerySection("Read in an evening", Texts.openings(4..<8), footer: "4 books"),
    ]

    static func listOfRows() async throws -> GalleryEntry {
        let stage = try await GalleryStage(ListLayout(), books, height: 220)
        let top = try await stage.picture("ListLayout")
        await stage.scroll(y: 150)
        return GalleryEntry(
            name: "list",
            title: "ListLayout: a table",
            sentence: "Rows of full width, one below the other, each as high as its text, between"
                + " the headers and footers of their sections, which scroll by with them.",
            figures: [
                GalleryFigure("top", top, "At the top."),
                GalleryFigure(
                    "scrolled",
                    try await stage.picture("ListLayout, scrolled"),
                    "Scrolled by 150: nothing of the layout has changed, only the viewport."
                ),
            ]
        )
    }

    static func listUpdates() async throws -> GalleryEntry {
        GalleryEntry(
            name: "list-updates",
            title: "ListLayout: updates",
            sentence: "Change sets applied to a list: rows come, go, are replaced, and move within"
                + " their section and to others; sections do the same with all that is in them.",
            figures: [
                GalleryFigure(
                    "rows",
                    try await rowUpdate(),
                    "One update: Walden is inserted, “Call me Ishmael” deleted, Alice reloaded with"
                        + " another sentence; 1 moves within its section, 2 to the other."
                ),
                GalleryFigure(
                    "sections",
                    try await sectionUpdate(),
                    "One update of sections: Colours moves up whole, Africa goes, America comes."
                ),
            ]
        )
    }

    private static func rowUpdate() async throws -> UpdatePicture {
        let sections = [
            GallerySection("Novels", Texts.openings(0..<4)),
            GallerySection("For children", Texts.openings(4..<6) + Texts.openings(7..<8)),
        ]
        let stage = try await GalleryStage(ListLayout(), sections)
        return try await stage.update("Rows") { changes, sections in
            changes.deleteItems(at: [ItemPath(section: 0, item: 1)])
            changes.moveItem(
                at: ItemPath(section: 0, item: 0),
                to: ItemPath(section: 0, item: 2)
            )
            changes.moveItem(
                at: ItemPath(section: 1, item: 2),
                to: ItemPath(section: 0, item: 0)
            )
            changes.insertItems(at: [ItemPath(section: 1, item: 0)])
            changes.reloadItems(at: [ItemPath(section: 1, item: 1)])
            let novels = sections[0].items
            let others = sections[1].items
            sections[0].items = [others[2], novels[2], novels[0], novels[3]]
            let sentence = "“And what is the use of a book,” thought Alice, “without pictures?”"
            sections[1].items = [
                Texts.openings[6], others[0], GalleryItem("Alice", sentence),
            ]
        }
    }

    private static func sectionUpdate() async throws -> UpdatePicture {
        let sections = [
            GallerySection("Africa", Array(Texts.africa.prefix(3))),
            GallerySection("Asia", Array(Texts.asia.prefix(4))),
            GallerySection("Colours", Array(Texts.colours.prefix(3))),
        ]
        let stage = try await GalleryStage(ListLayout(), sections, width: 240, height: 240)
        return try await stage.update("Sections") { changes, sections in
            changes.deleteSections([0])
            changes.moveSection(2, toSection: 0)
            changes.insertSections([2])
            sections = [
                sections[2], sections[1],
                GallerySection("America", Array(Texts.america.prefix(4))),
            ]
        }
    }
}
