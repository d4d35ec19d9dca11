import CollectionElements

/// What a composed layout keeps about one section; nothing in it depends on where the section is.
struct ComposedSection: Sendable {
    let layout: any SectionLayout
    let itemCount: Int
    let preferred: PreferredSizes
    let arrangement: any SectionArrangement
    /// The arrangement's extent, if it can be used.
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
        self.extent = extent
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
    private let exact: ExactSum

    var sum: Double { exact.value }

    static let zero = SectionExtents(exact: .zero)

    private init(exact: ExactSum) { self.exact = exact }

    init(of element: ComposedSection) { exact = ExactSum(element.extent) }

    func combined(with next: SectionExtents) -> SectionExtents {
        SectionExtents(exact: exact + next.exact)
    }
}

typealias ComposedSections = PersistentSequence<ComposedSection, SectionExtents>

extension PersistentSequence where Summary == SectionExtents, Element == ComposedSection {
    /// Where the section at `position` begins.
    ///
    /// Complexity: O(log n).
    func offset(of position: Int) -> Double { summary(of: 0..<position).sum }
}
