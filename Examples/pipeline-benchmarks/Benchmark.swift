/// A claim about cost, and how to put a number to it.
struct Benchmark: Sendable {
    /// The text that `--filter` searches: words between dots and hyphens.
    let name: String

    /// A description of the number and of its reference.
    let title: String

    let unit: Unit

    /// The bound that the figure must keep, or `nil` if it is only reported.
    let goal: Goal?

    /// Measures, or returns `nil` if the platform does not support it.
    let measure: @Sendable (Workbench) throws -> Measurement?

    enum Unit: String {
        case nanoseconds = "ns"
        case bytes, allocations, asks, threads
    }

    /// Whether the figure is a count, which depends neither on the speed of the machine nor on its
    /// load.
    var isCount: Bool { unit != .nanoseconds }

    init(
        _ name: String,
        _ title: String,
        in unit: Unit = .nanoseconds,
        goal: Goal? = nil,
        measure: @escaping @Sendable (Workbench) throws -> Measurement?
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.goal = goal
        self.measure = measure
    }

    /// All benchmarks. Those that share the large collection are adjacent.
    static let all: [Benchmark] =
        changeSets + lookUps + loading + maps + differences + publishing + controllers + layouts
        + tables + views + contention
}

/// A bound on a figure. A time is bounded only by a ratio to something in the same run.
enum Goal {
    /// A bound on a count itself, in its unit.
    case valueAtMost(Double)
    /// A bound on the value over its reference.
    case ratioAtMost(Double)
    /// A bound on the reference over the value: the gain over the thing that is replaced.
    case ratioAtLeast(Double)

    var bound: Double {
        switch self {
        case .valueAtMost(let bound), .ratioAtMost(let bound), .ratioAtLeast(let bound): bound
        }
    }

    /// The side of the bound on which the figure must be.
    var side: String {
        switch self {
        case .valueAtMost, .ratioAtMost: "at most"
        case .ratioAtLeast: "at least"
        }
    }

    /// Returns whether a figure reaches the goal. A figure without the ratio that the goal needs
    /// does not.
    func isMet(value: Double, ratio: Double?) -> Bool {
        switch self {
        case .valueAtMost(let bound): value <= bound
        case .ratioAtMost(let bound): ratio.map { $0 <= bound } ?? false
        case .ratioAtLeast(let bound): ratio.map { $0 >= bound } ?? false
        }
    }
}

/// The samples of a benchmark, and the samples of its reference.
struct Measurement {
    let value: Samples
    let reference: Samples?

    init(_ value: Samples, over reference: Samples? = nil) {
        self.value = value
        self.reference = reference
    }

    /// Makes a measurement of something that is counted, so that repeating it is pointless.
    init(exactly value: Double, over reference: Double? = nil) {
        self.init(Samples([value]), over: reference.map { Samples([$0]) })
    }
}

/// The results of repeating one measurement: at least one number.
struct Samples {
    /// Ascending.
    private let sorted: [Double]

    init(_ values: [Double]) {
        precondition(!values.isEmpty, "expected at least one repetition, found none")
        sorted = values.sorted()
    }

    var median: Double { quantile(0.5) }

    /// Half the distance between the quartiles over the median, which is the usual error of a
    /// single repetition; 0 if the median is 0.
    var spread: Double {
        median == 0 ? 0 : (quantile(0.75) - quantile(0.25)) / 2 / abs(median)
    }

    /// Interpolates between neighbours.
    private func quantile(_ fraction: Double) -> Double {
        let position = fraction * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
}
