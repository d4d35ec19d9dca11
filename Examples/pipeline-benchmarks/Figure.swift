import Foundation

/// The result of a benchmark, ready to be printed.
struct Figure {
    let name: String
    let unit: Benchmark.Unit
    let goal: Goal?
    /// The median, or `nil` if the platform does not support the measurement.
    let value: Double?
    let spread: Double?
    let reference: Double?

    init(_ benchmark: Benchmark, _ measurement: Measurement?) {
        name = benchmark.name
        unit = benchmark.unit
        goal = benchmark.goal
        value = measurement?.value.median
        spread = measurement?.value.spread
        reference = measurement?.reference?.median
    }

    /// The value over the reference, or the reference over the value if the goal is a gain.
    var ratio: Double? {
        guard let value, let reference else { return nil }
        let (over, under) =
            if case .ratioAtLeast = goal { (reference, value) } else { (value, reference) }
        return under == 0 ? nil : over / under
    }

    /// Whether the goal is met, or `nil` if there is no goal or no value.
    var isMet: Bool? {
        guard let goal, let value else { return nil }
        return goal.isMet(value: value, ratio: ratio)
    }

    /// One object on one line, with all keys always present and in the same order.
    var json: String {
        let verdict = PipelineBenchmarks.isOptimised ? isMet.map { "\($0)" } : nil
        let members = [
            ("name", Self.quoted(name)),
            ("value", Self.number(value)),
            ("unit", Self.quoted(unit.rawValue)),
            ("spread", Self.number(spread)),
            ("reference", Self.number(reference)),
            ("ratio", Self.number(ratio)),
            ("goal", Self.number(goal?.bound)),
            ("bound", goal.map { Self.quoted($0.side) } ?? "null"),
            ("met", verdict ?? "null"),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    /// Returns six digits, since no measurement has more. JSON has neither infinity nor NaN.
    private static func number(_ number: Double?) -> String {
        guard let number, number.isFinite else { return "null" }
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        var unit = 1.0
        while abs(number) * unit < 1e5, unit < 1e12 { unit *= 10 }
        let rounded = (number * unit).rounded() / unit
        return rounded == rounded.rounded() && abs(rounded) < 1e15
            ? String(Int(rounded)) : "\(rounded)"
    }

    /// Returns a JSON string. Names and units are ASCII without quotes.
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}

/// A table of figures for people. Its columns do not depend on the figures, so rows can be printed
/// one at a time.
struct FigureTable {
    private let nameWidth: Int
    private let columns: [Column]

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
    }

    /// - Parameter width: the maximum width of a row, as far as names and values permit.
    init(of benchmarks: [Benchmark], width: Int) {
        let nameWidth = benchmarks.map(\.name.count).max() ?? 0
        var columns = Column.allCases
        if !PipelineBenchmarks.isOptimised || benchmarks.allSatisfy({ $0.goal == nil }) {
            columns.removeAll { $0 == .goal || $0 == .met }
        }
        for column in [Column.reference, .spread, .goal, .ratio, .met]
        where columns.reduce(nameWidth, { $0 + $1.width }) > width {
            columns.removeAll { $0 == column }
        }
        self.nameWidth = nameWidth
        self.columns = columns
    }

    var header: [String] {
        let titles = row("") { $0.rawValue }
        return [titles, String(repeating: "-", count: titles.count)]
    }

    func line(_ figure: Figure) -> String {
        row(figure.name) { column in
            switch column {
            case .value: figure.value.map { Self.text($0, figure.unit) } ?? "unknown"
            case .spread: figure.spread.map { "± \(Self.digits($0 * 100, 0)) %" } ?? ""
            case .reference: figure.reference.map { Self.text($0, figure.unit) } ?? ""
            case .ratio: figure.ratio.map { Self.digits($0) + " x" } ?? ""
            case .goal: Self.text(figure.goal, figure.unit)
            case .met: figure.goal == nil ? "" : figure.isMet.map { $0 ? "yes" : "NO" } ?? "-"
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

    private static func text(_ goal: Goal?, _ unit: Benchmark.Unit) -> String {
        switch goal {
        case nil: ""
        case .valueAtMost(let bound)?: "at most \(text(bound, unit))"
        case .ratioAtMost(let bound)?, .ratioAtLeast(let bound)?:
            "\(goal?.side ?? "") \(digits(bound)) x"
        }
    }

    private static func text(_ value: Double, _ unit: Benchmark.Unit) -> String {
        switch unit {
        case .nanoseconds:
            for (scale, name) in [(1e9, "s"), (1e6, "ms"), (1e3, "µs")] where value >= scale {
                return "\(digits(value / scale)) \(name)"
            }
            return "\(digits(value)) ns"
        case .bytes: return "\(digits(value)) B"
        default: return digits(value)
        }
    }

    /// Returns three digits, or all digits before the point.
    private static func digits(_ value: Double, _ decimals: Int? = nil) -> String {
        let isWhole = value == value.rounded()
        let size = abs(value)
        let places = decimals ?? (isWhole || size >= 100 ? 0 : size >= 10 ? 1 : 2)
        return String(format: "%.\(places)f", value)
    }
}
