/// A sum of distances that is the same in whatever order they were added, so that what was changed step by
/// step equals what was laid out from scratch, to the last digit.
///
/// It holds what its rounded value leaves over. Sums are exact as long as all that was added and the sum
/// lie within 104 bits, such as distances from a thousandth of a unit to a trillion; beyond that they
/// are better than sums of plain numbers, but depend on the order.
///
/// Source: T. J. Dekker, "A Floating-Point Technique for Extending the Available Precision" (1971); adding
/// as in the QD library of Hida, Li and Bailey.
struct ExactSum: Hashable, Sendable {
    /// The sum, rounded once.
    let value: Double
    private let rest: Double

    static let zero = ExactSum(0)

    @inline(__always)
    init(_ value: Double) { self.init(value, 0) }

    @inline(__always)
    private init(_ value: Double, _ rest: Double) {
        self.value = value
        self.rest = rest
    }

    @inline(__always)
    static func + (first: ExactSum, second: ExactSum) -> ExactSum {
        let high = exactly(first.value, plus: second.value)
        // Where numbers are too large to add, their rests are not a number.
        guard high.value.isFinite else { return ExactSum(high.value) }
        let low = exactly(first.rest, plus: second.rest)
        let sum = normalized(high.value, high.rest + low.value)
        return normalized(sum.value, sum.rest + low.rest)
    }

    /// The rounded sum of any two numbers, and what was lost in rounding.
    @inline(__always)
    private static func exactly(_ first: Double, plus second: Double) -> ExactSum {
        let sum = first + second
        let part = sum - first
        return ExactSum(sum, (first - (sum - part)) + (second - part))
    }

    /// The same where the first is the larger one.
    @inline(__always)
    private static func normalized(_ first: Double, _ second: Double) -> ExactSum {
        let sum = first + second
        return ExactSum(sum, second - (sum - first))
    }
}
