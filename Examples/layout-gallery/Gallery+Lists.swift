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
            sentence: "Rows of full width, each as high as its text, between the headers and"
                + " footers of their sections. Headers and footers scroll with the rows.",
            figures: [
                GalleryFigure("top", top, "At the top."),
                GalleryFigure(
                    "scrolled",
                    try await stage.picture("ListLayout, scrolled"),
                    "Scrolled by 150: only the viewport has changed, not the layout."
                ),
            ]
        )
    }

    static func listUpdates() async throws -> GalleryEntry {
        GalleryEntry(
            name: "list-updates",
            title: "ListLayout: updates",
            sentence: "Change sets applied to a list: rows are inserted, deleted, replaced, and"
                + " moved in their section and to others. The same happens to whole sections.",
            figures: [
                GalleryFigure(
                    "rows",
                    try await rowUpdate(),
                    "One update: Walden is inserted, “Call me Ishmael” is deleted, and Alice is"
                        + " reloaded with another sentence. Row 1 moves in its section, row 2 to"
                        + " the other."
                ),
                GalleryFigure(
                    "sections",
                    try await sectionUpdate(),
                    "One update of sections: Colours moves up, Africa is deleted, America is inserted."
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
            changes.deleteItems(at: [path(0, 1)])
            changes.moveItem(at: path(0, 0), to: path(0, 2))
            changes.moveItem(at: path(1, 2), to: path(0, 0))
            changes.insertItems(at: [path(1, 0)])
            changes.reloadItems(at: [path(1, 1)])
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

extension Gallery {
    static func chat() async throws -> GalleryEntry {
        // The newest message is first, as a chat is loaded.
        let messages = [
            GalleryItem("Nine, at the bridge?"), GalleryItem("It does look clear from here."),
            GalleryItem("Only if the fog lifts."), GalleryItem("Shall we row out tomorrow?"),
            GalleryItem("So is mine."), GalleryItem("The boat is mended, and painted too."),
        ]
        let stage = try await GalleryStage(
            ListLayout(),
            [GallerySection("", messages)],
            width: 220,
            height: 110
        ) {
            $0.isInverted = true
        }
        let opened = try await stage.picture("Opened")
        let update = try await stage.update("A message is inserted") { changes, sections in
            sections[0].items.insert(GalleryItem("I bring the oars."), at: 0)
            changes.insertItems(at: [path(0, 0)])
        }
        await stage.scroll(y: 50)
        return GalleryEntry(
            name: "chat",
            title: "An inverted view: a chat",
            sentence:
                "The first item is at the lower edge and later items are above it, while each row"
                + " is upright. The layout and the updates are the same as without inversion.",
            figures: [
                GalleryFigure("opened", opened, "Offset 0 is the lower end."),
                GalleryFigure(
                    "update",
                    update,
                    "A message is inserted at index 0 and appears at the lower end."
                ),
                GalleryFigure(
                    "scrolled",
                    try await stage.picture("Scrolled by 50"),
                    "Scrolled by 50: older messages appear above."
                ),
            ]
        )
    }
}
