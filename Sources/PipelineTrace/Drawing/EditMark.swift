import CollectionLayouts

/// The mark of an edited element. Each kind has its own line, pattern and badge, so that the kinds
/// differ even without colours.
enum EditMark: String, CaseIterable {
    case inserted, deleted, reloaded, moved

    var colour: String {
        switch self {
        case .inserted: "#1a7f37"
        case .deleted: "#b42318"
        case .reloaded: "#8a5a00"
        case .moved: "#0b5cad"
        }
    }

    /// The dash pattern of the outline; `nil` for a solid line.
    var dashes: String? {
        switch self {
        case .inserted: nil
        case .deleted: "7 4"
        case .reloaded: "2 2"
        case .moved: "10 3 2 3"
        }
    }

    /// The width and height of the pattern's tile, and the path of the lines in it.
    var pattern: (tile: Double, path: String) {
        switch self {
        case .inserted: (8, "M-2 2L2 -2M0 8L8 0M6 10L10 6")
        case .deleted: (8, "M0 0L8 8M8 0L0 8")
        case .reloaded: (6, "M3 0L3 6")
        case .moved: (6, "M3 2L3 4M2 3L4 3")
        }
    }

    /// The path of the symbol on the badge, relative to its centre; `nil` for moves, whose badge
    /// shows a number.
    var sign: String? {
        switch self {
        case .inserted: "M-3.5 0L3.5 0M0 -3.5L0 3.5"
        case .deleted: "M-2.6 -2.6L2.6 2.6M2.6 -2.6L-2.6 2.6"
        case .reloaded: "M3.4 -0.6A3.4 3.4 0 1 0 2.2 2.6M1.2 -0.9L3.5 -0.5L4 -2.8"
        case .moved: nil
        }
    }

    func patternName(_ style: PictureStyle) -> String { "\(style.usablePrefix)-\(rawValue)" }

    func definePattern(_ writer: inout SVGWriter, _ style: PictureStyle) {
        writer.element(
            "pattern",
            [
                "id": .text(patternName(style)), "patternUnits": "userSpaceOnUse",
                "width": .number(pattern.tile), "height": .number(pattern.tile),
            ]
        ) { writer in
            writer.element(
                "path",
                [
                    "d": .text(pattern.path), "fill": "none", "stroke": .text(colour),
                    "stroke-width": "1", "stroke-opacity": "0.5",
                ]
            )
        }
    }

    /// The distance from the centre of a badge to the outside of its outline.
    static let badgeExtent = 6.75

    /// Draws the badge: a disc with the symbol, or with the number of the move.
    func drawBadge(_ number: Int?, at center: Point, _ writer: inout SVGWriter) {
        writer.element(
            "g",
            [
                "class": "badge",
                "transform":
                    "translate(\(SVGText.number(center.x)) \(SVGText.number(center.y)))",
            ]
        ) { writer in
            writer.element(
                "circle",
                ["r": "6", "fill": "#ffffff", "stroke": .text(colour), "stroke-width": "1.5"]
            )
            if let sign {
                writer.path(sign, stroke: colour, width: "2")
            } else if let number {
                writer.element(
                    "text",
                    [
                        "y": "3", "text-anchor": "middle", "font-size": number > 99 ? "5" : "8",
                        "font-weight": "bold", "fill": .text(colour),
                    ],
                    text: "\(number)"
                )
            }
        }
    }
}
