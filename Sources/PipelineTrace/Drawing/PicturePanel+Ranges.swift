import CollectionLayouts

// What is drawn of the ranges around the viewport.

extension PicturePanel {
    /// What is not pale: the viewport, and what is in a range.
    var clearRect: Rect? {
        guard let viewport = area.viewport else { return nil }
        return rangeLines.reduce(viewport) { rect, line in rect.union(line.rect) }
    }

    /// Whether the outline of a range is drawn.
    func shows(_ outline: RangeOutline) -> Bool { rangeLines.contains { $0.outline == outline } }

    /// Draws the outlines, the farthest first.
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
