import CollectionLayouts

// What a reader sees of the content, and touches.

extension SimulatedCollectionView {
    /// Whether readers see the content inverted, as in a chat: along the axis on which the layout scrolls its
    /// beginning is at the lower or right edge, and cells stand upright. False at first, and may change at any
    /// time.
    ///
    /// ```swift
    /// view.isInverted = true
    /// let bubble = view.convertToViewport(cell.frame)
    /// let touched = view.hitTest(Point(x: 20, y: 580))?.element
    /// ```
    ///
    /// Nothing else changes by it. Frames, bounds, offsets, insets, ranges and paths are the content's as ever,
    /// and so are the distances and velocities of a finger: where the first item is at the lower edge, offset
    /// 0 is there, and so are the upper insets and what is scrolled to ``ScrollPosition/top``.
    ///
    /// Shape: the axis is the layout's `scrollDirection`, vertical for one that does not say.
    ///
    /// Source: Texture's inverted collection and table nodes, which are mirrored vertically in any layout.
    public var isInverted: Bool {
        get {
            requireLane("isInverted")
            return viewport.isInverted
        }
        set {
            requireLane("isInverted")
            viewport.isInverted = newValue
        }
    }

    // MARK: Converting

    /// Where a reader sees a point of the content: from the viewport's upper left corner.
    public func convertToViewport(_ point: Point) -> Point {
        requireLane("convertToViewport(_:)")
        return viewport.seen(point, along: shownLayout.scrollDirection)
    }

    /// Where a reader sees a rectangle of the content, a frame say: from the viewport's upper left corner.
    public func convertToViewport(_ rect: Rect) -> Rect {
        requireLane("convertToViewport(_:)")
        return viewport.seen(rect, along: shownLayout.scrollDirection)
    }

    /// The point of the content that a reader sees at a point of the viewport.
    public func convertFromViewport(_ point: Point) -> Point {
        requireLane("convertFromViewport(_:)")
        return viewport.content(at: point, along: shownLayout.scrollDirection)
    }

    /// The rectangle of the content that a reader sees at a rectangle of the viewport.
    public func convertFromViewport(_ rect: Rect) -> Rect {
        requireLane("convertFromViewport(_:)")
        return viewport.content(at: rect, along: shownLayout.scrollDirection)
    }

    // MARK: Touching

    /// The view that is in front at a point of the viewport, as of the last pass; nil where none is, and
    /// outside of the viewport. Its place, element and node are those that a reader touches.
    ///
    /// Views whose `alpha` is less than a hundredth are looked through. The left and upper edges of a view, as
    /// they are seen, belong to it.
    ///
    /// - Parameter point: from the viewport's upper left corner. For points of the content there is
    ///   ``indexPathForItem(at:)``.
    ///
    /// Complexity: O(v) for v visible views.
    ///
    /// Source: UIView's hit test.
    public func hitTest(_ point: Point) -> CollectionReusableView? {
        requireLane("hitTest(_:)")
        guard Rect(origin: .zero, size: viewport.bounds.size).contains(point) else { return nil }
        let axis = shownLayout.scrollDirection
        return front(display.shown.all) {
            $0.alpha >= 0.01 && viewport.seen($0.frame, along: axis).contains(point)
        }?.view
    }

    /// Of the views that are at a point, that which is in front.
    func front(
        _ views: some Sequence<ShownView>,
        where isThere: (LayoutAttributes) -> Bool
    ) -> ShownView? {
        views.filter { isThere($0.attributes) }.max { $0.attributes.isBehind($1.attributes) }
    }
}
