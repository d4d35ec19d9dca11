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

    func covers(_ bounds: Rect) -> Bool {
        guard let rect else { return false }
        return rect.minX <= bounds.minX && rect.minY <= bounds.minY && rect.maxX >= bounds.maxX
            && rect.maxY >= bounds.maxY
    }

    /// The pages that `bounds` touch: each as large as a viewport.
    static func pages(around bounds: Rect) -> Rect {
        func span(_ low: Double, _ extent: Double) -> (Double, Double) {
            let start = (low / extent).rounded(.down) * extent
            let end = ((low + extent) / extent).rounded(.up) * extent
            // Far out, where pages are no longer told apart.
            guard start.isFinite, end.isFinite, start <= low, end >= low + extent else {
                return (low, extent)
            }
            return (start, end - start)
        }
        let (x, width) = span(bounds.minX, bounds.size.width)
        let (y, height) = span(bounds.minY, bounds.size.height)
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
