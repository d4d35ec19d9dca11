import CollectionPipeline

/// Events as text for a terminal: a line an event, or a line a change set.
///
/// ```swift
/// print(PipelineTimeline(recorder.entries, leftOut: recorder.leftOut).changeSets)
/// ```
///
/// ```text
///   set begins ms come in  record   latch   queue measure    give    view  deploy  finish  end
///    #1     0.000       - 2.42 µs  146 µs  283 µs 1.31 ms 14.2 µs 3.21 µs  212 µs 20.7 µs  deployed
/// ```
///
/// Shape: lines of at most 100 columns, of characters that take one; times count from the first entry. Of several
/// pipelines each is named. What a ``TracedEnvironment`` took down of lanes and workers is left
/// out: that is for a ``ChromeTrace``.
///
/// Complexity: O(n) for each text.
public struct PipelineTimeline: Sendable {
    let entries: [TraceEntry]
    let leftOut: Int

    /// As wide as a line may be.
    static let width = 100

    /// Makes a timeline.
    ///
    /// - Parameters:
    ///   - entries: in the order in which they were received.
    ///   - leftOut: how many earlier ones there were, which the first line then says.
    public init(_ entries: some Sequence<TraceEntry>, leftOut: Int = 0) {
        self.entries = entries.filter { if case .work = $0 { false } else { true } }
        self.leftOut = leftOut
    }

    /// A line an event, in the order in which they came: when, of which submission, what.
    public var events: String {
        let (names, origin) = (pipelines, entries.first?.timestamp.wholeNanoseconds ?? 0)
        let nameWidth = names.count > 1 ? min(16, names.map(\.count).max() ?? 0) : 0
        func line(_ time: String, _ pipeline: String, _ submission: String, _ text: String)
            -> String
        {
            let name = nameWidth > 0 ? TextColumn.left(pipeline, nameWidth) + " " : ""
            return TextColumn.right(time, 11) + "  " + name + TextColumn.right(submission, 5) + "  "
                + text
        }
        var lines = note + [line("ms", "pipeline", "set", "event")]
        for entry in entries {
            let (submission, text) = Self.text(of: entry)
            let time = TextColumn.milliseconds(entry.timestamp.wholeNanoseconds - origin)
            lines.append(line(time, entry.pipeline, submission, text))
        }
        return Self.joined(lines)
    }

    private static func text(of entry: TraceEntry) -> (submission: String, text: String) {
        switch entry {
        case .event(let event):
            let details = event.details
            let what = event.kind.rawValue
            let text =
                details.isEmpty
                ? what : "\(TextColumn.left(what, 18)) \(details.joined(separator: ", "))"
            return (event.submission.map { "#\($0)" } ?? "-", text)
        case .count(let count):
            let values = count.values.map { "\($0.name) \($0.number)" }.joined(separator: ", ")
            return ("-", "\(TextColumn.left(count.name, 18)) \(values)")
        case .work(let work): return ("-", work.name)
        }
    }

    // MARK: Parts of lines

    var note: [String] { leftOut > 0 ? ["(\(leftOut) earlier entries are left out)"] : [] }

    /// The names of the pipelines, in the order in which they come.
    var pipelines: [String] {
        var names: [String] = []
        for entry in entries where names.last != entry.pipeline && !names.contains(entry.pipeline) {
            names.append(entry.pipeline)
        }
        return names
    }

    static func joined(_ lines: [String]) -> String {
        lines.map { TextColumn.cut($0, width) + "\n" }.joined()
    }
}
