import PipelineTrace
import SimulatedView

extension Gallery {
    private static let width = 330.0
    static let insets = EdgeInsets(top: 8, left: 8, bottom: 8, right: 8)

    private static var flow: FlowSectionLayout {
        var layout = FlowSectionLayout()
        (layout.lineSpacing, layout.interitemSpacing, layout.insets) = (8, 8, insets)
        return layout
    }

    private static func masonry(_ columnCount: Int) -> MasonrySectionLayout {
        var layout = MasonrySectionLayout(columnCount: columnCount)
        (layout.lineSpacing, layout.interitemSpacing, layout.insets) = (8, 8, insets)
        return layout
    }

    /// Returns the width at which text is wrapped in a column.
    private static func columnWidth(_ columnCount: Int) -> Double {
        let gaps = 8 * Double(columnCount - 1)
        return (width - insets.left - insets.right - gaps) / Double(columnCount)
    }

    /// Returns a stage with three sections and three layouts.
    private static func mixedStage(
        _ layout: sending ComposedLayout,
        height: Double
    ) async throws -> GalleryStage {
        layout.layoutProvider = { section, _ in
            switch section {
            case 0: Gallery.flow
            case 1: Gallery.masonry(3)
            default: Gallery.masonry(2)
            }
        }
        let sections = [
            GallerySection("Flow: cities", Texts.africa),
            GallerySection(
                "Masonry, three columns: sayings",
                Texts.sayings(0..<9),
                itemWidth: columnWidth(3)
            ),
            GallerySection(
                "Masonry, two columns: books",
                Texts.openings(0..<5),
                itemWidth: columnWidth(2),
                footer: "5 books"
            ),
        ]
        return try await GalleryStage(layout, sections, width: width, height: height)
    }

    static func composedSections() async throws -> GalleryEntry {
        let stage = try await mixedStage(ComposedLayout(), height: 300)
        return GalleryEntry(
            name: "composed",
            title: "ComposedLayout: a layout for every section",
            sentence: "Sections one below the other, each with its own layout: justified lines, or"
                + " columns in which each item goes to the shortest column.",
            figures: [
                GalleryFigure(
                    "sections",
                    try await stage.picture("ComposedLayout"),
                    "FlowSectionLayout, then MasonrySectionLayout with three columns, then with two."
                ),
                GalleryFigure(
                    "horizontal",
                    try await horizontalMasonry(),
                    "If the layout scrolls horizontally, MasonrySectionLayout has rows instead of columns."
                ),
            ]
        )
    }

    private static func horizontalMasonry() async throws -> LayoutPicture {
        let layout = ComposedLayout(scrollDirection: .horizontal, defaultLayout: masonry(4))
        let sections = [
            GallerySection("Europe", Texts.europe), GallerySection("Asia", Texts.asia),
        ]
        let stage = try await GalleryStage(layout, sections, width: width, height: 140)
        return try await stage.picture("ComposedLayout, horizontal")
    }

    static func stickyHeaders() async throws -> GalleryEntry {
        let layout = ComposedLayout()
        layout.features = [StickyHeaders()]
        let stage = try await mixedStage(layout, height: 220)
        return GalleryEntry(
            name: "composed-sticky",
            title: "ComposedLayout with StickyHeaders",
            sentence: "A feature modifies the attributes that the sections' layouts return. This"
                + " feature keeps headers visible.",
            figures: try await stage.figures(scrollingTo: [0, 150, 300])
        )
    }

    private static func masonrySectionUpdate() async throws -> UpdatePicture {
        let layout = ComposedLayout(defaultLayout: masonry(3))
        let sections = [
            GallerySection("Sayings", Texts.sayings(0..<4), itemWidth: columnWidth(3)),
            GallerySection("More sayings", Texts.sayings(4..<8), itemWidth: columnWidth(3)),
        ]
        let stage = try await GalleryStage(layout, sections, width: width, height: 300)
        return try await stage.update("MasonrySectionLayout, sections") { changes, sections in
            changes.moveSection(1, toSection: 0)
            sections.swapAt(0, 1)
        }
    }

    private static func masonryItemUpdate() async throws -> UpdatePicture {
        let layout = ComposedLayout(defaultLayout: masonry(3))
        let sections = [
            GallerySection("Kept", Texts.sayings(0..<6), itemWidth: columnWidth(3)),
            GallerySection("Set aside", Texts.sayings(6..<10), itemWidth: columnWidth(3)),
        ]
        let stage = try await GalleryStage(layout, sections, width: width, height: 300)
        return try await stage.update("MasonrySectionLayout") { changes, sections in
            changes.insertItems(at: [path(0, 1)])
            changes.deleteItems(at: [path(0, 2)])
            changes.moveItem(at: path(0, 5), to: path(0, 0))
            changes.moveItem(at: path(1, 2), to: path(0, 6))
            changes.reloadItems(at: [path(1, 0)])
            let (kept, aside) = (sections[0].items, sections[1].items)
            sections[0].items = [
                kept[5], Texts.sayings[11], kept[0], kept[1], kept[3], kept[4], aside[2],
            ]
            let sentence = "Have you somewhat to do tomorrow, do it today; have you two, do both."
            sections[1].items = [GalleryItem(aside[0].key, sentence), aside[1], aside[3]]
        }
    }

    static func masonryUpdates() async throws -> GalleryEntry {
        GalleryEntry(
            name: "masonry-updates",
            title: "MasonrySectionLayout: updates",
            sentence: "Each item goes to the shortest column, so an edit may move the items"
                + " after it to other columns. Edits in other sections only shift a section.",
            figures: [
                GalleryFigure(
                    "items",
                    try await masonryItemUpdate(),
                    "“Half a truth” is inserted, “Lost time” is deleted, and the first item set"
                        + " aside is reloaded. Item 1 moves in its section, item 2 to the other."
                ),
                GalleryFigure(
                    "sections",
                    try await masonrySectionUpdate(),
                    "The second section moves to the front. Its columns do not change."
                ),
            ]
        )
    }
}
