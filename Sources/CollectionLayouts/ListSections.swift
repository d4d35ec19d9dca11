/// The sum of heights.
struct RowSummary: SequenceSummary {
    private let sum: ExactSum

    var height: Double { sum.value }

    static var zero: RowSummary { RowSummary(sum: .zero) }

    private init(sum: ExactSum) { self.sum = sum }

    init(of row: Double) { sum = ExactSum(row) }

    @inline(__always)
    func combined(with next: RowSummary) -> RowSummary {
        RowSummary(sum: sum + next.sum)
    }
}

typealias RowHeights = ExtentTree<Double, RowSummary>

/// One section of a list.
struct ListSection: Sendable {
    var header = 0.0
    var footer = 0.0
    var rows = RowHeights()

    var height: Double { header + rows.summary.height + footer }
}

/// The sum of the sections' heights.
struct ListSectionSummary: SequenceSummary {
    private let sum: ExactSum

    var height: Double { sum.value }

    static var zero: ListSectionSummary { ListSectionSummary(sum: .zero) }

    private init(sum: ExactSum) { self.sum = sum }

    init(of section: ListSection) { sum = ExactSum(section.height) }

    func combined(with next: ListSectionSummary) -> ListSectionSummary {
        ListSectionSummary(sum: sum + next.sum)
    }
}

typealias ListSections = ExtentTree<ListSection, ListSectionSummary>
