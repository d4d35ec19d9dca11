/// Durations, and what may be said of them in the end. Eight bytes a sample.
struct DurationSamples: Sendable {
    private var nanoseconds: [UInt64] = []

    /// The sum of all.
    private(set) var totalNanoseconds: UInt64 = 0

    mutating func add(nanoseconds sample: UInt64) {
        nanoseconds.append(sample)
        totalNanoseconds += sample
    }

    mutating func add(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let total = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        add(nanoseconds: UInt64(max(0, total)))
    }

    /// Percentiles by nearest rank, and the maximum; 0 of nothing. Complexity: O(n log n).
    var latencyMilliseconds: Summary.Latency {
        guard !nanoseconds.isEmpty else { return Summary.Latency() }
        let sorted = nanoseconds.sorted()
        func milliseconds(_ fraction: Double) -> Double {
            let rank = Int((fraction * Double(sorted.count)).rounded(.up))
            return Double(sorted[min(max(rank, 1), sorted.count) - 1]) / 1e6
        }
        return Summary.Latency(
            p50: milliseconds(0.5),
            p99: milliseconds(0.99),
            max: milliseconds(1)
        )
    }
}
