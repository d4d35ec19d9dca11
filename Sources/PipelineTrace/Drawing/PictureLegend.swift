import CollectionLayouts

/// The legend of a picture. It explains only the styles and marks that occur in the picture.
struct PictureLegend {
    private enum Entry {
        case viewport
        case insets
        case range(RangeOutline)
        case look(ElementStyle)
        case near(RangeStyle)
        case noNode
        case selected
        case mark(EditMark)

        var label: String {
            switch self {
            case .viewport: "viewport"
            case .insets: "insets"
            case .range(let outline): outline.label
            case .look(let look): look.rawValue
            case .near(let look): look.rawValue
            case .noNode: "no node"
            case .selected: "selected"
            case .mark(let mark): mark.rawValue
            }
        }

        /// Whether the entry shows a badge next to its sample.
        var isMark: Bool {
            if case .mark = self { true } else { false }
        }
    }

    private var entries: [Entry] = []

    /// The style of the line around the visible part of the viewport, inside the insets.
    static let insetsStyle: SVGAttributes = [
        "class": "insets", "fill": "none", "stroke": "#111111", "stroke-dasharray": "1 3",
    ]

    init(_ panels: [PicturePanel]) {
        if panels.contains(where: { $0.area.viewport != nil }) { entries.append(.viewport) }
        if panels.contains(where: { $0.visibleRect != nil }) { entries.append(.insets) }
        for outline in RangeOutline.allCases where panels.contains(where: { $0.shows(outline) }) {
            entries.append(.range(outline))
        }
        let elements = panels.flatMap(\.elements)
        for look in ElementStyle.allCases
        where elements.contains(where: {
            ElementStyle($0.attributes.representedElementCategory) == look
        }) {
            entries.append(.look(look))
        }
        let states = Set(elements.compactMap(\.interfaceState))
        for look in RangeStyle.allCases where states.contains(where: { RangeStyle($0) == look }) {
            entries.append(.near(look))
        }
        if elements.contains(where: { !$0.hasNode }) { entries.append(.noNode) }
        if elements.contains(where: \.isSelected) { entries.append(.selected) }
        for mark in EditMark.allCases where panels.contains(where: { $0.shows(mark) }) {
            entries.append(.mark(mark))
        }
    }

    /// Draws the entries in rows. Returns the lower end of the last row.
    func draw(
        from origin: Point,
        width: Double,
        _ writer: inout SVGWriter,
        _ style: PictureStyle
    ) -> Double {
        guard !entries.isEmpty else { return origin.y }
        let swatch = Size(width: 26, height: 14)
        let rowHeight = 20.0
        var place = origin
        writer.element("g", ["class": "legend"]) { writer in
            for entry in entries {
                let textWidth = Double(entry.label.count) * PictureText.cellSize.width
                let needed = swatch.width + (entry.isMark ? 20 : 6) + textWidth
                if place.x > origin.x, place.x + needed > origin.x + width {
                    place = Point(x: origin.x, y: place.y + rowHeight)
                }
                draw(entry, Rect(origin: place, size: swatch), &writer, style)
                writer.element(
                    "text",
                    ["x": .number(place.x + needed - textWidth), "y": .number(place.y + 10.5)],
                    text: entry.label
                )
                place.x += needed + 16
            }
        }
        return place.y + rowHeight
    }

    private func draw(
        _ entry: Entry,
        _ box: Rect,
        _ writer: inout SVGWriter,
        _ style: PictureStyle
    ) {
        let place = LayoutPlace.cell(ItemPath(section: 0, item: 0))
        var element = PicturedElement(LayoutAttributes(place, frame: box))
        var mark: EditMark?
        switch entry {
        case .viewport:
            return writer.rect(box, ["fill": "none", "stroke": "#111111", "stroke-width": "3"])
        case .insets: return writer.rect(box, Self.insetsStyle)
        case .range(let outline): return writer.rect(box, outline.look)
        case .look(let look): element.attributes.place = look.sample
        case .near(let look): element.interfaceState = look.state
        case .noNode: element.hasNode = false
        case .selected: element.isSelected = true
        case .mark(let kind):
            mark = kind
            kind.drawBadge(1, at: Point(x: box.maxX + 9, y: box.center.y), &writer)
        }
        ElementDrawing(element: element, mark: mark, isRightToLeft: false)
            .draw(&writer, style, isSwatch: true)
    }
}

extension ElementStyle {
    /// A place whose element has this style.
    fileprivate var sample: LayoutPlace {
        let path = ItemPath(section: 0, item: 0)
        return switch self {
        case .cell: .cell(path)
        case .header: .header(0)
        case .footer: .footer(0)
        case .supplementary: LayoutPlace(.supplementary(SupplementaryKind(rawValue: "other")), path)
        case .decoration: LayoutPlace(.decoration(SupplementaryKind(rawValue: "other")), path)
        }
    }
}
