import CollectionLayouts

/// The way of what moved, from the middle of an edge of its old place to that of its new one.
///
/// It leaves and arrives level, so that among several each can be followed by eye. It runs behind the
/// elements, so that it strikes out no text; that both ends belong together the numbers say too.
struct MoveArrow {
    let start: Point
    let end: Point

    private let head = 8.0

    /// Draws the line, which the elements are then drawn over.
    func drawLine(_ writer: inout SVGWriter) {
        writer.element(
            "path",
            [
                "d": .text(path), "fill": "none", "stroke": .text(EditMark.moved.colour),
                "stroke-width": "2",
            ]
        )
    }

    /// Draws its ends, over the elements.
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
