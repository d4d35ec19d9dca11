import PipelineTrace
import SimulatedView

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
            sentence: "Every edit says how it is animated, the layout where that has rows come from"
                + " and go to, and the view tells how each gets there: Moby-Dick leaves over the"
                + " leading edge, Walden comes over the trailing one, and A Christmas Carol from below,"
                + " where Alice is gone at once.",
            figures: [
                GalleryFigure("edits", update, "The update as it was recorded."),
                GalleryFigure(
                    "halfway",
                    middle,
                    "The same update halfway: rows close up behind the one that leaves, and make room"
                        + " for the one that comes over the edge."
                ),
            ]
        )
    }
}
