/// Durations, and what may be said of them in the end. Eight bytes a sample.
struct DurationSamples: Sendable {
    private var nanoseconds: [UInt64] = []

    /// The sum of all.
    private(set) var totalNanoseconds: UInt64 = 0

    mutating func add(nanoseconds sample: UInt64) {
        nanoseconds.append(sample)
        totalNanoseconds += sample
    }

    /// Percentiles by nearest rank, and the maximum; 0 of nothing. Complexity: O(n log n).
    var latencyMilliseconds: Summary.Latency {
        guard !nanoseconds.isEmpty else { return Summary.Latency() }
        let sorted = nanoseconds.sorted()
        func milliseconds(_ fraction: Double) -> Double {
            let rank = Int((fraction * Double(sorted.count)).rounded(.up))
            return Double(sorted[rank - 1]) / 1e6
        }
        return Summary.Latency(
            p50: milliseconds(0.5),
            p99: milliseconds(0.99),
            max: milliseconds(1)
        )
    }
}
