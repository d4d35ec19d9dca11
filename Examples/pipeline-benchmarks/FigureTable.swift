import Foundation

/// The figures as rows for people, one at a time, in columns whose widths are known before.
struct FigureTable {
    private let nameWidth: Int
    private let isJudged: Bool

    private static let widths = [12, 8, 12, 10, 18, 8]

    init(names: [String], isJudged: Bool) {
        nameWidth = names.map(\.count).max() ?? 0
        self.isJudged = isJudged
    }

    var header: [String] {
        let titles = row("", ["value", "spread", "reference", "ratio", "goal", "met"])
        return [titles, String(repeating: "-", count: titles.count)]
    }

    func line(_ figure: Figure) -> String {
        row(
            figure.name,
            [
                figure.value.map { Self.text($0, figure.unit) } ?? "unknown",
                figure.spread.map { "± " + Self.percent($0) } ?? "",
                figure.reference.map { Self.text($0, figure.unit) } ?? "",
                figure.ratio.map(Self.ratio) ?? "",
                Self.goal(figure),
                verdict(figure),
            ]
        )
    }

    private func row(_ name: String, _ cells: [String]) -> String {
        let padded = zip(cells, Self.widths).map { cell, width in
            String(repeating: " ", count: max(1, width - cell.count)) + cell
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
        guard let goal = figure.goal else { return "reported" }
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
        case .allocations, .asks, .events, .threads: return digits(value)
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
