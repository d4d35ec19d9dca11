/// The values that a flow layout takes from its view and its own properties for all sections.
struct FlowEnvironment: Hashable, Sendable {
    let direction: ScrollDirection
    /// The extent of the view across the scroll direction, without the content inset.
    let dimension: Double
    /// The number of pixels per unit.
    let scale: Double
    let isRightToLeft: Bool
    /// The space across the scroll direction that the inset reference adds before the lines of
    /// every section.
    let acrossLeading: Double
    let acrossTrailing: Double
    /// The space that the inset reference adds before the first section and after the last.
    let alongLeading: Double
    let alongTrailing: Double

    /// Creates the environment; returns `nil` if the view has no extent to lay anything out in.
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
        let reference = host.insets(of: insetReference)
        // Sections are mirrored if content runs from right to left; the view's edges are not.
        let (start, end) =
            isRightToLeft ? (reference.right, reference.left) : (reference.left, reference.right)
        let isVertical = direction == .vertical
        acrossLeading = Self.distance(isVertical ? start : reference.top)
        acrossTrailing = Self.distance(isVertical ? end : reference.bottom)
        alongLeading = Self.distance(isVertical ? reference.top : start)
        alongTrailing = Self.distance(isVertical ? reference.bottom : end)
    }

    /// Creates the environment of a single section, which the caller places, mirrors and aligns to
    /// pixels.
    init(ofSectionAlong direction: ScrollDirection, dimension: Double) {
        self.direction = direction
        self.dimension = dimension
        scale = 1
        isRightToLeft = false
        (acrossLeading, acrossTrailing, alongLeading, alongTrailing) = (0, 0, 0, 0)
    }

    private static func distance(_ value: Double) -> Double { value.isFinite ? value : 0 }

    /// Whether the first section is at the far end of the scroll direction.
    var mirrorsSections: Bool { isRightToLeft && direction == .horizontal }

    /// Whether lines begin at the far end across the scroll direction.
    var mirrorsLines: Bool { isRightToLeft && direction == .vertical }

    /// Returns the nearest value that falls on a pixel.
    func rounded(_ value: Double) -> Double {
        let pixels = (value * scale).rounded() / scale
        // Values near the largest number are not rounded, because the product would overflow.
        return pixels.isFinite ? pixels : value
    }
}

/// A rectangle in the coordinates of layout computations: along and across the scroll direction,
/// from the start of lines.
struct FlowFrame: Hashable, Sendable {
    var along: Double
    var across: Double
    var size: Size

    func rect(_ direction: ScrollDirection) -> Rect {
        Rect(origin: Point(along: along, across: across, direction), size: size)
    }
}

/// The settings of a flow layout as a value: all inputs except the view and the content.
struct FlowSettings: Hashable, Sendable {
    let direction: ScrollDirection
    let lineSpacing: Double
    let interitemSpacing: Double
    let itemSize: Size
    let hasOwnItemSize: Bool
    /// The size of items that have not been shown yet; `nil` if sizes are known in advance.
    let estimate: Size?
    let headerReferenceSize: Size
    let footerReferenceSize: Size
    let inset: EdgeInsets
    let insetReference: SectionInsetReference

    /// The size of every item for which no other size is defined; `nil` if items are measured.
    var fixedItemSize: Size? { estimate == nil && hasOwnItemSize ? itemSize : nil }

    init(_ layout: FlowLayout) {
        direction = layout.scrollDirection
        lineSpacing = layout.minimumLineSpacing
        interitemSpacing = layout.minimumInteritemSpacing
        itemSize = layout.itemSize
        hasOwnItemSize = layout.hasOwnItemSize
        estimate = layout.effectiveEstimate
        headerReferenceSize = layout.headerReferenceSize
        footerReferenceSize = layout.footerReferenceSize
        inset = layout.sectionInset
        insetReference = layout.sectionInsetReference
    }
}

/// The reference that the insets of sections are relative to.
@nonexhaustive
public enum SectionInsetReference: String, Hashable, Sendable, CaseIterable {
    /// The content inset.
    case fromContentInset
    /// The area that bars and rounded corners do not cover.
    case fromSafeArea
    /// The margins of the view.
    case fromLayoutMargins
}

/// The metrics of one section as its sources define them, with every invalid distance replaced.
struct FlowResolvedMetrics: Hashable, Sendable {
    var inset = EdgeInsets.zero
    var interitemSpacing = 10.0
    var lineSpacing = 10.0
    /// The extent of the header along the scroll direction; 0 if there is none.
    var header = 0.0
    /// The extent of the footer along the scroll direction; 0 if there is none.
    var footer = 0.0
}

/// All values that determine the places of the items in one section, except their sizes.
struct FlowRules: Hashable, Sendable {
    let environment: FlowEnvironment
    let metrics: FlowResolvedMetrics

    /// The start of lines, across the scroll direction.
    var leading: Double {
        metrics.inset.acrossLeading(environment.direction) + environment.acrossLeading
    }

    /// The extent that is available to a line.
    var available: Double {
        environment.dimension - metrics.inset.across(environment.direction)
            - (environment.acrossLeading + environment.acrossTrailing)
    }

    /// The distance along the scroll direction from the start of the section to the first line.
    var linesStart: Double { metrics.header + metrics.inset.leading(environment.direction) }

    /// Returns whether lines break in the same places under both rules.
    func breaksLines(as other: FlowRules) -> Bool {
        available == other.available
            && metrics.interitemSpacing == other.metrics.interitemSpacing
            && environment.direction == other.environment.direction
    }
}
