import CollectionLayouts
import SimulatedView

/// Panels side by side with a title, captions, arrows, notes and a legend: the content of an SVG
/// file.
struct PictureSheet {
    let title: String
    let panels: [PicturePanel]
    /// The arrows, each from a frame in the first panel to a frame in the last.
    let arrows: [(old: Rect, new: Rect)]
    let style: PictureStyle

    private static let margin = 10.0
    /// The distance between panels, which leaves room for the curves of the arrows.
    private static let gutter = 76.0
    private static let lineHeight = 15.0
    private static let leastWidth = 240.0

    /// Returns the whole SVG text.
    func svg() -> String {
        let margin = Self.margin
        let panelWidths = panels.map(\.area.shown.size.width)
        let panelsWidth =
            panelWidths.reduce(0, +) + Self.gutter * Double(max(0, panels.count - 1))
        let width = max(panelsWidth, Self.leastWidth)
        let columns = Int(width / PictureText.cellSize.width)
        let titleLines = PictureText.lines(of: String(title.prefix(500)), columns: columns)
        let hasCaptions = panels.count > 1
        let headLines = Double(titleLines.count) + (hasCaptions ? 1 : 0)
        let panelTop = margin + headLines * Self.lineHeight + (headLines > 0 ? 6 : 0)
        let bottom = panelTop + (panels.map(\.area.shown.size.height).max() ?? 0)
        var body = SVGWriter()
        for (index, line) in titleLines.enumerated() {
            drawLine(line, x: margin, y: margin + Double(index) * Self.lineHeight, "bold", &body)
        }
        var origins: [Point] = []
        var x = margin
        for panelWidth in panelWidths {
            origins.append(Point(x: x, y: panelTop))
            x += panelWidth + Self.gutter
        }
        drawPanels(at: origins, captionsAt: hasCaptions ? panelTop - 21 : nil, &body)
        let end = drawFoot(from: bottom + 10, columns, width, &body)
        return document(body, width: width + 2 * margin, height: end + margin)
    }

