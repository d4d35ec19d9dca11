/// What repetitions of one measurement came to: at least one number.
struct Samples: Equatable {
    /// Ascending.
    private let sorted: [Double]

    /// - Parameter values: in any order, at least one.
    init(_ values: [Double]) {
        guard !values.isEmpty else { fatalError("a measurement needs at least one repetition") }
        sorted = values.sorted()
    }

    /// A number that is counted and not measured, so that repeating would be pointless.
    init(exactly value: Double) { self.init([value]) }

    var count: Int { sorted.count }

    var sum: Double { sorted.reduce(0, +) }

    /// Half of the numbers are at most this.
    var median: Double { quantile(0.5) }

    /// Half the distance between the quartiles, over the median: by how much a single repetition is
    /// commonly off. 0 where the median is 0.
    var spread: Double {
        median == 0 ? 0 : (quantile(0.75) - quantile(0.25)) / 2 / abs(median)
    }

    /// Between neighbours, in proportion.
    func quantile(_ fraction: Double) -> Double {
        let position = fraction * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
}
