import CollectionLayouts

// Each takes where the shape is, and what else is to be said about it.

extension SVGWriter {
    mutating func rect(_ rect: Rect, _ attributes: SVGAttributes) {
        element(
            "rect",
            [
                "x": .number(rect.minX), "y": .number(rect.minY),
                "width": .number(rect.size.width), "height": .number(rect.size.height),
            ] + attributes
        )
    }

    mutating func line(
        from start: (x: Double, y: Double),
        to end: (x: Double, y: Double),
        _ attributes: SVGAttributes
    ) {
        element(
            "line",
            [
                "x1": .number(start.x), "y1": .number(start.y), "x2": .number(end.x),
                "y2": .number(end.y),
            ] + attributes
        )
    }
}
