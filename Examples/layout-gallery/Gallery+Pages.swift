import PipelineTrace
import SimulatedView

extension Gallery {
    static func pages() async throws -> GalleryEntry {
        let layout = PagerLayout()
        layout.pageSpacing = 16
        let sections = [GallerySection("", Texts.openings(0..<4))]
        let stage = try await GalleryStage(layout, sections, width: 180, height: 130)
        await stage.scroll(x: 70)
        let between = try await stage.picture("PagerLayout, between two pages")
        await stage.withView {
            $0.endDragging(at: Point(x: 310, y: 0), velocity: Point(x: 0.8, y: 0))
        }
        return GalleryEntry(
            name: "pager",
            title: "PagerLayout: one item a page",
            sentence: "Every item is as large as the viewport, and scrolling ends on a page: a"
                + " fling turns one, however far it would go.",
            figures: [
                GalleryFigure("dragged", between, "Dragged to an offset of 70."),
                GalleryFigure(
                    "flung",
                    try await stage.picture("PagerLayout, at the next page"),
                    "Let go with a velocity that would end at 310: the second page."
                ),
            ]
        )
    }

    static func layoutOfYourOwn() async throws -> GalleryEntry {
        let section = GallerySection("", Texts.sayings(0..<5))
        let stage = try await GalleryStage(FanLayout(), [section], width: 400, height: 230)
        try await stage.withView { try $0.selectItem(at: ItemPath(section: 0, item: 2)) }
        return GalleryEntry(
            name: "own",
            title: "A layout of one's own",
            sentence: "A subclass of CollectionLayout may turn, shrink and fade what it places,"
                + " say what is in front, and decorate the content.",
            figures: [
                GalleryFigure(
                    "fan",
                    try await stage.picture("FanLayout"),
                    "Five cards on a mat; the one in front is selected."
                )
            ]
        )
    }
}
