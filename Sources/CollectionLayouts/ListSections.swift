/// The sum of heights.
struct RowSummary: SequenceSummary {
    let height: Double

    static var zero: RowSummary { RowSummary(height: 0) }

    private init(height: Double) { self.height = height }

    init(of row: Double) { height = row }

    @inline(__always)
    func combined(with next: RowSummary) -> RowSummary {
        RowSummary(height: height + next.height)
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
    let height: Double

    static var zero: ListSectionSummary { ListSectionSummary(height: 0) }

    private init(height: Double) { self.height = height }

    init(of section: ListSection) { height = section.height }

    func combined(with next: ListSectionSummary) -> ListSectionSummary {
        ListSectionSummary(height: height + next.height)
    }
}

typealias ListSections = ExtentTree<ListSection, ListSectionSummary>
