import CollectionLayouts

/// One element, ready to be drawn.
struct ElementDrawing {
    let element: PicturedElement
    /// How it was edited.
    let mark: EditMark?
    let isRightToLeft: Bool
    /// Where the layout has it; nil for where it is drawn.
    var answered: Rect?

    var look: ElementLook { ElementLook(element.attributes.representedElementCategory) }

    /// Nil for what is in no range.
    private var rangeLook: RangeLook? { element.interfaceState.flatMap(RangeLook.init) }

    /// - Parameter isSwatch: whether it is a sample in the legend, which has no place to speak of.
    func draw(_ writer: inout SVGWriter, _ style: PictureStyle, isSwatch: Bool = false) {
        let attributes = element.attributes
        let classes = [look.rawValue, mark?.rawValue, element.isSelected ? "selected" : nil]
        let names = SVGValue.text(classes.compactMap(\.self).joined(separator: " "))
        let opacity = SVGValue.number(min(1, max(0, attributes.alpha)))
        if isSwatch { return drawContent(attributes.frame, &writer, style) }
        guard attributes.transform != .identity else {
            return writer.element("g", ["class": names, "opacity": opacity]) { writer in
                writer.element("title", [:], text: description)
                drawContent(attributes.frame, &writer, style)
            }
        }
        let size = attributes.size
        let box = Rect(origin: Point(x: -size.width / 2, y: -size.height / 2), size: size)
        writer.element(
            "g",
            ["class": names, "opacity": opacity, "transform": .text(matrix(attributes))]
        ) { writer in
            writer.element("title", [:], text: description)
            drawContent(box, &writer, style)
        }
    }

    private func matrix(_ attributes: LayoutAttributes) -> String {
        let map = attributes.transform
        let linear = [map.a, map.b, map.c, map.d].map { SVGText.number($0, decimals: 6) }
        let shift = [attributes.center.x + map.tx, attributes.center.y + map.ty]
        return "matrix(\((linear + shift.map { SVGText.number($0) }).joined(separator: " ")))"
    }

    /// Draws the element at `box`, which is its frame unless it is transformed.
    private func drawContent(_ box: Rect, _ writer: inout SVGWriter, _ style: PictureStyle) {
        let weight = mark == nil && !element.isSelected ? 1.0 : 2.0
        drawBox(box, weight, &writer)
        if let mark {
            let fill = "url(#\(mark.patternName(style)))"
            writer.rect(box, ["fill": .text(fill), "stroke": "none"])
        }
        drawEdge(box, &writer)
        if !element.hasNode { drawCross(box, &writer) }
        drawText(box, &writer)
        rangeLook?.drawDots(in: box, isRightToLeft: isRightToLeft, &writer)
        if element.isSelected { drawTick(box, &writer) }
    }

    /// What a reader sees who points at the element.
    private var description: String {
        let attributes = element.attributes
        let (path, frame) = (attributes.indexPath, answered ?? attributes.frame)
        let numbers = [frame.minX, frame.minY, frame.size.width, frame.size.height]
            .map { SVGText.number($0) }
        let name =
            look == .cell
            ? "item \(path.section)-\(path.item)" : "\(look) of section \(path.section)"
        let key = element.key.map { " “\($0)”" } ?? ""
        let edit = mark.map { ", \($0)" } ?? ""
        let state = element.interfaceState.map { "; interface state \($0)" } ?? ""
        return "\(name)\(key)\(edit): at (\(numbers[0]), \(numbers[1])),"
            + " \(numbers[2]) × \(numbers[3])\(state)\(element.hasNode ? "" : "; no node")"
    }

    private func drawBox(_ box: Rect, _ weight: Double, _ writer: inout SVGWriter) {
        let colour = mark?.colour ?? (element.isSelected ? "#000000" : "#6b7075")
        let dashes = mark?.dashes ?? (mark == nil ? look.dashes : nil)
        // Within the box, so that neighbours that touch have an outline each.
        let inner = box.inset(
            by: EdgeInsets(top: weight / 2, left: weight / 2, bottom: weight / 2, right: weight / 2)
        )
        writer.rect(
            inner.isEmpty ? box : inner,
            [
                "fill": .text(rangeLook?.fill ?? look.fill), "stroke": .text(colour),
                "stroke-width": .number(weight),
                "stroke-dasharray": .text(dashes ?? "none"),
            ]
        )
    }

    private func drawEdge(_ box: Rect, _ writer: inout SVGWriter) {
        guard let edge = look.heavyEdge else { return }
        let y = edge == .upper ? box.minY + 1 : box.maxY - 1
        writer.line(
            from: (box.minX, y),
            to: (box.maxX, y),
            ["stroke": "#30363d", "stroke-width": "2"]
        )
    }

    /// As an empty frame is drawn that something will be in.
    private func drawCross(_ box: Rect, _ writer: inout SVGWriter) {
        for (left, right) in [(box.minY, box.maxY), (box.maxY, box.minY)] {
            writer.line(
                from: (box.minX, left),
                to: (box.maxX, right),
                ["class": "cross", "stroke": "#b8bcc0"]
            )
        }
    }

    /// The text, cut off at the box: an SVG in an SVG shows nothing beyond its sides.
    private func drawText(_ box: Rect, _ writer: inout SVGWriter) {
        let (cell, padding) = (PictureText.cellSize, PictureText.padding)
        let room = max(0, min(box.size.height / cell.height + 1, 1000))
        let lines = element.lines.prefix(Int(room))
        guard !lines.isEmpty else { return }
        let columns = Int(max(0, min(box.size.width / cell.width + 1, 10_000)))
        // One line on a low element stands in its middle, as the title of a header does.
        let height = Double(lines.count) * cell.height
        let top = min(padding, max(0, (box.size.height - height) / 2))
        let x = isRightToLeft ? box.size.width - padding : padding
        writer.element(
            "svg",
            [
                "x": .number(box.minX), "y": .number(box.minY),
                "width": .number(box.size.width), "height": .number(box.size.height),
                "overflow": "hidden",
            ]
        ) { writer in
            for (index, line) in lines.enumerated() {
                writer.element(
                    "text",
                    [
                        "x": .number(x),
                        "y": .number(top + Double(index) * cell.height + PictureText.ascent),
                        "text-anchor": isRightToLeft ? "end" : "start",
                        "font-weight": .text(look.fontWeight),
                        "font-style": .text(look.fontStyle), "xml:space": "preserve",
                        "stroke": mark == nil ? "none" : "#ffffff", "stroke-width": "3",
                        "paint-order": "stroke",
                    ],
                    text: Self.cut(line, columns)
                )
            }
        }
    }

    /// The part of a line that may be seen: a text of any length costs the picture no more than that.
    private static func cut(_ line: String, _ columns: Int) -> String {
        let seen = line.prefix(columns).unicodeScalars.prefix(columns * 4)
        return String(String.UnicodeScalarView(seen))
    }

    private func drawTick(_ box: Rect, _ writer: inout SVGWriter) {
        let x = isRightToLeft ? box.minX + 6 : box.maxX - 14
        let y = box.maxY - 5
        let points = [(x, y - 3), (x + 3, y), (x + 8, y - 6)]
        let path = points.map { "\(SVGText.number($0.0)) \(SVGText.number($0.1))" }
        writer.element(
            "path",
            [
                "d": .text("M" + path.joined(separator: "L")), "fill": "none",
                "stroke": "#000000", "stroke-width": "2.5",
            ]
        )
    }
}
