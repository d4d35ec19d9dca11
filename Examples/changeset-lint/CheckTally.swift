/// How many scenarios agree with their results, and how many differ for which reason.
struct CheckTally {
    private(set) var agreements = 0
    /// Scenarios that differ for reasons with names only.
    private(set) var explained = 0
    private(set) var failures = 0
    private var counts: [NamedDifference: Int] = [:]

    mutating func note(_ comparison: ResultComparison) {
        // What fails is not explained by what else is.
        guard comparison.faults.isEmpty else {
            failures += 1
            return
        }
        if comparison.agrees { agreements += 1 } else { explained += 1 }
        for difference in comparison.differences { counts[difference, default: 0] += 1 }
    }

    func count(_ difference: NamedDifference) -> Int { counts[difference, default: 0] }

    /// The summary, one line an entry.
    var report: [String] {
        let named = NamedDifference.allCases.filter { count($0) > 0 }
        let width = String(named.map(count).max() ?? 0).count
        return ["\(agreements + explained + failures) checked, \(agreements) agree"]
            + ["\(explained) differ for a reason" + (named.isEmpty ? "" : " (some for several):")]
            + named.map { difference in
                let count = String(count(difference))
                let padding = String(repeating: " ", count: width - count.count)
                return "  \(padding)\(count) \(difference.rawValue): \(difference.reason)"
            }
            + ["\(failures) \(failures == 1 ? "failure" : "failures")"]
    }
}
