import CollectionLayouts

// A panel is drawn in layers, so that what connects two panels can lie between them.

extension PicturePanel {
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
                    isRightToLeft: picture.isRightToLeft,
                    answered: picture.mirrored(element.attributes.frame)
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

    /// Where a badge covers no text: beside what is written on the element, on its upper edge, which those
    /// above and beside it keep clear of as well.
    private func corner(of frame: Rect) -> Point {
        let overhang = EditMark.badgeExtent - PictureText.padding
        let x = picture.isRightToLeft ? frame.minX - overhang : frame.maxX + overhang
        return Point(x: x, y: frame.minY)
    }

    /// What is seen of the panel.
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

    /// The viewport without what the view keeps free; nil where that is all of it, or nothing is left.
    var visibleRect: Rect? {
        guard let viewport = area.viewport, picture.insets != .zero else { return nil }
        let rect = viewport.inset(by: picture.insets)
        return PictureArea.isDrawable(rect) && !rect.isEmpty ? rect : nil
    }

    /// Draws the viewport's edge, and those of ranges, and a veil over everything beyond.
    private func drawViewport(_ writer: inout SVGWriter) {
        guard let viewport = area.viewport, let clearRect else { return }
        writer.element(
            "path",
            [
                "class": "beyond", "d": .text(outer.path + clearRect.path), "fill": "#ffffff",
                "fill-opacity": "0.6", "fill-rule": "evenodd",
            ]
        )
        if let visibleRect { writer.rect(visibleRect, PictureLegend.insetsLook) }
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
