import CollectionLayouts

/// Which part of a picture is drawn, and what of it cannot be.
struct PictureArea {
    /// The part, in content coordinates; with a positive extent, and numbers that fit.
    let shown: Rect
    /// Nil where it is none that can be drawn.
    let viewport: Rect?
    /// Nil where it is none that can be drawn, or has no extent.
    let content: Rect?

    init(_ picture: LayoutPicture) {
        let bounds = picture.bounds
        let content = Rect(origin: .zero, size: picture.contentSize)
        viewport = Self.isDrawable(bounds) && !bounds.isEmpty ? bounds : nil
        self.content = Self.isDrawable(content) && !content.isEmpty ? content : nil
        var whole = Rect(x: 0, y: 0, width: 100, height: 20)
        switch (viewport, self.content) {
        case (let viewport?, let content?): whole = viewport.union(content)
        case (let only?, nil), (nil, let only?): whole = only
        case (nil, nil): break
        }
        if let area = picture.area, Self.isDrawable(area), !area.isEmpty { whole = area }
        let middle = (viewport ?? whole).center
        let (x, width) = Self.cut(whole.minX, whole.size.width, around: middle.x)
        let (y, height) = Self.cut(whole.minY, whole.size.height, around: middle.y)
        shown = Rect(x: x, y: y, width: width, height: height)
    }

    /// Whether the numbers are such that sums of them stay exact to a hundredth.
    static func isDrawable(_ rect: Rect) -> Bool {
        let limit = 1e9
        return rect.minX.magnitude <= limit && rect.minY.magnitude <= limit
            && rect.size.width <= limit && rect.size.height <= limit
            && rect.size.width >= 0 && rect.size.height >= 0
    }

    private static func cut(_ start: Double, _ extent: Double, around middle: Double)
        -> (start: Double, extent: Double)
    {
        let limit = LayoutPicture.largestExtent
        guard extent > limit else { return (start, extent) }
        return (min(max(start, middle - limit / 2), start + extent - limit), limit)
    }
}
