/// What a replay comes to.
struct Summary: Hashable, Sendable {
    /// The time from submission to deployment, over all change sets.
    struct Latency: Hashable, Sendable {
        var p50 = 0.0
        var p99 = 0.0
        var max = 0.0
    }

    var commits = 0
    var changeSets = 0
    /// Removals, insertions and reconfigurations of all change sets.
    var edits = 0
    /// At the end.
    var sections = 0
    /// At the end.
    var items = 0
    var nodesMeasured = 0
    var seconds = 0.0
    var latencyMilliseconds = Latency()
    var mainLaneSeconds = 0.0
    var mainLaneLongestStallMilliseconds = 0.0
    /// At the end; only with ranges.
    var ranges: RangeTally?
    /// Only where the end was verified.
    var differences: Int?

    /// 0 where no time has passed.
    var changeSetsPerSecond: Double {
        seconds > 0 ? Self.finite(Double(changeSets) / seconds) : 0
    }

    /// One JSON object on one line, its keys always in the same order.
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

    /// The same for people, each with what it stands for, in lines of at most `width` columns.
    func text(width: Int = 80) -> String {
        let latency = latencyMilliseconds
        var rows = [
            ("commits", "\(commits)"),
            ("change sets", "\(changeSets)"),
            ("edits", "\(edits)"),
            ("sections", "\(sections)"),
            ("items", "\(items)"),
            ("nodes measured", "\(nodesMeasured), on workers"),
            ("time", "\(Self.number(seconds)) s, without pauses to look at"),
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
                "\(Self.number(mainLaneLongestStallMilliseconds)) ms, for which the main lane did"
                    + " nothing else"
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

    /// To the microsecond of the unit's thousandth: JSON knows neither infinity nor NaN.
    private static func number(_ value: Double) -> String {
        let rounded = (finite(value) * 1_000).rounded() / 1_000
        return finite(rounded) == rounded ? "\(rounded)" : "\(finite(value))"
    }

    private static func finite(_ value: Double) -> Double {
        if value.isNaN { return 0 }
        return min(max(value, -Double.greatestFiniteMagnitude), Double.greatestFiniteMagnitude)
    }
}
