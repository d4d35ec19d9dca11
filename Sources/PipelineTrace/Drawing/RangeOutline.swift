import CollectionLayouts

/// The outline of a range.
enum RangeOutline: String, CaseIterable {
    case display, preload

    var label: String { "\(self) range" }

    /// How the line looks; both are thinner than that of the viewport.
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

    /// How far from a side of the viewport the line runs that would lie upon it: as far as the lines are wide,
    /// and a little.
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

    /// Where the line runs: along the sides of the range, but around those of the viewport. Ranges are as wide as
    /// that across the direction of scrolling, and lines upon each other could not be told apart.
    ///
    /// - Parameter outer: what can be seen; numbers far beyond it are drawn as little beyond.
    /// - Returns: nil where nothing can be drawn of the range.
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
        // What is no number is found here too.
        return range.isEmpty || line.isEmpty ? nil : line
    }

    /// Where lines run that cannot be seen.
    private static let beyond = 20.0
}
