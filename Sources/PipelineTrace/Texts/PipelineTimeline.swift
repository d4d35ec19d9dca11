import CollectionPipeline

/// A text for a terminal that lists the events of pipelines: one line per event, or one line per
/// change set.
///
/// ```swift
/// print(PipelineTimeline(recorder.entries, droppedCount: recorder.droppedCount).changeSets)
/// ```
///
/// ```text
///   set begins ms come in  record   latch   queue measure    give    view  deploy  finish  end
///    #1     0.000       - 2.42 µs  146 µs  283 µs 1.31 ms 14.2 µs 3.21 µs  212 µs 20.7 µs  deployed
/// ```
///
/// Shape: lines of at most 100 single-width characters. Times are relative to the first entry. If
/// there are several pipelines, each is named. The work of lanes and workers that a
/// ``TracedEnvironment`` recorded is left out; use a ``ChromeTrace`` to see it.
///
/// Complexity: O(n) for each text.
public struct PipelineTimeline: Sendable {
    let entries: [TraceEntry]
    let droppedCount: Int

    /// The maximum width of a line, in characters.
    static let width = 100

    /// Creates a timeline.
    ///
    /// - Parameters:
    ///   - entries: The entries in the order in which they were received.
    ///   - droppedCount: The number of earlier entries that were dropped. If it is positive, the
    ///     first line reports it.
    public init(_ entries: some Sequence<TraceEntry>, droppedCount: Int = 0) {
        self.entries = entries.filter { if case .work = $0 { false } else { true } }
        self.droppedCount = droppedCount
    }

    /// One line per event, in the order of the entries: the time, the submission, and a
    /// description.
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
                ? what : "\(TextColumn.left(what, 22)) \(details.joined(separator: ", "))"
            return (event.submission.map { "#\($0)" } ?? "-", text)
        case .count(let count):
            let values = count.values.map { "\($0.name) \($0.number)" }.joined(separator: ", ")
            return ("-", "\(TextColumn.left(count.name, 22)) \(values)")
        case .work(let work): return ("-", work.name)
        }
    }

    // MARK: Parts of lines

    var note: [String] {
        droppedCount > 0 ? ["(\(droppedCount) earlier entries are left out)"] : []
    }

    /// The names of the pipelines, in the order of their first entries.
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

    /// The steps that share a column, with the heading of the column.
    private static let columns: [(head: String, steps: [ChangeSetHistory.Step])] = [
        ("come in", [.suspended]),
        ("record", [.recording]),
        ("latch", [.latching]),
        ("queue", [.queued, .scheduled]),
        ("measure", [.measuring]),
        ("give", [.handingOver]),
        ("view", [.withView]),
        ("deploy", [.deploying, .reloading]),
        ("finish", [.finishing]),
    ]

    /// One line per change set, in the order in which they began: the time spent in each step, and
    /// the outcome.
    ///
    /// The columns are:
    /// - *come in*: the wait for a batch or for capacity in the backlog;
    /// - *record*: step 0;
    /// - *latch*: steps 1 and 2;
    /// - *queue*: the wait for step 3, and then for the main lane;
    /// - *measure*: step 3;
    /// - *give*: the hand-over to the view;
    /// - *view*: the wait for the view;
    /// - *deploy*: the end of step 5, or the reload that replaces it;
    /// - *finish*: the rest of the work in the view, and the completion.
    public var changeSets: String {
        var rows: [Row] = []
        var places: [ChangeSetLedger.Key: Int] = [:]
        var ledger = ChangeSetLedger()
        for case .event(let event) in entries {
            guard let progress = ledger.take(event) else { continue }
            let key = ChangeSetLedger.Key(
                pipeline: event.pipeline,
                submission: progress.life.submission
            )
            let place = places[key] ?? rows.count
            if place == rows.count { rows.append(Row(progress.life)) }
            rows[place].take(progress)
            places[key] = progress.isEnd ? nil : place
        }
        let origin = rows.map(\.life.start).min() ?? 0
        let (names, note) = (pipelines, note)
        var lines = note
        for name in names {
            if names.count > 1 { lines += (lines.isEmpty ? [] : [""]) + ["\(name):"] }
            let own = rows.filter { $0.life.pipeline == name }
            lines.append(Self.head)
            for row in own.sorted(by: {
                ($0.life.start, $0.life.submission) < ($1.life.start, $1.life.submission)
            }) {
                lines.append(row.text(from: origin))
            }
        }
        return Self.joined(lines)
    }

    private static var head: String {
        let heads = columns.map { TextColumn.right($0.head, 8) }.joined()
        return TextColumn.right("set", 5) + TextColumn.right("begins ms", 10) + heads + "  end"
    }

    /// The row of one change set.
    private struct Row {
        var life: ChangeSetHistory
        private var times: [Int64?] = PipelineTimeline.columns.map { _ in nil }
        private var hasEnded = false

        init(_ life: ChangeSetHistory) { self.life = life }

        mutating func take(_ progress: ChangeSetLedger.Progress) {
            life = progress.life
            hasEnded = progress.isEnd
            for step in progress.steps {
                let column = PipelineTimeline.columns.firstIndex { $0.steps.contains(step.step) }
                guard let column else { continue }
                times[column] = (times[column] ?? 0) + step.end - step.start
            }
        }

        /// The outcome of the change set, or its current step.
        private var end: String {
            if hasEnded { return life.end?.rawValue ?? "" }
            let column = PipelineTimeline.columns.first { $0.steps.contains { $0 == life.step } }
            return column.map { "in \($0.head)" } ?? "open"
        }

        func text(from origin: Int64) -> String {
            let cells = times.map { time in
                TextColumn.right(time.map { Duration.nanoseconds($0).shortText } ?? "-", 8)
            }
            let begins = TextColumn.milliseconds(life.start - origin)
            return TextColumn.right("#\(life.submission)", 5) + TextColumn.right(begins, 10)
                + cells.joined() + "  " + end
        }
    }
}

/// Formats text in columns.
enum TextColumn {
    /// Returns the text aligned to the right in a column of `width` characters. Longer text is cut.
    static func right(_ text: String, _ width: Int) -> String {
        let text = cut(text, width)
        return String(repeating: " ", count: width - text.count) + text
    }

    /// Returns the text aligned to the left in a column of `width` characters. Longer text is cut.
    static func left(_ text: String, _ width: Int) -> String {
        let text = cut(text, width)
        return text + String(repeating: " ", count: width - text.count)
    }

    /// Returns the text as one line of at most `width` characters. Control characters are replaced
    /// by `?`, because a terminal could interpret them.
    static func cut(_ text: String, _ width: Int) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Character in
            scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value ? "?" : Character(scalar)
        }
        return scalars.count <= width
            ? String(scalars) : String(scalars.prefix(max(0, width - 1))) + "…"
    }

    /// Returns nanoseconds formatted as milliseconds with three decimals.
    static func milliseconds(_ nanoseconds: Int64) -> String {
        let sign = nanoseconds < 0 ? "-" : ""
        let microseconds = nanoseconds.magnitude / 1_000
        let fraction = String(microseconds % 1_000 + 1_000).dropFirst()
        return "\(sign)\(microseconds / 1_000).\(fraction)"
    }
}
