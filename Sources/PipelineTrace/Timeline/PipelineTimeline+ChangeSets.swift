import CollectionPipeline

extension PipelineTimeline {
    /// The steps that share a column, with its head.
    private static let columns: [(head: String, steps: [ChangeSetLife.Step])] = [
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

    /// A line a change set, in the order in which they began: how long it was in each step, and how it ended.
    ///
    /// *come in* is the wait for a batch or for room, *record* step 0, *latch* steps 1 and 2, *queue* the wait for step 3
    /// and then for the main lane, *measure* step 3, *give* the hand-over, *view* the wait for the view, *deploy*
    /// the end of step 5, a reload in place of it included, and *finish* what the view and the completion took after that.
    public var changeSets: String {
        var rows: [Row] = []
        var places: [ChangeSetLedger.Key: Int] = [:]
        var ledger = ChangeSetLedger()
        for case .event(let event) in entries {
            guard let news = ledger.take(event) else { continue }
            let key = ChangeSetLedger.Key(
                pipeline: event.pipeline,
                submission: news.life.submission
            )
            let place = places[key] ?? rows.count
            if place == rows.count { rows.append(Row(news.life)) }
            rows[place].take(news)
            places[key] = news.isEnd ? nil : place
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

    /// What is known of one.
    private struct Row {
        var life: ChangeSetLife
        private var times: [Int64?]
        private var hasEnded = false

        init(_ life: ChangeSetLife) {
            self.life = life
            times = PipelineTimeline.columns.map { _ in nil }
        }

        mutating func take(_ news: ChangeSetLedger.News) {
            life = news.life
            hasEnded = news.isEnd
            for step in news.steps {
                let column = PipelineTimeline.columns.firstIndex { $0.steps.contains(step.step) }
                guard let column else { continue }
                times[column] = (times[column] ?? 0) + step.end - step.start
            }
        }

        /// How it ended, or where it is.
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
