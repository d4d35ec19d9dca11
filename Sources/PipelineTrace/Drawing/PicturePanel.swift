import CollectionLayouts

/// One picture as a part of a sheet, with its drawable elements and its marks.
struct PicturePanel {
    /// The picture, mirrored if the view is inverted.
    let picture: LayoutPicture
    let area: PictureArea
    /// The drawn elements, from back to front.
    let elements: [PicturedElement]
    private(set) var omitted = OmittedElements()
    /// The index in `elements` for each place. Like `marks`, it is looked up and never iterated.
    private let indexes: [LayoutPlace: Int]
    private(set) var marks: [LayoutPlace: (kind: EditMark, number: Int?)] = [:]
    private var kinds: Set<EditMark> = []
    /// The frames of the sections that moved as a whole.
    private(set) var groups: [(frame: Rect, number: Int)] = []

    /// The margin around the area, for lines along its edge and for badges.
    static let slack = 9.0

    init(_ picture: LayoutPicture) {
        let picture = picture.seen
        self.picture = picture
        area = PictureArea(picture)
        var elements: [PicturedElement] = []
        for element in picture.elements {
            switch Self.visibility(of: element.attributes, in: area.shown) {
            case .shown: elements.append(element)
            case .unusable: omitted.unusable += 1
            case .hidden: omitted.hidden += 1
            case .empty: omitted.empty += 1
            case .outside: omitted.outside += 1
            }
        }
        // Comparing offsets keeps the order of equal elements: the standard library does not
        // guarantee a stable sort.
        let sorted = elements.enumerated().sorted { left, right in
            let (first, second) = (left.element.attributes, right.element.attributes)
            if first.isBehind(second) { return true }
            return !second.isBehind(first) && left.offset < right.offset
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

    // MARK: Marks

    /// Marks an element. Returns its frame, or `nil` if the element is not drawn.
    mutating func mark(_ place: LayoutPlace, _ kind: EditMark, number: Int? = nil) -> Rect? {
        guard let index = indexes[place] else {
            omitted.edits += 1
            return nil
        }
        marks[place] = (kind, number)
        kinds.insert(kind)
        return elements[index].attributes.frame
    }

    /// Marks a section that moved. Returns the frame around its elements, or `nil` if none of them
    /// is drawn.
    mutating func markMove(ofSection section: Int, number: Int) -> Rect? {
        let frames = elements.map(\.attributes).filter { $0.indexPath.section == section }.map(
            \.frame
        )
        guard let first = frames.first else {
            omitted.edits += 1
            return nil
        }
        let frame = frames.dropFirst().reduce(first) { $0.union($1) }
        groups.append((frame, number))
        kinds.insert(.moved)
        return frame
    }

    /// Marks the elements of a reloaded section, except those that already have their own mark. A
    /// later mark of an element replaces this one.
    mutating func markReload(ofSection section: Int) {
        for place in elements.map(\.attributes.place)
        where place.path.section == section && marks[place] == nil {
            marks[place] = (.reloaded, nil)
            kinds.insert(.reloaded)
        }
    }

    var isMarked: Bool { !kinds.isEmpty }

    /// Returns whether any element has a mark of this kind.
    func shows(_ kind: EditMark) -> Bool { kinds.contains(kind) }
}

// A panel is drawn in layers, so that the arrows between two panels can lie between the layers.

extension PicturePanel {
    /// Draws the layer below the elements. As for every layer, the upper left corner of the area is
    /// at `origin`.
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
                    isRightToLeft: picture.isRightToLeft,
                    answered: picture.mirrored(element.attributes.frame)
                ).draw(&writer, style)
            }
            drawViewport(&writer)
            for group in groups { drawGroup(group.frame, &writer) }
        }
    }

    /// Draws the badges of the marks, on top of everything around the elements.
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

    /// Returns a position on the upper edge where a badge covers no text: outside the text of the
    /// element, and in the padding of the neighbouring elements.
    private func corner(of frame: Rect) -> Point {
        let overhang = EditMark.badgeExtent - PictureText.padding
        let x = picture.isRightToLeft ? frame.minX - overhang : frame.maxX + overhang
        return Point(x: x, y: frame.minY)
    }

    /// The visible rectangle of the panel, including the margin.
    var outer: Rect {
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

    /// The viewport without the view's insets; `nil` if the insets are zero, or if nothing remains.
    var visibleRect: Rect? {
        guard let viewport = area.viewport, picture.insets != .zero else { return nil }
        let rect = viewport.inset(by: picture.insets)
        return PictureArea.isDrawable(rect) && !rect.isEmpty ? rect : nil
    }

    /// Draws the edges of the viewport and the ranges, and a translucent layer over everything
    /// outside them.
    private func drawViewport(_ writer: inout SVGWriter) {
        guard let viewport = area.viewport, let clearRect else { return }
        writer.element(
            "path",
            [
                "class": "beyond", "d": .text(outer.path + clearRect.path), "fill": "#ffffff",
                "fill-opacity": "0.6", "fill-rule": "evenodd",
            ]
        )
        if let visibleRect { writer.rect(visibleRect, PictureLegend.insetsStyle) }
        drawRanges(&writer)
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

// The drawing of the ranges around the viewport.

extension PicturePanel {
    /// The part that is not pale: the viewport and the ranges.
    var clearRect: Rect? {
        guard let viewport = area.viewport else { return nil }
        return rangeLines.reduce(viewport) { rect, line in rect.union(line.rect) }
    }

    /// Returns whether the outline of a range is drawn.
    func shows(_ outline: RangeOutline) -> Bool { rangeLines.contains { $0.outline == outline } }

    /// Draws the outlines of the ranges, the outermost first.
    func drawRanges(_ writer: inout SVGWriter) {
        for (outline, rect) in rangeLines.reversed() { writer.rect(rect, outline.look) }
    }

    private var rangeLines: [(outline: RangeOutline, rect: Rect)] {
        guard let ranges = picture.ranges, let viewport = area.viewport else { return [] }
        return RangeOutline.allCases.compactMap { outline in
            outline.line(of: outline.rect(of: ranges), around: viewport, within: outer)
                .map { (outline, $0) }
        }
    }
}

/// The number of elements that are not drawn, by reason.
struct OmittedElements {
    var unusable = 0
    var hidden = 0
    var empty = 0
    var outside = 0
    /// The number of edits whose elements are not drawn.
    var edits = 0

    static func + (left: OmittedElements, right: OmittedElements) -> OmittedElements {
        OmittedElements(
            unusable: left.unusable + right.unusable,
            hidden: left.hidden + right.hidden,
            empty: left.empty + right.empty,
            outside: left.outside + right.outside,
            edits: left.edits + right.edits
        )
    }

    /// The note below the picture; `nil` if nothing is left out.
    var note: String? {
        let reasons = [
            (unusable, "with numbers that cannot be drawn"), (hidden, "hidden"),
            (empty, "without extent"), (outside, "beyond the part that is shown"),
            (edits, edits == 1 ? "mark of an element not drawn" : "marks of elements not drawn"),
        ]
        let parts = reasons.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? nil : "Left out: " + parts.joined(separator: ", ") + "."
    }
}
