import CollectionLayouts
import PipelineTrace

extension Gallery {
    private static func spaced(_ layout: FlowLayout, _ distance: Double = 8) -> FlowLayout {
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

    static func sectionMetrics() throws -> GalleryEntry {
        let stage = GalleryStage(spaced(FlowLayout()), sectionsWithMetrics())
        let picture = try stage.picture("FlowLayout, sections with metrics")
        let update = try stage.update("A section moves with its metrics") { changes, sections in
            changes.moveSection(2, to: 0)
            sections = [sections[2], sections[0], sections[1]]
        }
        return GalleryEntry(
            name: "flow-metrics",
            title: "FlowLayout: metrics from section contexts",
            sentence: "A section's context, which it was inserted with, may say how large its items"
                + " are, how far apart, and how far from the edges; it goes where the section goes.",
            figures: [
                GalleryFigure(
                    "contexts",
                    picture,
                    "Large items close together, small ones far apart, and a wide inset."
                ),
                GalleryFigure("moved", update, "The third section becomes the first."),
            ]
        )
    }

    private static func sectionsWithMetrics() -> [GallerySection] {
        var (large, small, inset) = (
            GallerySection("Large and close", Array(Texts.europe.prefix(6))),
            GallerySection("Small and far apart", Array(Texts.colours.prefix(8))),
            GallerySection("Within a wide inset", Array(Texts.america.prefix(4)))
        )
        large.context = MetricsContext(
            FlowSectionMetrics(
                itemSize: Size(width: 98, height: 48),
                inset: EdgeInsets(top: 4, left: 4, bottom: 4, right: 4),
                minimumLineSpacing: 3,
                minimumInteritemSpacing: 3
            )
        )
        small.context = MetricsContext(
            FlowSectionMetrics(
                itemSize: Size(width: 64, height: 22),
                minimumLineSpacing: 18,
                minimumInteritemSpacing: 18
            )
        )
        inset.context = MetricsContext(
            FlowSectionMetrics(inset: EdgeInsets(top: 10, left: 60, bottom: 20, right: 60))
        )
        return [large, small, inset]
    }

    static func estimatedSizes() throws -> GalleryEntry {
        let layout = spaced(FlowLayout())
        layout.estimatedItemSize = Size(width: 90, height: 40)
        let section = GallerySection("Sayings", Texts.sayings, itemWidth: 140)
        let flow = GalleryStage(layout, [section], viewport: Size(width: 320, height: 150)) {
            $0.isMeasured = false
        }
        let list = ListLayout()
        list.estimatesHeights = true
        list.rowHeight = 30
        let books = [GallerySection("Books", Texts.openings(0..<9))]
        let rows = GalleryStage(list, books, viewport: Size(width: 320, height: 220)) {
            $0.isMeasured = false
        }
        return GalleryEntry(
            name: "estimates",
            title: "Estimated sizes",
            sentence: "Until an item is shown it has an estimated size; what comes into sight then"
                + " says what it wants, and the rest keeps its estimate.",
            figures: [
                GalleryFigure(
                    "flow",
                    try flow.updateBySelfSizing("FlowLayout, estimated and then sized"),
                    "Every item is taken for 90 × 40 at first; the last three were never in sight."
                ),
                GalleryFigure(
                    "list",
                    try rows.updateBySelfSizing("ListLayout, estimated and then sized"),
                    "Rows of 30 take the height of their text; those below the viewport do not yet."
                ),
            ]
        )
    }

    private static func flowSectionUpdate() throws -> UpdatePicture {
        let stage = GalleryStage(
            spaced(FlowLayout()),
            [
                GallerySection("Europe", Array(Texts.europe.prefix(5))),
                GallerySection("Africa", Texts.africa),
                GallerySection("Asia", Array(Texts.asia.prefix(5))),
            ],
            viewport: Size(width: 300, height: 260)
        )
        return try stage.update("Continents") { changes, sections in
            changes.deleteSections([0])
            changes.reloadSections([1])
            changes.moveSection(2, to: 0)
            changes.insertSections([1])
            sections = [
                sections[2], GallerySection("America", Array(Texts.america.prefix(4))),
                GallerySection("Africa, in short", Array(Texts.africa.prefix(3))),
            ]
        }
    }

    static func flowUpdates() throws -> GalleryEntry {
        let stage = GalleryStage(
            spaced(FlowLayout()),
            [GallerySection("Europe", Texts.europe), GallerySection("Asia", Texts.asia)],
            viewport: Size(width: 300, height: 260)
        )
        let update = try stage.update("Cities") { changes, sections in
            changes.deleteItems(at: [ItemPath(section: 0, item: 2)])
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            changes.reloadItems(at: [ItemPath(section: 1, item: 1)])
            changes.moveItem(
                from: ItemPath(section: 0, item: 4),
                to: ItemPath(section: 0, item: 7)
            )
            changes.moveItem(
                from: ItemPath(section: 1, item: 7),
                to: ItemPath(section: 0, item: 3)
            )
            let (europe, asia) = (sections[0].items, sections[1].items)
            sections[0].items = [
                GalleryItem("Llanfairpwll"), europe[0], europe[1], asia[7], europe[3], europe[5],
                europe[6], europe[4], europe[7], europe[8],
            ]
            sections[1].items = Array(asia.prefix(7))
            sections[1].items[1] = GalleryItem("Hanoi", "Hà Nội, formerly Thăng Long")
        }
        return GalleryEntry(
            name: "flow-updates",
            title: "FlowLayout: updates",
            sentence: "What is edited makes lines break elsewhere, and what is behind it follows; a"
                + " line that begins where one began before stays as it was.",
            figures: [
                GalleryFigure(
                    "items",
                    update,
                    "Llanfairpwll comes, Oslo goes, Hanoi is reloaded with a longer name;"
                        + " Thessaloniki moves within its section, Colombo to the other."
                ),
                GalleryFigure(
                    "sections",
                    try flowSectionUpdate(),
                    "Asia moves to the front, Africa is reloaded with three cities, Europe goes, and"
                        + " America comes."
                ),
            ]
        )
    }
}

/// A section context with metrics of its section.
private final class MetricsContext: FlowSectionMetricsProviding {
    let flowMetrics: FlowSectionMetrics

    init(_ metrics: FlowSectionMetrics) { flowMetrics = metrics }
}
