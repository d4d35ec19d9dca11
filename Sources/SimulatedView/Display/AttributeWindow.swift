import CollectionChanges
import CollectionLayouts

/// The attributes around the viewport, as the layout gave them: asked for by pages, so that scrolling
/// within one asks nothing.
///
/// Source: the paged attribute cache of UICollectionView's data object.
struct AttributeWindow {
    /// What was asked for; nil where nothing valid is known.
    private(set) var rect: Rect?
    /// Ascending by place.
    private(set) var attributes: [LayoutAttributes] = []

    mutating func invalidate() {
        rect = nil
        attributes = []
    }

    /// The attributes of a place, if it is in the window.
    subscript(place: LayoutPlace) -> LayoutAttributes? {
        attributes.sortedPosition(of: place) { $0.place }.map { attributes[$0] }
    }

    func covers(_ bounds: Rect) -> Bool { rect?.encloses(bounds) ?? false }

    /// The pages that `rect` touches: each as large as a viewport.
    static func pages(around rect: Rect, of page: Size) -> Rect {
        func span(_ low: Double, _ high: Double, _ extent: Double) -> (Double, Double) {
            let start = (low / extent).rounded(.down) * extent
            let end = (high / extent).rounded(.up) * extent
            // Far out, where pages are no longer told apart.
            guard start.isFinite, end.isFinite, start <= low, end >= high else {
                return (low, high - low)
            }
            return (start, end - start)
        }
        let (x, width) = span(rect.minX, rect.maxX, page.width)
        let (y, height) = span(rect.minY, rect.maxY, page.height)
        return Rect(x: x, y: y, width: width, height: height)
    }

    /// Takes what the layout answered.
    ///
    /// - Parameter answer: ascending by place, each once.
    /// - Returns: what changed though nothing was invalidated, ascending.
    mutating func load(
        _ newRect: Rect,
        _ answer: [LayoutAttributes]
    ) -> [(old: LayoutAttributes, new: LayoutAttributes)] {
        let known = attributes
        rect = newRect
        attributes = answer
        return known.compactMap { old in
            guard let new = self[old.place], new != old else { return nil }
            return (old, new)
        }
    }
}

extension Rect {
    /// Whether all of `other` lies in it, edges included.
    func encloses(_ other: Rect) -> Bool {
        minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }
}
