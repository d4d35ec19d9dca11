import CollectionLayouts
import PipelineTrace

extension Gallery {
    /// A flow layout with the same distance everywhere.
    static func spaced(_ layout: FlowLayout, _ distance: Double = 8) -> FlowLayout {
        layout.minimumLineSpacing = distance
        layout.minimumInteritemSpacing = distance
        layout.sectionInset = EdgeInsets(
            top: distance,
            left: distance,
            bottom: distance,
            right: distance
        )
        return layout
    }

    static func justifiedLines() throws -> GalleryEntry {
        let sections = [
            GallerySection("Words, as wide as they are", Texts.europe + Texts.asia),
            GallerySection("Sayings, wrapped", Texts.sayings(0..<8), itemWidth: 132),
        ]
        let stage = GalleryStage(spaced(FlowLayout()), sections)
        let grid = spaced(FlowLayout())
        grid.itemSize = Size(width: 66, height: 40)
        let colours = GallerySection("Ten of equal size", Texts.colours)
        let equal = GalleryStage(grid, [colours], viewport: Size(width: 320, height: 260))
        return GalleryEntry(
            name: "flow",
            title: "FlowLayout: justified lines",
            sentence: "Items stand on lines, as many on each as fit, and are justified to both"
                + " edges; a line is as high as its highest item, and the others stand in its middle.",
            figures: [
                GalleryFigure(
                    "texts",
                    try stage.picture("FlowLayout, items of many sizes"),
                    "The last line of a section keeps to the least distance."
                ),
                GalleryFigure(
                    "grid",
                    try equal.picture("FlowLayout, items of one size"),
                    "Items of equal size stand in a grid, the last line too."
                ),
            ]
        )
    }

    static func horizontalLines() throws -> GalleryEntry {
        let layout = spaced(FlowLayout())
        layout.scrollDirection = .horizontal
        let sections = [
            GallerySection("Europe", Texts.europe), GallerySection("Africa", Texts.africa),
        ]
        let stage = GalleryStage(layout, sections, viewport: Size(width: 320, height: 160))
        let start = try stage.picture("FlowLayout, horizontal")
        return GalleryEntry(
            name: "flow-horizontal",
            title: "FlowLayout: horizontal",
            sentence: "With the axes swapped, lines are columns that fill the height, and headers"
                + " stand at the left of their sections.",
            figures: [GalleryFigure("start", start, "Two sections, read column by column.")]
        )
    }

    static func rightToLeft() throws -> GalleryEntry {
        let sections = [
            GallerySection("America", Texts.america), GallerySection("Asia", Texts.asia),
        ]
        let vertical = GalleryStage(
            spaced(FlowLayout()),
            sections,
            viewport: Size(width: 320, height: 260)
        ) { $0.isRightToLeft = true }
        let layout = spaced(FlowLayout())
        layout.scrollDirection = .horizontal
        let horizontal = GalleryStage(layout, sections, viewport: Size(width: 320, height: 130)) {
            $0.isRightToLeft = true
        }
        let width = layout.contentSize.width
        horizontal.scroll(to: Point(x: width - 320, y: 0))
        return GalleryEntry(
            name: "flow-right-to-left",
            title: "FlowLayout: right to left",
            sentence: "Where content runs from right to left, every line begins at the right; a"
                + " horizontal layout has its first section at the right end.",
            figures: [
                GalleryFigure(
                    "vertical",
                    try vertical.picture("FlowLayout, right to left"),
                    "The first item is at the upper right."
                ),
                GalleryFigure(
                    "horizontal",
                    try horizontal.picture("FlowLayout, horizontal, right to left"),
                    "The view begins at the right end of the content."
                ),
            ]
        )
    }

    static func pinnedHeaders() throws -> GalleryEntry {
        let layout = spaced(FlowLayout())
        layout.pinsSectionHeaders = true
        layout.pinsSectionFooters = true
        let sections = [
            GallerySection("Europe", Texts.europe, footer: "9 cities"),
            GallerySection("Asia", Texts.asia, footer: "8 cities"),
            GallerySection("Africa", Texts.africa, footer: "8 cities"),
        ]
        let stage = GalleryStage(layout, sections, viewport: Size(width: 230, height: 170))
        return GalleryEntry(
            name: "flow-pinned",
            title: "FlowLayout: pinned headers and footers",
            sentence: "A header stays at the viewport's upper edge while its section scrolls by, a"
                + " footer at the lower one; the next section pushes them out.",
            figures: try [0, 70, 140, 190].map { offset in
                stage.scroll(to: Point(x: 0, y: Double(offset)))
                return GalleryFigure(
                    "\(offset)",
                    try stage.picture("Scrolled by \(offset)"),
                    "Content offset \(offset)."
                )
            }
        )
    }

    static func columnFlow() throws -> GalleryEntry {
        func stage(_ width: Double) -> GalleryStage {
            let layout = ColumnFlowLayout(leastColumnWidth: 84, rowHeight: 34)
            layout.minimumLineSpacing = 8
            layout.minimumInteritemSpacing = 8
            let sections = [GallerySection("", Texts.america + Texts.europe)]
            return GalleryStage(layout, sections, viewport: Size(width: width, height: 200)) {
                $0.safeAreaInsets = EdgeInsets(left: 20)
                $0.layoutMargins = EdgeInsets(left: 12, right: 12)
            }
        }
        let turned = stage(300)
        turned.show(Rect(x: 0, y: 0, width: 520, height: 200))
        return GalleryEntry(
            name: "flow-columns",
            title: "A subclass of FlowLayout: columns",
            sentence: "ColumnFlowLayout sets its item size in prepare(), from the bounds, the"
                + " margins and the safe area: as many columns as are wide enough.",
            figures: [
                GalleryFigure(
                    "narrow",
                    try stage(300).picture("300 wide"),
                    "20 at the left is covered by a bar, and margins of 12 are kept."
                ),
                GalleryFigure(
                    "wide",
                    try turned.picture("520 wide"),
                    "The same view after it has turned: other columns."
                ),
            ]
        )
    }
}
