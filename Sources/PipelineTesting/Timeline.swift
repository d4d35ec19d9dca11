/// Steps as a text: a line a step, a column a lane, so that the interleaving is seen at a glance.
public struct Timeline: Hashable, Sendable, CustomStringConvertible {
    private let steps: [SimulatedStep]
    private let places: [String]

    /// Makes a timeline.
    ///
    /// - Parameters:
    ///   - steps: a simulation's ``Simulation/trace``.
    ///   - laneLabels: a simulation's ``Simulation/laneLabels``; lanes on which nothing ran are left out.
    public init(_ steps: [SimulatedStep], laneLabels: [String]) {
        self.steps = steps
        let used = Set(steps.map(\.place))
        places = (laneLabels + [SimulatedStep.worker, SimulatedStep.timer])
            .filter(used.contains)
    }

    /// The text: in its lane's column the number of what ran, as `#7` where that began and `…7` where it went on; then what was noted,
    /// where that fits 80 columns, else below, over as many lines as it takes.
    public var description: String {
        let widths = places.map { max($0.count, 5) + 2 }
        func cell(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        var lines = [cell("step", 7) + zip(places, widths).map { cell($0, $1) }.joined()]
        for step in steps {
            let cells = zip(places, widths).map { place, width in
                cell(
                    place == step.place ? "\(step.isResumed ? "…" : "#")\(step.number)" : "·",
                    width
                )
            }
            let start = cell("\(step.step)", 7) + cells.joined()
            lines += Self.fit(start, step.notes.joined(separator: "; "))
        }
        return lines.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// As many columns as a terminal has at least.
    private static let width = 80

    /// A line with a note after it, or below it, further in, where there is no room.
    private static func fit(_ start: String, _ note: String) -> [String] {
        if note.isEmpty { return [start] }
        if start.count + note.count <= width, !note.contains("\n") { return [start + note] }
        let indent = String(repeating: " ", count: 9)
        var lines = [start]
        var line = ""
        for word in note.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, indent.count + line.count + 1 + word.count > width {
                lines.append(indent + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [indent + line]
    }
}
