import PersistentTrees

/// A section as a layout has laid it out, in coordinates of its own: nothing in it depends on where it is,
/// so that changes elsewhere merely shift it.
protocol LaidOutSection: Sendable {
    var itemCount: Int { get }

    /// How far it reaches along the scroll direction.
    var extent: Double { get }

    /// How far something in it reaches out of it on either side, at most.
    var overhang: Double { get }
}

extension LaidOutSection {
    var overhang: Double { 0 }
}

/// How far sections reach.
struct SectionSums<Section: LaidOutSection>: SequenceSummary {
    private var exact: ExactSum
    /// That of the section that reaches out of itself furthest.
    private(set) var overhang: Double

    var sum: Double { exact.value }

    static var zero: SectionSums { SectionSums(exact: .zero, overhang: 0) }

    private init(exact: ExactSum, overhang: Double) {
        self.exact = exact
        self.overhang = overhang
    }

    init(of section: Section) {
        self.init(exact: ExactSum(section.extent), overhang: section.overhang)
    }

    func combined(with next: SectionSums) -> SectionSums {
        SectionSums(exact: exact + next.exact, overhang: max(overhang, next.overhang))
    }
}
