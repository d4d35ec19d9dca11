import CollectionElements

/// Keeps the headers, footers or both of visible sections, each within its section.
///
/// A header stays at its place until that leaves the visible rectangle; then it stays at the rectangle's edge
/// until its section ends, footer before header. So sections that follow one another push each
/// other's headers out.
///
/// Source: the pinned headers and footers of UICollectionViewFlowLayout.
public struct StickyHeaders: LayoutFeature, Hashable, Sendable {
    /// Whether headers are kept in sight.
    public var pinsHeaders: Bool

    /// Whether footers are kept in sight.
    public var pinsFooters: Bool

    /// Makes the feature; headers only by default.
    public init(pinsHeaders: Bool = true, pinsFooters: Bool = false) {
        self.pinsHeaders = pinsHeaders
        self.pinsFooters = pinsFooters
    }

    /// Headers and footers do, if they are pinned.
    public func followsContentOffset(_ category: ElementCategory) -> Bool {
        switch category {
        case .supplementary(.header): pinsHeaders
        case .supplementary(.footer): pinsFooters
        default: false
        }
    }

    /// Moves headers and footers along the scroll direction.
    public func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
        -> LayoutAttributes
    {
        guard followsContentOffset(attributes.representedElementCategory) else { return attributes }
        let axis = Axis(surroundings)
        let frame = attributes.frame
        let section = PinnedSection(
            start: axis.start(of: surroundings.sectionFrame),
            end: axis.end(of: surroundings.sectionFrame),
            headerExtent: surroundings.headerExtent,
            footerExtent: surroundings.footerExtent
        )
        let (natural, visible) = (axis.start(of: frame), surroundings.visibleRect)
        let start =
            attributes.representedElementCategory == .supplementary(.header)
            ? section.headerStart(at: natural, visibleFrom: axis.start(of: visible))
            : section.footerStart(at: natural, visibleTo: axis.end(of: visible))
        var pinned = attributes
        pinned.frame = axis.moved(frame, to: start, surroundings)
        return pinned
    }

    /// Positions along the scroll direction that ascend from the first section to the last.
    private struct Axis {
        let direction: ScrollDirection
        /// From right to left, so that positions are negated.
        let isReversed: Bool

        init(_ surroundings: LayoutSurroundings) {
            direction = surroundings.scrollDirection
            isReversed = direction == .horizontal && surroundings.isRightToLeft
        }

        func extent(of rect: Rect) -> Double { rect.size.along(direction) }

        func start(of rect: Rect) -> Double {
            let low = rect.origin.along(direction)
            return isReversed ? -(low + extent(of: rect)) : low
        }

        func end(of rect: Rect) -> Double { start(of: rect) + extent(of: rect) }

        func moved(_ rect: Rect, to start: Double, _ surroundings: LayoutSurroundings) -> Rect {
            let low = isReversed ? -(start + extent(of: rect)) : start
            var moved = AxisRect(rect, direction)
            moved.along = surroundings.pixelAligned(low)
            return moved.rect(direction)
        }
    }
}
