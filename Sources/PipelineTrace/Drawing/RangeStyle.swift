import CollectionLayouts

/// The style of an element in a range: a background colour and, because nothing may depend on
/// colours alone, dots in its padding. More dots mean nearer to the viewport.
enum RangeStyle: String, CaseIterable {
    case visible, display, preload

    /// Creates the style of the nearest range in `state`; `nil` if the element is in no range.
    init?(_ state: InterfaceState) {
        if state.contains(.visible) {
            self = .visible
        } else if state.contains(.display) {
            self = .display
        } else if state.contains(.preload) {
            self = .preload
        } else {
            return nil
        }
    }

    var state: InterfaceState {
        switch self {
        case .visible: [.preload, .display, .visible]
        case .display: [.preload, .display]
        case .preload: .preload
        }
    }

    var fill: String {
        switch self {
        case .visible: "#d3efd9"
        case .display: "#d6e6f8"
        case .preload: "#f8ebc6"
        }
    }

    private var dots: Int {
        switch self {
        case .visible: 3
        case .display: 2
        case .preload: 1
        }
    }

    /// Draws the dots at the end of the text lines, where there are no letters.
    func drawDots(in box: Rect, isRightToLeft: Bool, _ writer: inout SVGWriter) {
        let (extent, distance) = (3.0, 4.5)
        let height = extent + 2 * distance
        guard box.size.height >= height, box.size.width >= PictureText.padding else { return }
        for dot in 0..<dots {
            let corner = Point(
                x: isRightToLeft ? box.minX + 1.5 : box.maxX - 1.5 - extent,
                y: box.center.y + height / 2 - extent - Double(dot) * distance
            )
            writer.rect(
                Rect(origin: corner, size: Size(width: extent, height: extent)),
                ["class": "dot", "fill": "#30363d"]
            )
        }
    }
}

/// The outline of a range.
enum RangeOutline: String, CaseIterable {
    case display, preload

    var label: String { "\(self) range" }

    /// The style of the line. Both outlines are thinner than that of the viewport.
    var look: SVGAttributes {
        switch self {
        case .display:
            [
                "class": "range display", "fill": "none", "stroke": "#0b5cad",
                "stroke-width": "2", "stroke-dasharray": "8 3",
            ]
        case .preload:
            [
                "class": "range preload", "fill": "none", "stroke": "#8a5a00",
                "stroke-width": "2", "stroke-dasharray": "2 3",
            ]
        }
    }

    /// The distance from the viewport for a side that would coincide with it: the width of the
    /// lines and a small gap.
    var distance: Double {
        switch self {
        case .display: 3.5
        case .preload: 6.5
        }
    }

    func rect(of ranges: PicturedRanges) -> Rect {
        switch self {
        case .display: ranges.display
        case .preload: ranges.preload
        }
    }

    /// Returns the rectangle of the outline. It follows the sides of the range, except that it runs
    /// outside the sides that coincide with the viewport. Across the scroll direction a range is as
    /// wide as the viewport, and coinciding lines could not be distinguished.
    ///
    /// - Parameter outer: The visible rectangle. Coordinates far outside it are replaced by
    ///   coordinates slightly outside it.
    /// - Returns: `nil` if no part of the range can be drawn.
    func line(of range: Rect, around viewport: Rect, within outer: Rect) -> Rect? {
        func low(_ side: Double, _ other: Double, _ limit: Double) -> Double {
            max(side == other ? side - distance : side, limit - Self.beyond)
        }
        func high(_ side: Double, _ other: Double, _ limit: Double) -> Double {
            min(side == other ? side + distance : side, limit + Self.beyond)
        }
        let left = low(range.minX, viewport.minX, outer.minX)
        let top = low(range.minY, viewport.minY, outer.minY)
        let right = high(range.maxX, viewport.maxX, outer.maxX)
        let bottom = high(range.maxY, viewport.maxY, outer.maxY)
        let line = Rect(x: left, y: top, width: right - left, height: bottom - top)
        // This also rejects values that are not numbers.
        return range.isEmpty || line.isEmpty ? nil : line
    }

    /// The distance outside the visible rectangle at which a line is certainly invisible.
    private static let beyond = 20.0
}
