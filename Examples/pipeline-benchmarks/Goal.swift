/// What a figure must come to.
enum Goal: Equatable {
    /// The value itself, in its unit.
    case valueAtMost(Double)
    /// The value over its reference: what something costs, measured by something known.
    case ratioAtMost(Double)
    /// The reference over the value: how much better something is than what it replaces.
    case ratioAtLeast(Double)

    /// The number to reach.
    var bound: Double {
        switch self {
        case .valueAtMost(let bound), .ratioAtMost(let bound), .ratioAtLeast(let bound): bound
        }
    }

    /// Which side of the number is the right one.
    var side: String {
        switch self {
        case .valueAtMost, .ratioAtMost: "at most"
        case .ratioAtLeast: "at least"
        }
    }

    /// Whether a figure with this value and ratio reaches it; without the ratio that it speaks of,
    /// it does not.
    func isMet(value: Double, ratio: Double?) -> Bool {
        switch self {
        case .valueAtMost(let bound): value <= bound
        case .ratioAtMost(let bound): ratio.map { $0 <= bound } ?? false
        case .ratioAtLeast(let bound): ratio.map { $0 >= bound } ?? false
        }
    }
}
