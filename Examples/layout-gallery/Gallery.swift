import PipelineTrace
import SimulatedView

/// The entries of the gallery, in the order of the page.
enum Gallery {
    /// Creates all entries.
    static func entries() async throws -> [GalleryEntry] {
        try await [
            listOfRows(), listUpdates(), animations(),
            justifiedLines(), horizontalLines(), rightToLeft(), pinnedHeaders(),
            columnFlow(), sectionMetrics(), estimatedSizes(), flowUpdates(),
            pages(), ranges(), chat(),
            composedSections(), stickyHeaders(), masonryUpdates(),
            layoutOfYourOwn(),
        ]
    }

    /// Returns the name and the content of each file: the page, and every picture on its own.
    static func files() async throws -> [(name: String, content: String)] {
        let entries = try await entries()
        var files = [(name: "index.html", content: GalleryPage(entries).html)]
        for entry in entries {
            for figure in entry.figures {
                let name = "\(entry.name)-\(figure.name)"
                files.append(("\(name).svg", figure.svg(named: name)))
            }
        }
        return files
    }
}

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
            title: "PagerLayout: one item per page",
            sentence: "Every item is as large as the viewport, and scrolling ends on a page. A"
                + " fling moves by one page, regardless of its velocity.",
            figures: [
                GalleryFigure("dragged", between, "Dragged to an offset of 70."),
                GalleryFigure(
                    "flung",
                    try await stage.picture("PagerLayout, at the next page"),
                    "Released with a velocity that would end at 310: the view stops at the second page."
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
            title: "A custom layout",
            sentence: "A subclass of CollectionLayout may rotate, scale and fade elements, define"
                + " their order from back to front, and add decorations.",
            figures: [
                GalleryFigure(
                    "fan",
                    try await stage.picture("FanLayout"),
                    "Five cards on a mat. The card in front is selected."
                )
            ]
        )
    }
}
