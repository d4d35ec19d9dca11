/// What a flow layout takes from its view and from itself for all sections alike.
struct FlowEnvironment: Hashable, Sendable {
    let direction: ScrollDirection
    /// The extent across the scroll direction, without the content inset.
    let dimension: Double
    /// How many pixels a unit has.
    let scale: Double
    let isRightToLeft: Bool
    /// What the inset reference adds around the lines of every section, across.
    let acrossLeading: Double
    let acrossTrailing: Double
    /// What it adds before the first section and after the last.
    let alongLeading: Double
    let alongTrailing: Double

    /// nil where there is no room, so that nothing can be laid out.
    init?(
        _ host: any LayoutHost,
        direction: ScrollDirection,
        insetReference: SectionInsetReference
    ) {
        let bounds = host.bounds
        let dimension = bounds.size.across(direction) - host.adjustedContentInset.across(direction)
        guard !bounds.isEmpty, dimension > 0, dimension.isFinite else { return nil }
        self.direction = direction
        self.dimension = dimension
        let scale = host.displayScale
        self.scale = scale > 0 && scale.isFinite ? scale : 1
        isRightToLeft = host.isRightToLeft
        let reference: EdgeInsets =
            switch insetReference {
            case .fromContentInset: .zero
            case .fromSafeArea: host.safeAreaInsets
            case .fromLayoutMargins: host.layoutMargins
            }
        // Sections are mirrored where content runs from right to left; the view's edges are not.
        let (start, end) =
            isRightToLeft ? (reference.right, reference.left) : (reference.left, reference.right)
        let isVertical = direction == .vertical
        acrossLeading = Self.distance(isVertical ? start : reference.top)
        acrossTrailing = Self.distance(isVertical ? end : reference.bottom)
        alongLeading = Self.distance(isVertical ? reference.top : start)
        alongTrailing = Self.distance(isVertical ? reference.bottom : end)
    }

    /// That of a single section, which somebody else places, mirrors and aligns to pixels.
    init(ofSectionAlong direction: ScrollDirection, dimension: Double) {
        self.direction = direction
        self.dimension = dimension
        scale = 1
        isRightToLeft = false
        (acrossLeading, acrossTrailing, alongLeading, alongTrailing) = (0, 0, 0, 0)
    }

    private static func distance(_ value: Double) -> Double { value.isFinite ? value : 0 }

    /// Whether what is first lies at the far end of the scroll direction.
    var mirrorsSections: Bool { isRightToLeft && direction == .horizontal }

    /// Whether lines begin at the far end across the scroll direction.
    var mirrorsLines: Bool { isRightToLeft && direction == .vertical }

    /// The nearest value that falls on a pixel.
    func rounded(_ value: Double) -> Double {
        let pixels = (value * scale).rounded() / scale
        // Where there are no pixels any more, as with values near the largest, nothing is rounded.
        return pixels.isFinite ? pixels : value
    }
}

/// A rectangle as layouts compute: along and across the scroll direction, from where lines begin.
struct FlowFrame: Hashable, Sendable {
    var along: Double
    var across: Double
    var size: Size

    func rect(_ direction: ScrollDirection) -> Rect {
        Rect(origin: Point(along: along, across: across, direction), size: size)
    }
}
