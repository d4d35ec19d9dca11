import PersistentTrees

/// The sum of heights.
struct RowSummary: SequenceSummary {
    private let sum: ExactSum

    var height: Double { sum.value }

    static var zero: RowSummary { RowSummary(sum: .zero) }

    private init(sum: ExactSum) { self.sum = sum }

    init(of row: Double) { sum = ExactSum(row) }

    @inline(__always)
    func combined(with next: RowSummary) -> RowSummary { RowSummary(sum: sum + next.sum) }
}

typealias RowHeights = PersistentSequence<Double, RowSummary>

/// One section of a list.
struct ListSection: LaidOutSection {
    private(set) var header = 0.0
    private(set) var footer = 0.0
    var rows = RowHeights()
    // What was answered last: a view may have asked for another height since, and keeps it until the
    // answer is another.
    private var answeredHeader = 0.0
    private var answeredFooter = 0.0

    init() {}

    init(rows: RowHeights) { self.rows = rows }

    var itemCount: Int { rows.count }

    var extent: Double { header + rows.summary.height + footer }

    mutating func answer(header height: Double) {
        if height != answeredHeader { header = height }
        answeredHeader = height
    }

    mutating func answer(footer height: Double) {
        if height != answeredFooter { footer = height }
        answeredFooter = height
    }

    /// What its view asks for.
    mutating func prefer(_ height: Double, asHeader isHeader: Bool) {
        if isHeader { header = height } else { footer = height }
    }
}
