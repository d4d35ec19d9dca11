/// A feature that keeps the headers, footers or both of visible sections in view, each within its
/// section.
///
/// A header stays in its place until the place leaves the visible rectangle. Then it stays at the
/// edge of the rectangle until the end of its section, just before the section's footer. The header
/// of the next section therefore pushes it out.
///
/// Source: the pinned headers and footers of UICollectionViewFlowLayout.
public struct StickyHeaders: LayoutFeature, Hashable, Sendable {
    /// Whether headers stay visible.
    public var pinsHeaders: Bool

    /// Whether footers stay visible.
    public var pinsFooters: Bool

    /// Creates the feature; by default it pins only headers.
    public init(pinsHeaders: Bool = true, pinsFooters: Bool = false) {
        self.pinsHeaders = pinsHeaders
        self.pinsFooters = pinsFooters
    }

    /// Returns `true` for headers and footers that are pinned.
    public func followsContentOffset(_ category: ElementCategory) -> Bool {
        switch category {
        case .supplementary(.header): pinsHeaders
        case .supplementary(.footer): pinsFooters
        default: false
        }
    }

    /// Returns the attributes with a pinned header or footer moved along the scroll direction.
    public func rewrite(_ attributes: LayoutAttributes, in environment: LayoutEnvironment)
        -> LayoutAttributes
    {
        guard followsContentOffset(attributes.representedElementCategory) else { return attributes }
        let axis = Axis(environment)
        let frame = attributes.frame
        let section = PinnedSection(
            start: axis.start(of: environment.sectionFrame),
            end: axis.end(of: environment.sectionFrame),
            headerExtent: environment.headerExtent,
            footerExtent: environment.footerExtent
        )
        let (natural, visible) = (axis.start(of: frame), environment.visibleRect)
        let start =
            attributes.representedElementCategory == .supplementary(.header)
            ? section.headerStart(at: natural, visibleFrom: axis.start(of: visible))
            : section.footerStart(at: natural, visibleTo: axis.end(of: visible))
        var pinned = attributes
        pinned.frame = axis.moved(frame, to: start, environment)
        return pinned
    }

    /// Positions along the scroll direction that ascend from the first section to the last.
    private struct Axis {
        let direction: ScrollDirection
        /// Whether sections run from right to left, so that positions are negated.
        let isReversed: Bool

        init(_ environment: LayoutEnvironment) {
            direction = environment.scrollDirection
            isReversed = direction == .horizontal && environment.isRightToLeft
        }

        func extent(of rect: Rect) -> Double { rect.size.along(direction) }

        func start(of rect: Rect) -> Double {
            let low = rect.origin.along(direction)
            return isReversed ? -(low + extent(of: rect)) : low
        }

        func end(of rect: Rect) -> Double { start(of: rect) + extent(of: rect) }

        func moved(_ rect: Rect, to start: Double, _ environment: LayoutEnvironment) -> Rect {
            let low = isReversed ? -(start + extent(of: rect)) : start
            var moved = AxisRect(rect, direction)
            moved.along = environment.pixelAligned(low)
            return moved.rect(direction)
        }
    }
}
