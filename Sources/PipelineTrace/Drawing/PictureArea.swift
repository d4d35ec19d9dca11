import CollectionLayouts

/// The part of a picture that is drawn.
struct PictureArea {
    /// The drawn part in content coordinates. Its extent is positive and its numbers are drawable.
    let shown: Rect
    /// The viewport; `nil` if it cannot be drawn.
    let viewport: Rect?
    /// The content rectangle; `nil` if it is empty or cannot be drawn.
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

    /// Whether the numbers are so small that sums of them stay exact to a hundredth.
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

// A picture of an inverted view is mirrored as a whole before it is drawn. Each element is drawn
// upright.

extension LayoutPicture {
    /// The picture as it appears on the screen, mirrored if the view is inverted.
    var seen: LayoutPicture {
        guard let axis = invertedAxis else { return self }
        var picture = self
        picture.bounds = mirrored(bounds)
        picture.area = area.map(mirrored)
        picture.insets = insets.mirrored(along: axis)
        picture.ranges = ranges.map { ranges in
            PicturedRanges(
                mode: ranges.mode,
                display: mirrored(ranges.display),
                preload: mirrored(ranges.preload)
            )
        }
        for index in elements.indices {
            let attributes = elements[index].attributes
            let point = Rect(origin: attributes.center, size: .zero)
            picture.elements[index].attributes.center = mirrored(point).origin
            picture.elements[index].attributes.transform = attributes.transform.mirrored(
                along: axis
            )
        }
        return picture
    }

    /// Returns the rectangle mirrored along the inverted axis: it keeps its distance, but from the
    /// other end of the content. Mirroring twice returns the original rectangle.
    func mirrored(_ rect: Rect) -> Rect {
        guard let axis = invertedAxis else { return rect }
        let content = Rect(origin: .zero, size: contentSize)
        let extent = PictureArea.isDrawable(content) ? contentSize.along(axis) : 0
        let end = rect.origin.along(axis) + rect.size.along(axis)
        let origin = Point(along: extent - end, across: rect.origin.across(axis), axis)
        return Rect(origin: origin, size: rect.size)
    }
}

extension EdgeInsets {
    fileprivate func mirrored(along axis: ScrollDirection) -> EdgeInsets {
        switch axis {
        case .vertical: EdgeInsets(top: bottom, left: left, bottom: top, right: right)
        case .horizontal: EdgeInsets(top: top, left: right, bottom: bottom, right: left)
        }
    }
}

extension AffineTransform {
    /// Returns the transform of an upright element in a mirrored picture. It rotates and shifts in
    /// the other direction.
    fileprivate func mirrored(along axis: ScrollDirection) -> AffineTransform {
        var map = self
        (map.b, map.c) = (-b, -c)
        switch axis {
        case .vertical: map.ty = -ty
        case .horizontal: map.tx = -tx
        }
        return map
    }
}
