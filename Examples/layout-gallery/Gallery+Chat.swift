import PipelineTrace
import SimulatedView

extension Gallery {
    static func chat() async throws -> GalleryEntry {
        // The newest first, as a chat is loaded.
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
        let update = try await stage.update("A message comes") { changes, sections in
            sections[0].items.insert(GalleryItem("I bring the oars."), at: 0)
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        }
        await stage.scroll(y: 50)
        return GalleryEntry(
            name: "chat",
            title: "An inverted view: a chat",
            sentence:
                "The first item is at the lower edge, and what follows lies above it, while rows stand"
                + " upright. Neither the layout nor updates know of it.",
            figures: [
                GalleryFigure("opened", opened, "Offset 0 is the lower end."),
                GalleryFigure(
                    "update",
                    update,
                    "A message is inserted at index 0: it comes in below."
                ),
                GalleryFigure(
                    "scrolled",
                    try await stage.picture("Scrolled by 50"),
                    "Scrolled by 50: older messages come in above."
                ),
            ]
        )
    }
}
