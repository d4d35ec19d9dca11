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
    static let slack = 4.0

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

    /// Draws the picture with the upper left corner of its area at `origin`.
    func draw(at origin: Point, _ writer: inout SVGWriter, _ style: PictureStyle) {
        let slack = Self.slack
        let outer = Rect(
            x: area.shown.minX - slack,
            y: area.shown.minY - slack,
            width: area.shown.size.width + 2 * slack,
            height: area.shown.size.height + 2 * slack
        )
        let numbers = [outer.minX, outer.minY, outer.size.width, outer.size.height]
        writer.element(
            "svg",
            [
                "class": "panel", "x": .number(origin.x - slack), "y": .number(origin.y - slack),
                "width": .number(outer.size.width), "height": .number(outer.size.height),
                "viewBox": .text(numbers.map { SVGText.number($0) }.joined(separator: " ")),
                "overflow": "hidden",
            ]
        ) { writer in
            if let content = area.content {
                writer.rect(
                    content,
                    ["class": "content", "fill": "#fafafa", "stroke": "#b8bcc0"]
                )
            }
            for element in elements {
                ElementDrawing(
                    element: element,
                    mark: marks[element.attributes.place],
                    isRightToLeft: picture.isRightToLeft
                ).draw(&writer, style)
            }
            drawViewport(outer, &writer)
            for group in groups { drawGroup(group.frame, group.number, &writer) }
        }
    }

    /// Draws the viewport's edge, and a veil over everything beyond it.
    private func drawViewport(_ outer: Rect, _ writer: inout SVGWriter) {
        guard let viewport = area.viewport else { return }
        writer.element(
            "path",
            [
                "class": "beyond", "d": .text(outer.path + viewport.path), "fill": "#ffffff",
                "fill-opacity": "0.6", "fill-rule": "evenodd",
            ]
        )
        let insets = picture.insets
        let inner = viewport.inset(by: insets)
        if insets != .zero, PictureArea.isDrawable(inner), !inner.isEmpty {
            writer.rect(
                inner,
                [
                    "class": "insets", "fill": "none", "stroke": "#111111",
                    "stroke-dasharray": "1 3",
                ]
            )
        }
        writer.rect(
            viewport,
            ["class": "viewport", "fill": "none", "stroke": "#111111", "stroke-width": "3"]
        )
    }

    private func drawGroup(_ frame: Rect, _ number: Int, _ writer: inout SVGWriter) {
        let mark = EditMark.moved
        writer.rect(
            frame,
            [
                "class": "moved-section", "fill": "none", "stroke": .text(mark.colour),
                "stroke-width": "3", "stroke-dasharray": .text(mark.dashes ?? "none"),
            ]
        )
        let x = picture.isRightToLeft ? frame.minX + 9 : frame.maxX - 9
        mark.drawBadge(number, at: (x, frame.minY + min(9, frame.size.height / 2)), &writer)
    }
}

extension Rect {
    /// The outline as a path.
    fileprivate var path: String {
        let numbers = [minX, minY, maxX, maxY].map { SVGText.number($0) }
        return "M\(numbers[0]) \(numbers[1])H\(numbers[2])V\(numbers[3])H\(numbers[0])Z"
    }
}