    private func document(_ body: SVGWriter, width: Double, height: Double) -> String {
        let scale = style.usableScale
        let box = "0 0 \(SVGText.number(width)) \(SVGText.number(height))"
        var writer = SVGWriter()
        writer.element(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": .number(width * scale),
                "height": .number(height * scale), "viewBox": .text(box), "role": "img",
                "font-family": "DejaVu Sans Mono, Menlo, Consolas, monospace",
                "font-size": .number(PictureText.fontSize), "fill": "#111111",
            ]
        ) { writer in
            if !title.isEmpty { writer.element("title", [:], text: title) }
            if panels.contains(where: \.isMarked) {
                writer.element("defs", [:]) { writer in
                    for mark in EditMark.allCases { mark.definePattern(&writer, style) }
                }
            }
            writer.rect(
                Rect(x: 0, y: 0, width: width, height: height),
                ["class": "paper", "fill": "#ffffff"]
            )
            writer.append(body)
        }
        return writer.text
    }

    private func drawPanels(
        at origins: [Point],
        captionsAt captionY: Double?,
        _ writer: inout SVGWriter
    ) {
        if let captionY {
            for (origin, caption) in zip(origins, ["before", "after"]) {
                drawLine(caption, x: origin.x, y: captionY, "bold", &writer)
            }
        }
        let arrows = placedArrows(origins)
        for (panel, origin) in zip(panels, origins) { panel.drawContent(at: origin, &writer) }
        for arrow in arrows { arrow.drawLine(&writer) }
        for (panel, origin) in zip(panels, origins) {
            panel.drawElements(at: origin, &writer, style)
        }
        for arrow in arrows { arrow.drawEnds(&writer) }
        for (panel, origin) in zip(panels, origins) { panel.drawBadges(at: origin, &writer) }
    }

    private func placedArrows(_ origins: [Point]) -> [MoveArrow] {
        guard let first = panels.first, let last = panels.last else { return [] }
        return arrows.map { arrow in
            let start = Self.onSheet(arrow.old, of: first, at: origins[0])
            let end = Self.onSheet(arrow.new, of: last, at: origins[origins.count - 1])
            // The tip is in the padding, where neither this element nor its neighbour has text.
            return MoveArrow(
                start: Point(x: start.maxX, y: start.center.y),
                end: Point(x: end.minX + PictureText.padding - 1, y: end.center.y)
            )
        }
    }

    /// Returns the visible part of a frame, in the coordinates of the sheet.
    private static func onSheet(_ frame: Rect, of panel: PicturePanel, at origin: Point) -> Rect {
        let shown = panel.area.shown
        return frame.intersection(shown).offsetBy(dx: -shown.minX, dy: -shown.minY)
            .offsetBy(dx: origin.x, dy: origin.y)
    }

    /// Draws the notes and the legend. Returns the bottom of the drawing.
    private func drawFoot(
        from top: Double,
        _ columns: Int,
        _ width: Double,
        _ writer: inout SVGWriter
    ) -> Double {
        var y = top
        for line in notes.flatMap({ PictureText.lines(of: $0, columns: columns) }) {
            drawLine(line, x: Self.margin, y: y, "normal", &writer)
            y += Self.lineHeight
        }
        guard style.showsLegend else { return y }
        let legend = PictureLegend(panels)
        return legend.draw(from: Point(x: Self.margin, y: y), width: width, &writer, style)
    }

    private var notes: [String] {
        var notes: [String] = []
        let isViewportMissing = panels.contains { $0.area.viewport == nil }
        if isViewportMissing { notes.append("The viewport cannot be drawn.") }
        var modes: [RangeMode] = []
        for mode in panels.compactMap(\.picture.ranges?.mode) where mode != modes.last {
            modes.append(mode)
        }
        if !modes.isEmpty {
            notes.append("Range mode: \(modes.map(\.rawValue).joined(separator: ", then ")).")
        }
        let omitted = panels.reduce(OmittedElements()) { $0 + $1.omitted }
        if let note = omitted.note { notes.append(note) }
        return notes
    }

    private func drawLine(
        _ line: String,
        x: Double,
        y: Double,
        _ weight: String,
        _ writer: inout SVGWriter
    ) {
        writer.element(
            "text",
            ["x": .number(x), "y": .number(y + PictureText.ascent), "font-weight": .text(weight)],
            text: line
        )
    }
}

/// The arrow of a move, from the middle of an edge of the old place to that of the new place.
///
/// Both ends are horizontal, so that a reader can follow one arrow among several. The line is drawn
/// below the elements and never crosses out text; the number of the move at both ends connects them
/// too.
struct MoveArrow {
    let start: Point
    let end: Point

    private let head = 8.0

    /// Draws the line, before the elements are drawn over it.
    func drawLine(_ writer: inout SVGWriter) {
        writer.path(path, stroke: EditMark.moved.colour, width: "2")
    }

    /// Draws the ends, on top of the elements.
    func drawEnds(_ writer: inout SVGWriter) {
        let colour = SVGValue.text(EditMark.moved.colour)
        let tip = [
            end, Point(x: end.x - head, y: end.y - 4), Point(x: end.x - head, y: end.y + 4),
        ]
        writer.element("g", ["class": "arrow"]) { writer in
            writer.element(
                "circle",
                ["cx": .number(start.x), "cy": .number(start.y), "r": "3", "fill": colour]
            )
            writer.element(
                "polygon",
                ["points": .text(tip.map(Self.text).joined(separator: " ")), "fill": colour]
            )
        }
    }

    private var path: String {
        let reach = max(24, (end.x - start.x) / 2)
        let points = [
            start, Point(x: start.x + reach, y: start.y), Point(x: end.x - reach, y: end.y),
            Point(x: end.x - head, y: end.y),
        ].map(Self.text)
        return "M\(points[0])C\(points[1]) \(points[2]) \(points[3])"
    }

    private static func text(_ point: Point) -> String {
        "\(SVGText.number(point.x)) \(SVGText.number(point.y))"
    }
}
