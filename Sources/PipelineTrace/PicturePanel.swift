import CollectionLayouts

/// One picture as a part of a sheet: what of it is drawn, and how it is marked.
struct PicturePanel {
    let picture: LayoutPicture
    let area: PictureArea
    /// What is drawn, from behind to in front.
    let elements: [PicturedElement]
    private(set) var leftOut = LeftOutElements()
    /// Where in `elements` a place is; looked up and never iterated, as are the marks.
    private let indexes: [LayoutPlace: Int]
    private var marks: [LayoutPlace: (kind: EditMark, number: Int?)] = [:]
    private var kinds: Set<EditMark> = []
    /// What moved as a whole.
    private(set) var groups: [(frame: Rect, number: Int)] = []

    /// Room around the area for lines that run along its edge.
    static let slack = 8.0

    init(_ picture: LayoutPicture) {
        self.picture = picture
        area = PictureArea(picture)
        var elements: [PicturedElement] = []
        for element in picture.elements {
            switch Self.visibility(of: element.attributes, in: area.shown) {
            case .shown: elements.append(element)
            case .unusable: leftOut.unusable += 1
            case .hidden: leftOut.hidden += 1
            case .empty: leftOut.empty += 1
            case .outside: leftOut.outside += 1
            }
        }
        // Sorting is stable, but no one promises that it is.
        let sorted = elements.enumerated().sorted { left, right in
            let order = Self.depth(left.element.attributes, right.element.attributes)
            return order == 0 ? left.offset < right.offset : order < 0
        }.map(\.element)
        self.elements = sorted
        indexes = Dictionary(
            sorted.enumerated().map { ($0.element.attributes.place, $0.offset) },
            uniquingKeysWith: { $1 }
        )
    }

    // MARK: Elements

    private enum Visibility { case shown, unusable, hidden, empty, outside }

    private static func visibility(of attributes: LayoutAttributes, in area: Rect) -> Visibility {
        if attributes.isHidden { return .hidden }
        let (frame, map) = (attributes.frame, attributes.transform)
        let parts = [map.a, map.b, map.c, map.d]
        let untransformed = Rect(origin: attributes.center, size: attributes.size)
        guard PictureArea.isDrawable(frame), PictureArea.isDrawable(untransformed),
            parts.allSatisfy({ $0.magnitude <= 1e4 }), !attributes.alpha.isNaN
        else { return .unusable }
        if frame.isEmpty { return .empty }
        return frame.intersects(area) ? .shown : .outside
    }

    /// Less than 0 if the first is behind the second.
    private static func depth(_ first: LayoutAttributes, _ second: LayoutAttributes) -> Int {
        if first.zIndex != second.zIndex { return first.zIndex < second.zIndex ? -1 : 1 }
        if first.path != second.path { return first.path < second.path ? -1 : 1 }
        return rank(first.category) - rank(second.category)
    }

    /// What lies behind what at the same path: decorations, then cells, then what belongs to them.
    private static func rank(_ category: ElementCategory) -> Int {
        switch ElementLook(category) {
        case .decoration: 0
        case .cell: 1
        case .header: 2
        case .footer: 3
        case .supplementary: 4
        }
    }

    // MARK: Marks

    /// Marks an element; its frame, or nil if it is not drawn.
    mutating func mark(_ place: LayoutPlace, _ kind: EditMark, number: Int? = nil) -> Rect? {
        guard let index = indexes[place] else {
            leftOut.edits += 1
            return nil
        }
        marks[place] = (kind, number)
        kinds.insert(kind)
        return elements[index].attributes.frame
    }

    /// Marks a section that moved; the frame around its elements, or nil if none is drawn.
    mutating func mark(section: Int, number: Int) -> Rect? {
        let frames = elements.map(\.attributes).filter { $0.path.section == section }.map(\.frame)
        guard let first = frames.first else {
            leftOut.edits += 1
            return nil
        }
        let frame = frames.dropFirst().reduce(first) { $0.union($1) }
        groups.append((frame, number))
        kinds.insert(.moved)
        return frame
    }

    var isMarked: Bool { !kinds.isEmpty }

    /// Whether something is marked so.
    func shows(_ kind: EditMark) -> Bool { kinds.contains(kind) }

    // MARK: Drawing

