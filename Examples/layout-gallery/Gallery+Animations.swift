import PipelineTrace
import SimulatedView

extension Gallery {
    static func animations() async throws -> GalleryEntry {
        let layout = ListLayout()
        layout.deletionAnimation = .left
        layout.insertionAnimation = .right
        let sections = [GallerySection("Novels", Texts.openings(0..<6))]
        let stage = try await GalleryStage(layout, sections, height: 260)
        let update = try await stage.update("Before and after") { changes, sections in
            changes.deleteItems(at: [ItemPath(section: 0, item: 1)])
            changes.insertItems(at: [ItemPath(section: 0, item: 3)])
            sections[0].items.remove(at: 1)
            sections[0].items.insert(Texts.openings[6], at: 3)
        }
        var middle = await stage.middle(of: update, "Halfway")
        middle.area = Rect(x: -160, y: 0, width: 640, height: 260)
        return GalleryEntry(
            name: "list-animation",
            title: "ListLayout: an animated update",
            sentence: "The layout says where rows come from and go to, and the view tells how each"
                + " gets there: Moby-Dick leaves over the left edge, Walden comes over the right one.",
            figures: [
                GalleryFigure("edits", update, "The update as it was recorded."),
                GalleryFigure(
                    "halfway",
                    middle,
                    "The same update halfway: rows close up behind the one that leaves, and make room"
                        + " for the one that comes."
                ),
            ]
        )
    }
}
