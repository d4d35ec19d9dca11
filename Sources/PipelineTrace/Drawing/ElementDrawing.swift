import CollectionLayouts

/// One element, ready for drawing.
struct ElementDrawing {
    let element: PicturedElement
    /// The mark of the edit; `nil` if the element was not edited.
    let mark: EditMark?
    let isRightToLeft: Bool
    /// The frame that the layout returned, for the description; `nil` if it is the drawn frame.
    var answered: Rect?

    var look: ElementStyle { ElementStyle(element.attributes.representedElementCategory) }

    /// The style of the element's range; `nil` if the element is in no range.
    private var rangeLook: RangeStyle? { element.interfaceState.flatMap(RangeStyle.init) }

    /// Draws the element, without a tooltip if it is a sample in the legend (`isSwatch`).
    func draw(_ writer: inout SVGWriter, _ style: PictureStyle, isSwatch: Bool = false) {
        let attributes = element.attributes
        let classes = [look.rawValue, mark?.rawValue, element.isSelected ? "selected" : nil]
        let names = SVGValue.text(classes.compactMap(\.self).joined(separator: " "))
        let opacity = SVGValue.number(min(1, max(0, attributes.alpha)))
        if isSwatch { return drawContent(attributes.frame, &writer, style) }
        var box = attributes.frame
        var group: SVGAttributes = ["class": names, "opacity": opacity]
        if attributes.transform != .identity {
            let size = attributes.size
            box = Rect(origin: Point(x: -size.width / 2, y: -size.height / 2), size: size)
            group = group + ["transform": .text(matrix(attributes))]
        }
        writer.element("g", group) { writer in
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

    /// Draws the content of the element in `box`, which is its frame unless it is transformed.
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

    /// The tooltip of the element.
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
        // The outline is inside the box, so that elements that touch have separate outlines.
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

    /// Draws the heavy edge of a header or footer, next to the content that it encloses.
    private func drawEdge(_ box: Rect, _ writer: inout SVGWriter) {
        guard look == .header || look == .footer else { return }
        let y = look == .footer ? box.minY + 1 : box.maxY - 1
        writer.line(
            from: (box.minX, y),
            to: (box.maxX, y),
            ["stroke": "#30363d", "stroke-width": "2"]
        )
    }

    /// Draws the cross of an empty placeholder.
    private func drawCross(_ box: Rect, _ writer: inout SVGWriter) {
        for (left, right) in [(box.minY, box.maxY), (box.maxY, box.minY)] {
            writer.line(
                from: (box.minX, left),
                to: (box.maxX, right),
                ["class": "cross", "stroke": "#b8bcc0"]
            )
        }
    }

    /// Draws the text, clipped to the box: a nested SVG clips its content.
    private func drawText(_ box: Rect, _ writer: inout SVGWriter) {
        let (cell, padding) = (PictureText.cellSize, PictureText.padding)
        let room = max(0, min(box.size.height / cell.height + 1, 1000))
        let lines = element.lines.prefix(Int(room))
        guard !lines.isEmpty else { return }
        let columns = Int(max(0, min(box.size.width / cell.width + 1, 10_000)))
        // A single line on a low element is centred vertically, like the title of a header.
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

    /// Returns the part of a line that may be visible, so that a long text does not enlarge the
    /// picture.
    private static func cut(_ line: String, _ columns: Int) -> String {
        let seen = line.prefix(columns).unicodeScalars.prefix(columns * 4)
        return String(String.UnicodeScalarView(seen))
    }

    private func drawTick(_ box: Rect, _ writer: inout SVGWriter) {
        let x = isRightToLeft ? box.minX + 6 : box.maxX - 14
        let y = box.maxY - 5
        let points = [(x, y - 3), (x + 3, y), (x + 8, y - 6)]
        let path = points.map { "\(SVGText.number($0.0)) \(SVGText.number($0.1))" }
        writer.path("M" + path.joined(separator: "L"), stroke: "#000000", width: "2.5")
    }
}

/// The style of an element by its kind, without a mark.
enum ElementStyle: String, CaseIterable {
    case decoration, cell, header, footer, supplementary

    init(_ category: ElementCategory) {
        switch category {
        case .cell: self = .cell
        case .supplementary(.header): self = .header
        case .supplementary(.footer): self = .footer
        case .supplementary: self = .supplementary
        case .decoration: self = .decoration
        }
    }

    var fill: String {
        switch self {
        case .decoration: "#f3efe4"
        case .cell: "#ffffff"
        case .header: "#ccd2d9"
        case .footer: "#e7eaee"
        case .supplementary: "#f0f0f0"
        }
    }

    /// The dash pattern of the outline; `nil` for a solid line.
    var dashes: String? {
        switch self {
        case .decoration: "1 2"
        case .supplementary: "4 2"
        case .cell, .header, .footer: nil
        }
    }

    var fontWeight: String { self == .header ? "bold" : "normal" }

    var fontStyle: String { self == .footer ? "italic" : "normal" }
}
