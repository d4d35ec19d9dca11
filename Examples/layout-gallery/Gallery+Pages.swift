import CollectionLayouts
import PipelineTrace

extension Gallery {
    static func pages() throws -> GalleryEntry {
        let layout = PagerLayout()
        layout.pageSpacing = 16
        let sections = [GallerySection("", Texts.openings(0..<4))]
        let stage = GalleryStage(layout, sections, viewport: Size(width: 180, height: 130))
        // As a view does it at the end of a fling: the layout says where that is.
        stage.scroll(to: Point(x: 70, y: 0))
        let between = try stage.picture("PagerLayout, between two pages")
        let velocity = Point(x: 0.8, y: 0)
        let proposed = Point(x: 310, y: 0)
        stage.scroll(to: layout.targetContentOffset(forProposed: proposed, velocity: velocity))
        return GalleryEntry(
            name: "pager",
            title: "PagerLayout: one item a page",
            sentence: "Every item is as large as the viewport, and scrolling ends on a page: a"
                + " fling turns one, however far it would go.",
            figures: [
                GalleryFigure("dragged", between, "Dragged to an offset of 70."),
                GalleryFigure(
                    "flung",
                    try stage.picture("PagerLayout, at the next page"),
                    "Let go with a velocity that would end at 310: the second page."
                ),
            ]
        )
    }

    static func layoutOfYourOwn() throws -> GalleryEntry {
        let section = GallerySection("", Texts.sayings(0..<5))
        let stage = GalleryStage(FanLayout(), [section], viewport: Size(width: 400, height: 230))
        var picture = try stage.picture("FanLayout")
        for index in picture.elements.indices
        where picture.elements[index].attributes.place == .cell(ItemPath(section: 0, item: 2)) {
            picture.elements[index].isSelected = true
        }
        return GalleryEntry(
            name: "own",
            title: "A layout of one's own",
            sentence: "A subclass of CollectionLayout may turn, shrink and fade what it places,"
                + " say what is in front, and decorate the content.",
            figures: [
                GalleryFigure("fan", picture, "Five cards on a mat; the one in front is selected.")
            ]
        )
    }
}
