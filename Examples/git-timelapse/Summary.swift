/// The results of a replay.
struct Summary: Hashable, Sendable {
    /// The times from submission to deployment of all change sets.
    struct Latency: Hashable, Sendable {
        var p50 = 0.0
        var p99 = 0.0
        var max = 0.0
    }

    var commits = 0
    var changeSets = 0
    /// The number of removals, insertions and reconfigurations in all change sets.
    var edits = 0
    /// The number of sections at the end.
    var sections = 0
    /// The number of items at the end.
    var items = 0
    var nodesMeasured = 0
    var seconds = 0.0
    var latencyMilliseconds = Latency()
    var mainLaneSeconds = 0.0
    var mainLaneLongestStallMilliseconds = 0.0
    /// The ranges at the end, if the view has a range controller.
    var ranges: RangeTally?
    /// The number of differences from git's listing, if it was compared.
    var differences: Int?

    /// The throughput, or 0 if no time has passed.
    var changeSetsPerSecond: Double { seconds > 0 ? Double(changeSets) / seconds : 0 }

    /// The summary as one JSON object on one line, with its keys always in the same order.
    var json: String {
        var fields = [
            "\"commits\":\(commits)",
            "\"changeSets\":\(changeSets)",
            "\"edits\":\(edits)",
            "\"sections\":\(sections)",
            "\"items\":\(items)",
            "\"nodesMeasured\":\(nodesMeasured)",
            "\"seconds\":\(Self.number(seconds))",
            "\"changeSetsPerSecond\":\(Self.number(changeSetsPerSecond))",
            "\"latencyMilliseconds\":{\"p50\":\(Self.number(latencyMilliseconds.p50)),"
                + "\"p99\":\(Self.number(latencyMilliseconds.p99)),"
                + "\"max\":\(Self.number(latencyMilliseconds.max))}",
            "\"mainLaneSeconds\":\(Self.number(mainLaneSeconds))",
            "\"mainLaneLongestStallMilliseconds\":"
                + Self.number(mainLaneLongestStallMilliseconds),
        ]
        if let ranges {
            fields.append(
                "\"ranges\":{\"mode\":\"\(ranges.mode)\",\"visible\":\(ranges.visible),"
                    + "\"display\":\(ranges.display),\"preload\":\(ranges.preload)}"
            )
            fields.append("\"nodesAllocated\":\(ranges.nodes)")
        }
        if let differences { fields.append("\"differences\":\(differences)") }
        return "{" + fields.joined(separator: ",") + "}"
    }

    /// Returns the summary for people, with explanations, in lines of at most `width` columns.
    func text(width: Int = 80) -> String {
        let latency = latencyMilliseconds
        var rows = [
            ("commits", "\(commits)"),
            ("change sets", "\(changeSets)"),
            ("edits", "\(edits)"),
            ("sections", "\(sections)"),
            ("items", "\(items)"),
            ("nodes measured", "\(nodesMeasured), on workers"),
            ("time", "\(Self.number(seconds)) s, without the pauses between commits"),
            ("throughput", "\(Self.number(changeSetsPerSecond)) change sets/s"),
            (
                "latency",
                "p50 \(Self.number(latency.p50)) ms, p99 \(Self.number(latency.p99)) ms,"
                    + " max \(Self.number(latency.max)) ms, from submitted to shown"
            ),
            (
                "main lane",
                "\(Self.number(mainLaneSeconds)) s busy: data source, validation, hand-over to the"
                    + " view; measuring is on workers"
            ),
            (
                "longest stall",
                "\(Self.number(mainLaneLongestStallMilliseconds)) ms: the longest single block of work on"
                    + " the main lane"
            ),
        ]
        if let ranges {
            rows.append(
                (
                    "ranges",
                    "\(ranges.visible) items visible, \(ranges.display) in the display range,"
                        + " \(ranges.preload) in the preload range; mode \(ranges.mode), at the end"
                )
            )
            rows.append(("nodes", "\(ranges.nodes) of \(ranges.items) items have one, at the end"))
        }
        if let differences { rows.append(("differences", "\(differences)")) }
        let column = 16
        return rows.map { name, value in
            DisplayText.lines(of: value, width: width - column).enumerated().map { number, line in
                let start = number == 0 ? name : ""
                return start + String(repeating: " ", count: column - start.count) + line + "\n"
            }.joined()
        }.joined()
    }

    /// Returns the number with three decimals.
    private static func number(_ value: Double) -> String {
        "\((value * 1_000).rounded() / 1_000)"
    }
}

/// A collection of durations for percentiles. It takes eight bytes per sample.
struct DurationSamples: Sendable {
    private var nanoseconds: [UInt64] = []

    mutating func add(nanoseconds sample: UInt64) { nanoseconds.append(sample) }

    /// The percentiles by nearest rank, and the maximum; 0 without samples. Complexity: O(n log n).
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
