import CollectionLayouts

/// The way of what moved, from the middle of an edge of its old place to that of its new one.
///
/// It leaves and arrives level, so that among several each can be followed by eye.
struct MoveArrow {
    let start: Point
    let end: Point

    func draw(_ writer: inout SVGWriter) {
        let colour = SVGValue.text(EditMark.moved.colour)
        let head = 8.0
        let reach = max(24, (end.x - start.x) / 2)
        let curve = [
            ("M", start), ("C", Point(x: start.x + reach, y: start.y)),
            (" ", Point(x: end.x - reach, y: end.y)), (" ", Point(x: end.x - head, y: end.y)),
        ]
        let path = curve.map { "\($0.0)\(Self.text($0.1))" }.joined()
        let tip = [
            end, Point(x: end.x - head, y: end.y - 4), Point(x: end.x - head, y: end.y + 4),
        ]
        writer.element("g", ["class": "arrow"]) { writer in
            // What it crosses shows through beside it as little as beside a bridge.
            writer.element(
                "path",
                [
                    "d": .text(path), "fill": "none", "stroke": "#ffffff", "stroke-width": "5",
                    "stroke-opacity": "0.85",
                ]
            )
            writer.element(
                "path",
                ["d": .text(path), "fill": "none", "stroke": colour, "stroke-width": "2"]
            )
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

    private static func text(_ point: Point) -> String {
        "\(SVGText.number(point.x)) \(SVGText.number(point.y))"
    }
}
