import CollectionPipeline

/// A trace in the Trace Event Format, which chrome://tracing and Perfetto (ui.perfetto.dev) open.
///
/// A trace contains:
/// - a process with a name for each pipeline; its threads are the main lane, the editing lane and,
///   if a ``TracedEnvironment`` was used, each other lane and each worker;
/// - an async span `change set` for each change set, from its first event to its completion, with
///   nested spans for its steps and waits; for a deployed change set, an arrow from latching
///   through measuring to deploying;
/// - an instant for each failure, rejection or stall;
/// - counters: the backlog, the number of submissions waiting for admission, the number of elements
///   measured so far, and everything that was counted with ``TraceEntry/Count``.
///
/// Each line is one of these. Lines are in the order of the entries, not of their times. Times are
/// microseconds since the start of the environment's clock. A text that is truncated after any line
/// can still be opened; it only lacks the later lines.
public enum ChromeTrace {
    /// Returns the whole trace of some entries as UTF-8. The same entries give the same bytes.
    ///
    /// A change set that has not ended by the last entry ends there, marked `unfinished`.
    ///
    /// - Parameters:
    ///   - entries: The entries in the order in which they were received.
    ///   - droppedCount: The number of earlier entries that were dropped. If it is positive, an
    ///     instant at the beginning reports it.
    ///
    /// Complexity: O(n), with about 100 bytes per line and about thirty lines per change set.
    public static func json(of entries: some Sequence<TraceEntry>, droppedCount: Int = 0) -> [UInt8]
    {
        var encoder = ChromeTraceEncoder(limit: .max)
        encoder.begin(leftOutBefore: droppedCount)
        for entry in entries { encoder.add(entry) }
        encoder.finish()
        return encoder.take()
    }
}

/// Encodes entries as the lines of a trace, one after the other. ``ChromeTrace`` describes the
/// lines.
///
/// The encoder is a value that uses no lanes or files. It keeps the change sets that have begun and
/// not ended, the names of threads, and counters.
struct ChromeTraceEncoder {
    /// The number of bytes after which nothing new begins. Change sets that have begun still end.
    let limit: Int

    var json = JSONWriter()
    private var hasLines = false
    var processes: [String: Process] = [:]
    private var ledger = ChangeSetLedger()
    private var droppedCount = 0
    private var leftOutBefore = 0
    private var last: Int64 = 0

    /// The state of a pipeline in the trace.
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

    /// Returns the bytes written since the last call, and removes them.
    mutating func take() -> [UInt8] { json.take() }

    private var isFull: Bool { json.count >= limit }

    /// Begins the text. The first entry is preceded by a note about the dropped earlier entries.
    mutating func begin(leftOutBefore: Int) {
        json.raw("[")
        self.leftOutBefore = leftOutBefore
    }

    /// Adds the lines of an entry.
    mutating func add(_ entry: TraceEntry) {
        let time = entry.timestamp.wholeNanoseconds
        if leftOutBefore > 0 {
            let text = "\(leftOutBefore) earlier entries are left out"
            instant(text, nil, in: entry.pipeline, at: time)
            leftOutBefore = 0
        }
        last = max(last, time)
        switch entry {
        case .event(let event): add(event, at: time)
        case .work(let work) where !isFull: add(work, from: time)
        case .count(let count) where !isFull: add(count, at: time)
        default: droppedCount += 1
        }
    }

    /// Adds to the number of entries that are left out of the trace.
    mutating func leaveOut(_ count: Int) { droppedCount += count }

    /// Ends all open change sets and the text.
    mutating func finish() {
        for life in ledger.open {
            var life = life
            let time = max(last, life.last)
            write(life.leave(at: time), of: life)
            end(life, "unfinished", at: time)
        }
        if droppedCount > 0 {
            let pipeline = processes.min { $0.value.number < $1.value.number }?.key ?? "trace"
            instant("\(droppedCount) later entries are left out", nil, in: pipeline, at: last)
        }
        json.raw("\n]\n")
    }

    /// Begins a line, after a comma if it is not the first. The caller ends it.
    mutating func line(_ start: StaticString) {
        json.raw(hasLines ? ",\n" : "\n")
        hasLines = true
        json.raw(start)
    }

    // MARK: Events

    private mutating func add(_ event: TraceEntry.Event, at time: Int64) {
        let progress = ledger.take(event, mayBegin: !isFull)
        if let progress {
            if progress.isBeginning { begin(progress.life) }
            noteDeployment(event, at: progress.life.last)
            write(progress.steps, of: progress.life)
            if event.kind == .deployed { flow(of: progress) }
            if progress.isEnd, let end = progress.life.end {
                self.end(progress.life, end.rawValue, at: progress.life.last)
            }
        }
        guard !isFull else {
            if progress == nil { droppedCount += 1 }
            return
        }
        count(event, at: time)
        guard Self.instants.contains(event.kind) else { return }
        instant(event.kind.rawValue, event, in: event.pipeline, at: time)
    }

    /// The kinds of events that appear as instants.
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

    private mutating func write(_ steps: [ChangeSetHistory.Stretch], of life: ChangeSetHistory) {
        // A layout context is part of the latch that it follows.
        let hasContext = steps.contains { $0.step == .layoutContext }
        var outer: ChangeSetHistory.Stretch?
        for step in steps {
            if step.step == .latching, hasContext {
                outer = step
                spanStart(step, of: life)
            } else {
                span(step, of: life)
                if step.step == .layoutContext, let latching = outer.take() {
                    spanEnd(latching, of: life)
                }
            }
            slice(step, of: life)
        }
    }

    private mutating func slice(_ step: ChangeSetHistory.Stretch, of life: ChangeSetHistory) {
        var step = step
        let thread: Int
        switch step.step {
        case .latching, .layoutContext, .deploying: thread = Thread.mainLane
        case .handingOver:
            thread = Thread.mainLane
            // A view may begin to deploy another change set first, and receive this one during that
            // deployment.
            let others = process(life.pipeline).deploying.filter {
                $0.submission != life.submission
            }
            let cut = others.map(\.start).filter { $0 >= step.start }.min()
            step.end = min(step.end, cut ?? step.end)
        case .measuring:
            // Change sets without elements to measure do not use the editing lane.
            guard life.elementCount ?? 0 > 0 else { return }
            thread = Thread.editingLane
        default: return
        }
        slice(step, of: life, on: thread)
    }

    /// Writes an arrow through the steps of a deployed change set.
    private mutating func flow(of progress: ChangeSetLedger.Progress) {
        let life = progress.life
        guard let latching = life.latching,
            let deploying = progress.steps.last(where: { $0.step == .deploying })
        else { return }
        flow("s", latching, of: life, on: Thread.mainLane)
        if let measuring = life.measuring, life.elementCount ?? 0 > 0 {
            flow("t", measuring, of: life, on: Thread.editingLane)
        }
        flow("f", deploying, of: life, on: Thread.mainLane)
    }
}
