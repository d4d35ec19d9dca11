/// A sum of distances that is the same in whatever order they were added, so that what was changed step by
/// step equals what was laid out from scratch, to the last digit.
///
/// It keeps what each addition rounds away. That is exact as long as it is itself not rounded: where n
/// distances are multiples of some smallest digit and sum up to s digits, as long as n × s is below 2¹⁰⁶.
/// Millions of distances of a unit or more are far from that. Beyond, sums are better than those of
/// plain numbers, but depend on the order.
///
/// Source: D. E. Knuth, "The Art of Computer Programming", volume 2, 4.2.2, theorem B; summing up the
/// errors as in Ogita, Rump and Oishi, "Accurate Sum and Dot Product" (2005).
struct ExactSum: Sendable {
    private let rounded: Double
    /// What was rounded away; sums of large numbers make it not a number, and are infinite themselves.
    private let rest: Double

    static let zero = ExactSum(0)

    @inline(__always)
    init(_ value: Double) { self.init(value, 0) }

    @inline(__always)
    private init(_ rounded: Double, _ rest: Double) {
        self.rounded = rounded
        self.rest = rest
    }

    /// The sum, rounded once.
    @inline(__always)
    var value: Double { rounded.isFinite ? rounded + rest : rounded }

    /// Without a branch, and with two chains of dependent additions one step long each: sums over a
    /// million elements are made of these.
    @inline(__always)
    static func + (first: ExactSum, second: ExactSum) -> ExactSum {
        let sum = first.rounded + second.rounded
        let part = sum - first.rounded
        let lost = (first.rounded - (sum - part)) + (second.rounded - part)
        return ExactSum(sum, first.rest + second.rest + lost)
    }
}
