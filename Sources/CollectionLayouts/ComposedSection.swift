import CollectionElements

/// What a composed layout keeps about one section; nothing in it depends on where the section is.
struct ComposedSection: Sendable {
    let layout: any SectionLayout
    let itemCount: Int
    let preferred: PreferredSizes
    let arrangement: any SectionArrangement
    /// The arrangement's extent, in steps of ``SectionExtents/step``.
    let extent: Double

    /// Not laid out yet.
    init(_ layout: any SectionLayout) {
        self.layout = layout
        itemCount = 0
        preferred = PreferredSizes()
        arrangement = EmptyArrangement()
        extent = 0
    }

    init(
        _ layout: any SectionLayout,
        itemCount: Int,
        preferred: PreferredSizes,
        arrangement: any SectionArrangement,
        extent: Double
    ) {
        self.layout = layout
        self.itemCount = itemCount
        self.preferred = preferred
        self.arrangement = arrangement
        self.extent = SectionExtents.quantized(extent)
    }
}

private struct EmptyArrangement: SectionArrangement {
    var extent: Double { 0 }
    var headerFrame: Rect? { nil }
    var footerFrame: Rect? { nil }
    var itemCount: Int { 0 }
    func frame(ofItem item: Int) -> Rect? { nil }
}

/// The sum of sections' extents.
struct SectionExtents: SequenceSummary {
    let sum: Double

    static let zero = SectionExtents(sum: 0)

    /// Sums of multiples of this, a millionth of a unit, are exact up to eight billion units. So they are the
    /// same in whatever order they are added, and what was changed step by step equals what was laid
    /// out from scratch.
    static let step = 1.0 / 1_048_576

    static func quantized(_ extent: Double) -> Double { (extent / step).rounded() * step }

    private init(sum: Double) { self.sum = sum }

    init(of element: ComposedSection) { sum = element.extent }

    func combined(with next: SectionExtents) -> SectionExtents {
        SectionExtents(sum: sum + next.sum)
    }
}

typealias ComposedSections = PersistentSequence<ComposedSection, SectionExtents>

extension PersistentSequence where Summary == SectionExtents, Element == ComposedSection {
    /// Where the section at `position` begins.
    ///
    /// Complexity: O(log n).
    func offset(of position: Int) -> Double { summary(of: 0..<position).sum }
}
