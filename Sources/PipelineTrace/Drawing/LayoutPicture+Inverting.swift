import CollectionLayouts

// A picture of an inverted view is mirrored as a whole before it is drawn, and each element drawn upright.

extension LayoutPicture {
    /// The picture as a reader sees it.
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

    /// The rectangle that lies as far from the content's other end; the content stays where it is. Of what
    /// is mirrored already it gives what it was.
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
    /// What turns and shifts the other way what is mirrored and stands upright.
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
