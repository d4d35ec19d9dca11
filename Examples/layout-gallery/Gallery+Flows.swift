import PipelineTrace
import SimulatedView

extension Gallery {
    static func path(_ section: Int, _ item: Int) -> ItemPath {
        ItemPath(section: section, item: item)
    }

    /// Sets the same distance everywhere in a flow layout.
    static func spaced(_ layout: FlowLayout) -> FlowLayout {
        layout.minimumLineSpacing = 8
        layout.minimumInteritemSpacing = 8
        layout.sectionInset = insets
        return layout
    }

    static func justifiedLines() async throws -> GalleryEntry {
        let sections = [
            GallerySection("Words, as wide as they are", Texts.europe + Texts.asia),
            GallerySection("Sayings, wrapped", Texts.sayings(0..<8), itemWidth: 132),
        ]
        let stage = try await GalleryStage(spaced(FlowLayout()), sections)
        let grid = spaced(FlowLayout())
        grid.itemSize = Size(width: 66, height: 40)
        let colours = GallerySection("Ten of equal size", Texts.colours)
        let equal = try await GalleryStage(grid, [colours], height: 260)
        return GalleryEntry(
            name: "flow",
            title: "FlowLayout: justified lines",
            sentence: "Each line has as many items as fit, justified to both edges. A line is as"
                + " high as its highest item, and the others are centred vertically.",
            figures: [
                GalleryFigure(
                    "texts",
                    try await stage.picture("FlowLayout, items of many sizes"),
                    "The last line of a section uses the minimum distance."
                ),
                GalleryFigure(
                    "grid",
                    try await equal.picture("FlowLayout, items of one size"),
                    "Items of equal size form a grid, including the last line."
                ),
            ]
        )
    }

    static func horizontalLines() async throws -> GalleryEntry {
        let layout = spaced(FlowLayout())
        layout.scrollDirection = .horizontal
        let sections = [
            GallerySection("Europe", Texts.europe), GallerySection("Africa", Texts.africa),
        ]
        let stage = try await GalleryStage(layout, sections, height: 160)
        let start = try await stage.picture("FlowLayout, horizontal")
        return GalleryEntry(
            name: "flow-horizontal",
            title: "FlowLayout: horizontal",
            sentence: "If the axes are swapped, lines become columns that fill the height, and"
                + " headers are at the left of their sections.",
            figures: [GalleryFigure("start", start, "Two sections, read column by column.")]
        )
    }

    static func rightToLeft() async throws -> GalleryEntry {
        let sections = [
            GallerySection("America", Texts.america), GallerySection("Asia", Texts.asia),
        ]
        let vertical = try await GalleryStage(
            spaced(FlowLayout()),
            sections,
            height: 260
        ) { $0.isRightToLeft = true }
        let layout = spaced(FlowLayout())
        layout.scrollDirection = .horizontal
        let horizontal = try await GalleryStage(layout, sections, height: 130) {
            $0.isRightToLeft = true
        }
        return GalleryEntry(
            name: "flow-right-to-left",
            title: "FlowLayout: right to left",
            sentence: "If the content runs from right to left, every line begins at the right. A"
                + " horizontal layout has its first section at the right end.",
            figures: [
                GalleryFigure(
                    "vertical",
                    try await vertical.picture("FlowLayout, right to left"),
                    "The first item is at the upper right."
                ),
                GalleryFigure(
                    "horizontal",
                    try await horizontal.picture("FlowLayout, horizontal, right to left"),
                    "The view begins at the right end of the content."
                ),
            ]
        )
    }

    static func pinnedHeaders() async throws -> GalleryEntry {
        let layout = spaced(FlowLayout())
        layout.sectionHeadersPinToVisibleBounds = true
        layout.sectionFootersPinToVisibleBounds = true
        let sections = [
            GallerySection("Europe", Texts.europe, footer: "9 cities"),
            GallerySection("Asia", Texts.asia, footer: "8 cities"),
            GallerySection("Africa", Texts.africa, footer: "8 cities"),
        ]
        let stage = try await GalleryStage(layout, sections, width: 230, height: 170)
        return GalleryEntry(
            name: "flow-pinned",
            title: "FlowLayout: pinned headers and footers",
            sentence: "A header stays at the upper edge of the viewport while its section scrolls,"
                + " and a footer at the lower edge. The next section pushes them out.",
            figures: try await stage.figures(scrollingTo: [0, 70, 140, 190])
        )
    }

    static func columnFlow() async throws -> GalleryEntry {
        func stage(_ width: Double) async throws -> GalleryStage {
            let layout = spaced(ColumnFlowLayout(leastColumnWidth: 84, rowHeight: 34))
            let sections = [GallerySection("", Texts.america + Texts.europe)]
            return try await GalleryStage(layout, sections, width: width, height: 200) {
                $0.contentInsetAdjustmentBehavior = .always
                $0.safeAreaInsets = EdgeInsets(left: 20)
                $0.layoutMargins = EdgeInsets(left: 12, right: 12)
            }
        }
        let turned = try await stage(300)
        await turned.withView { $0.resize(to: Size(width: 520, height: 200)) }
        return GalleryEntry(
            name: "flow-columns",
            title: "A subclass of FlowLayout: columns",
            sentence: "ColumnFlowLayout computes its item size in prepare() from the bounds, the"
                + " margins and the safe area, for as many columns as fit.",
            figures: [
                GalleryFigure(
                    "narrow",
                    try await stage(300).picture("300 wide"),
                    "A bar covers 20 at the left, and the margins are 12."
                ),
                GalleryFigure(
                    "wide",
                    try await turned.picture("520 wide"),
                    "The same view after a rotation, with another number of columns."
                ),
            ]
        )
    }
}
