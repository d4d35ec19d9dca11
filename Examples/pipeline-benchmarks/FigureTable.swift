import Foundation

/// The figures as rows for people, one at a time, in columns whose widths are known before.
struct FigureTable {
    private let nameWidth: Int
    private let columns: [Column]
    private let isJudged: Bool

    private enum Column: String, CaseIterable {
        case value, spread, reference, ratio, goal, met

        var width: Int {
            switch self {
            case .met: 5
            case .spread: 8
            case .ratio: 10
            case .value: 11
            case .reference: 12
            case .goal: 17
            }
        }

        /// What goes first where not all fit; the value stays.
        static let dispensable: [Column] = [.reference, .spread, .goal, .ratio, .met]
    }

    /// - Parameters:
    ///   - hasGoals: whether one of the figures has a goal; otherwise nothing is said of goals.
    ///   - width: how wide rows may be, if names and values leave that room.
    init(names: [String], hasGoals: Bool = true, isJudged: Bool, width: Int) {
        let nameWidth = names.map(\.count).max() ?? 0
        var columns = Column.allCases
        if !hasGoals { columns.removeAll { $0 == .goal || $0 == .met } }
        for column in Column.dispensable
        where columns.reduce(nameWidth, { $0 + $1.width }) > width {
            columns.removeAll { $0 == column }
        }
        self.nameWidth = nameWidth
        self.columns = columns
        self.isJudged = isJudged
    }

    var header: [String] {
        let titles = row("") { $0.rawValue }
        return [titles, String(repeating: "-", count: titles.count)]
    }

    func line(_ figure: Figure) -> String {
        row(figure.name) { column in
            switch column {
            case .value: figure.value.map { Self.text($0, figure.unit) } ?? "unknown"
            case .spread: figure.spread.map { "± " + Self.percent($0) } ?? ""
            case .reference: figure.reference.map { Self.text($0, figure.unit) } ?? ""
            case .ratio: figure.ratio.map(Self.ratio) ?? ""
            case .goal: Self.goal(figure)
            case .met: verdict(figure)
            }
        }
    }

    private func row(_ name: String, _ cell: (Column) -> String) -> String {
        let padded = columns.map { column in
            let cell = cell(column)
            return String(repeating: " ", count: max(1, column.width - cell.count)) + cell
        }
        return name + String(repeating: " ", count: nameWidth - name.count) + padded.joined()
    }

    private func verdict(_ figure: Figure) -> String {
        guard figure.goal != nil else { return "" }
        guard isJudged, let isMet = figure.isMet else { return "-" }
        return isMet ? "yes" : "NO"
    }

    // MARK: Cells

    private static func goal(_ figure: Figure) -> String {
        guard let goal = figure.goal else { return "" }
        if case .valueAtMost(let bound) = goal {
            return "\(goal.side) \(text(bound, figure.unit))"
        }
        return "\(goal.side) \(ratio(goal.bound))"
    }

    static func text(_ value: Double, _ unit: Benchmark.Unit) -> String {
        switch unit {
        case .nanoseconds:
            for (scale, name) in [(1e9, "s"), (1e6, "ms"), (1e3, "µs")] where value >= scale {
                return "\(digits(value / scale)) \(name)"
            }
            return "\(digits(value)) ns"
        case .bytes: return "\(digits(value)) B"
        case .allocations, .asks, .events, .moves, .threads, .viewports, .sections, .nodes, .frames:
            return digits(value)
        }
    }

    private static func ratio(_ ratio: Double) -> String { digits(ratio) + " x" }

    private static func percent(_ share: Double) -> String { digits(share * 100, 0) + " %" }

    /// Three digits, or all that stand before the point.
    private static func digits(_ value: Double, _ decimals: Int? = nil) -> String {
        let isWhole = value == value.rounded()
        let size = abs(value)
        let places = decimals ?? (isWhole || size >= 100 ? 0 : size >= 10 ? 1 : 2)
        return String(format: "%.\(places)f", value)
    }
}
