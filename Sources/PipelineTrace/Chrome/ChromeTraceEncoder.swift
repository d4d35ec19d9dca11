import CollectionPipeline

/// Turns entries into lines of a trace, one after the other; ``ChromeTrace`` says what there is.
///
/// A value without lanes or files. It remembers what has begun and not ended, the names of threads, and some numbers.
struct ChromeTraceEncoder {
    /// After so many bytes nothing begins any more; what has begun still ends.
    let limit: Int

    var json = JSONWriter()
    private var hasLines = false
    var processes: [String: Process] = [:]
    private var ledger = ChangeSetLedger()
    private var leftOut = 0
    private var leftOutBefore = 0
    private var last: Int64 = 0

    /// What is known of a pipeline.
    struct Process {
        let number: Int
        var threads: Set<Int> = []
        var lanes: [String: Int] = [:]
        var suspended = 0
        var measured = 0
        /// The deployments that have begun and not ended.
        var deploying: [(submission: Int, start: Int64)] = []
    }

    init(limit: Int) { self.limit = limit }

    /// The bytes so far, which are forgotten.
    mutating func take() -> [UInt8] { json.take() }

    private var isFull: Bool { json.count >= limit }

    /// Notes that something was left out before the first entry.
    mutating func begin(leftOutBefore: Int) {
        json.raw("[")
        self.leftOutBefore = leftOutBefore
    }

    /// Adds the lines of an entry.
    mutating func add(_ entry: TraceEntry) {
        let time = entry.timestamp.wholeNanoseconds
        if leftOutBefore > 0 {
            tellLeftOut(leftOutBefore, "earlier", in: entry.pipeline, at: time)
            leftOutBefore = 0
        }
        last = max(last, time)
        switch entry {
        case .event(let event): add(event, at: time)
        case .work(let work) where !isFull: add(work, from: time)
        case .count(let count) where !isFull: add(count, at: time)
        default: leftOut += 1
        }
    }

    /// Notes that entries did not come this far.
    mutating func leaveOut(_ count: Int) { leftOut += count }

    /// Ends what is open, and the text.
    mutating func finish() {
        for life in ledger.open {
            var life = life
            let time = max(last, life.last)
            write(life.leave(at: time), of: life)
            end(life, "unfinished", at: time)
        }
        if leftOut > 0 {
            let first = processes.min { $0.value.number < $1.value.number }
            tellLeftOut(leftOut, "later", in: first?.key ?? "trace", at: last)
        }
        json.raw("\n]\n")
    }

    /// Begins a line, `,` after the one before it; the caller ends it.
    mutating func line(_ start: StaticString) {
        json.raw(hasLines ? ",\n" : "\n")
        hasLines = true
        json.raw(start)
    }

    private mutating func tellLeftOut(
        _ count: Int,
        _ which: String,
        in pipeline: String,
        at time: Int64
    ) {
        instant("\(count) \(which) entries are left out", nil, in: pipeline, at: time)
    }

    // MARK: Events

    private mutating func add(_ event: TraceEntry.Event, at time: Int64) {
        let news = ledger.take(event, mayBegin: !isFull)
        if let news {
            if news.isBeginning { begin(news.life) }
            noteDeployment(event, at: news.life.last)
            write(news.steps, of: news.life)
            if event.kind == .deployed { flow(of: news) }
            if news.isEnd, let end = news.life.end {
                self.end(news.life, end.rawValue, at: news.life.last)
            }
        }
        guard !isFull else {
            if news == nil { leftOut += 1 }
            return
        }
        count(event, at: time)
        if Self.instants.contains(event.kind) { instant(event, at: time) }
    }

    /// What has no length and is worth seeing.
    private static let instants: [PipelineEvent.Kind] = [
        .rejected, .disagreed, .elementFailed, .layoutFailed, .viewGone, .viewRefused, .stalled,
        .stallEnded, .closing, .closed,
    ]

    private mutating func noteDeployment(_ event: TraceEntry.Event, at time: Int64) {
        guard let submission = event.submission else { return }
        switch event.kind {
        case .deployingStarted:
            processes[event.pipeline]?.deploying.append((submission, time))
        case .deployed, .viewRefused, .completed:
            processes[event.pipeline]?.deploying.removeAll { $0.submission == submission }
        default: break
        }
    }

    private mutating func count(_ event: TraceEntry.Event, at time: Int64) {
        let name = event.pipeline
        if let backlog = event.backlog { counter("backlog", "change sets", backlog, name, time) }
        switch event.kind {
        case .suspended, .resumed:
            var process = process(name)
            process.suspended = max(0, process.suspended + (event.kind == .suspended ? 1 : -1))
            processes[name] = process
            counter("waiting to come in", "submissions", process.suspended, name, time)
        case .measuringFinished:
            guard let elements = event.elementCount, elements > 0 else { return }
            var process = process(name)
            process.measured += elements
            processes[name] = process
            counter("measured", "elements", process.measured, name, time)
        default: break
        }
    }

    // MARK: Change sets

    private mutating func write(_ steps: [ChangeSetLife.Stretch], of life: ChangeSetLife) {
        var within: ChangeSetLife.Stretch?
        for step in steps {
            if step.step == .latching {
                // What it contains, if anything, comes next.
                step.isFollowed(in: steps) ? within = step : span(step, of: life)
                if within != nil { spanStart(step, of: life) }
            } else {
                span(step, of: life)
                if step.step == .layoutContext, let outer = within {
                    spanEnd(outer, of: life)
                    within = nil
                }
            }
            slice(step, of: life)
        }
    }

    private mutating func slice(_ step: ChangeSetLife.Stretch, of life: ChangeSetLife) {
        var step = step
        let thread: Int
        switch step.step {
        case .latching, .layoutContext, .deploying: thread = Thread.mainLane
        case .handingOver:
            thread = Thread.mainLane
            // A view may begin to deploy another one first, and take this one in within that.
            let others = process(life.pipeline).deploying.filter {
                $0.submission != life.submission
            }
            let cut = others.map(\.start).filter { $0 >= step.start }.min()
            step.end = min(step.end, cut ?? step.end)
        case .measuring:
            // What has nothing to measure does not go there.
            guard life.elementCount ?? 0 > 0 else { return }
            thread = Thread.editingLane
        default: return
        }
        slice(step, of: life, on: thread)
    }

    /// An arrow through what became of a change set, once it is shown.
    private mutating func flow(of news: ChangeSetLedger.News) {
        let life = news.life
        guard let latching = life.latching,
            let deploying = news.steps.last(where: { $0.step == .deploying })
        else { return }
        flow("s", latching, of: life, on: Thread.mainLane)
        if let measuring = life.measuring, life.elementCount ?? 0 > 0 {
            flow("t", measuring, of: life, on: Thread.editingLane)
        }
        flow("f", deploying, of: life, on: Thread.mainLane)
    }
}

extension ChangeSetLife.Stretch {
    /// Whether what it contains is told with it.
    fileprivate func isFollowed(in steps: [Self]) -> Bool {
        step == .latching && steps.contains { $0.step == .layoutContext }
    }
}