    /// Draws what is behind the elements. Like the other layers of the panel, with the upper left corner
    /// of the area at `origin`.
    func drawContent(at origin: Point, _ writer: inout SVGWriter) {
        guard let content = area.content else { return }
        drawLayer("content", at: origin, &writer) { writer in
            writer.rect(content, ["fill": "#fafafa", "stroke": "#b8bcc0"])
        }
    }

    /// Draws the elements and the viewport.
    func drawElements(at origin: Point, _ writer: inout SVGWriter, _ style: PictureStyle) {
        drawLayer("panel", at: origin, &writer) { writer in
            for element in elements {
                ElementDrawing(
                    element: element,
                    mark: marks[element.attributes.place]?.kind,
                    isRightToLeft: picture.isRightToLeft
                ).draw(&writer, style)
            }
            drawViewport(&writer)
            for group in groups { drawGroup(group.frame, &writer) }
        }
    }

    /// Draws the marks' badges, over whatever is beside the elements.
    func drawBadges(at origin: Point, _ writer: inout SVGWriter) {
        guard isMarked else { return }
        drawLayer("badges", at: origin, &writer) { writer in
            for element in elements {
                guard let mark = marks[element.attributes.place] else { continue }
                mark.kind.drawBadge(mark.number, at: corner(of: element.attributes.frame), &writer)
            }
            for group in groups {
                EditMark.moved.drawBadge(group.number, at: corner(of: group.frame), &writer)
            }
        }
    }

    /// Where a badge covers least of the text, which begins at the opposite corner.
    private func corner(of frame: Rect) -> Point {
        Point(x: picture.isRightToLeft ? frame.minX + 3 : frame.maxX - 3, y: frame.minY + 1)
    }

    private var outer: Rect {
        area.shown.inset(
            by: EdgeInsets(
                top: -Self.slack,
                left: -Self.slack,
                bottom: -Self.slack,
                right: -Self.slack
            )
        )
    }

    private func drawLayer(
        _ name: String,
        at origin: Point,
        _ writer: inout SVGWriter,
        _ content: (inout SVGWriter) -> Void
    ) {
        let outer = outer
        let numbers = [outer.minX, outer.minY, outer.size.width, outer.size.height]
        writer.element(
            "svg",
            [
                "class": .text(name), "x": .number(origin.x - Self.slack),
                "y": .number(origin.y - Self.slack), "width": .number(outer.size.width),
                "height": .number(outer.size.height),
                "viewBox": .text(numbers.map { SVGText.number($0) }.joined(separator: " ")),
                "overflow": "hidden",
            ],
            content
        )
    }

    /// The viewport without what the view keeps free; nil where that is all of it, or nothing is left.
    var visibleRect: Rect? {
        guard let viewport = area.viewport, picture.insets != .zero else { return nil }
        let rect = viewport.inset(by: picture.insets)
        return PictureArea.isDrawable(rect) && !rect.isEmpty ? rect : nil
    }

    /// Draws the viewport's edge, and a veil over everything beyond it.
    private func drawViewport(_ writer: inout SVGWriter) {
        guard let viewport = area.viewport else { return }
        writer.element(
            "path",
            [
                "class": "beyond", "d": .text(outer.path + viewport.path), "fill": "#ffffff",
                "fill-opacity": "0.6", "fill-rule": "evenodd",
            ]
        )
        if let visibleRect { writer.rect(visibleRect, PictureLegend.insetsLook) }
        writer.rect(
            viewport,
            ["class": "viewport", "fill": "none", "stroke": "#111111", "stroke-width": "3"]
        )
    }

    private func drawGroup(_ frame: Rect, _ writer: inout SVGWriter) {
        let mark = EditMark.moved
        writer.rect(
            frame,
            [
                "class": "moved-section", "fill": "none", "stroke": .text(mark.colour),
                "stroke-width": "3", "stroke-dasharray": .text(mark.dashes ?? "none"),
            ]
        )
    }
}

extension Rect {
    /// The outline as a path.
    fileprivate var path: String {
        let numbers = [minX, minY, maxX, maxY].map { SVGText.number($0) }
        return "M\(numbers[0]) \(numbers[1])H\(numbers[2])V\(numbers[3])H\(numbers[0])Z"
    }
}
