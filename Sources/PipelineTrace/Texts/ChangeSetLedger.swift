import CollectionPipeline

/// Tracks the current step of each change set, as far as events describe it.
///
/// This value accepts any events in any order. If the first events of a change set are missing, or
/// if an event arrives after the end of a change set that a close cancelled, no change set is
/// opened. No step ends before it begins. Memory: one ``ChangeSetHistory`` for each change set that
/// has begun and not ended.
struct ChangeSetLedger {
    /// Identifies a change set. Each controller numbers its own submissions.
    struct Key: Hashable {
        let pipeline: String
        let submission: Int
    }

    /// The change that one event makes to a change set.
    struct Progress {
        var life: ChangeSetHistory
        var isBeginning = false
        /// The steps that ended, in order.
        var steps: [ChangeSetHistory.Stretch] = []
        var isEnd = false
    }

    private var lives: [Key: ChangeSetHistory] = [:]

    /// The change sets that have begun and not ended, in the order in which they began.
    var open: [ChangeSetHistory] {
        lives.values.sorted {
            ($0.start, $0.pipeline, $0.submission) < ($1.start, $1.pipeline, $1.submission)
        }
    }

    /// Updates the ledger with an event.
    ///
    /// - Parameter mayBegin: Whether to track a change set that is not in the ledger yet.
    /// - Returns: `nil` if the event says nothing about the step of a change set.
    mutating func take(_ event: TraceEntry.Event, mayBegin: Bool = true) -> Progress? {
        guard let submission = event.submission, !Self.asides.contains(event.kind) else {
            return nil
        }
        let key = Key(pipeline: event.pipeline, submission: submission)
        var time = event.timestamp.wholeNanoseconds
        let progress: Progress
        if let known = lives[key] {
            progress = Progress(life: known)
        } else {
            // After a close has completed a cancelled change set, workers may still finish
            // measuring it.
            let isMeasuring = [.measuringStarted, .measuringFinished].contains(event.kind)
            guard mayBegin, !isMeasuring else { return nil }
            let start = time - (event.duration?.wholeNanoseconds ?? 0)
            let life = ChangeSetHistory(event.pipeline, submission, start: max(0, start))
            progress = Progress(life: life, isBeginning: true)
        }
        var changed = progress
        time = max(time, changed.life.last)
        changed.steps = changed.life.take(event, at: time)
        changed.isEnd = event.kind == .completed
        lives[key] = changed.isEnd ? nil : changed.life
        return changed
    }

    /// The kinds of events that are about a change set but not about its step.
    private static let asides: [PipelineEvent.Kind] = [
        .stalled, .stallEnded, .elementFailed, .layoutFailed, .disagreed,
    ]
}

/// The history of one change set, as far as events describe it. Times are in nanoseconds.
struct ChangeSetHistory {
    /// The steps of a change set in order, including its waits.
    enum Step: String, CaseIterable {
        case suspended = "wait to come in"
        case recording = "record"
        case latching = "latch"
        /// A part of latching.
        case layoutContext = "layout context"
        case queued = "wait for step 3"
        case measuring = "measure"
        case scheduled = "wait for the main lane"
        case handingOver = "hand over"
        case withView = "wait for the view"
        case deploying = "deploy"
        case finishing = "finish"
        case reloading = "wait for the reload"
    }

    /// The outcome of a change set.
    enum End: String {
        case deployed
        case rejected
        /// The view refused the change set. A reload followed, unless the change set was itself a
        /// reload.
        case refused
        /// The change set was cancelled, or shown as a part of a later one. Events do not
        /// distinguish the two.
        case notShown = "not shown"
    }

    /// A step with its start and end.
    struct Stretch: Equatable {
        var step: Step
        var start: Int64
        var end: Int64
    }

    let pipeline: String
    let submission: Int
    let start: Int64
    /// The time of the newest event.
    private(set) var last: Int64
    private(set) var end: End?
    private(set) var editCount: Int?
    private(set) var elementCount: Int?
    /// The current step.
    private(set) var step: Step?
    private var since: Int64
    /// The time at which the newest step began or ended.
    private var boundary: Int64
    /// The finished latching step. The arrow of a trace leads from here through `measuring`.
    private(set) var latching: Stretch?
    private(set) var measuring: Stretch?
    /// The call to a layout delegate. Its event precedes the event of the latching step that
    /// contains it.
    private var layoutContext: Stretch?

    init(_ pipeline: String, _ submission: Int, start: Int64) {
        self.pipeline = pipeline
        self.submission = submission
        self.start = start
        (last, since, boundary) = (start, start, start)
    }

    /// Updates the history with an event of this change set.
    ///
    /// - Parameter time: The time of the event, not before that of the previous event.
    /// - Returns: The steps that the event ended. A step follows the step that contains it.
    mutating func take(_ event: TraceEntry.Event, at time: Int64) -> [Stretch] {
        last = time
        if event.kind == .layoutContextRequested {
            let start = start(of: event, at: time)
            layoutContext = Stretch(step: .layoutContext, start: start, end: time)
            return []
        }
        defer { boundary = time }
        switch event.kind {
        case .suspended: return enter(.suspended, at: time)
        case .recordingStarted: return enter(.recording, at: time)
        case .accepted:
            (editCount, elementCount) = (event.editCount, event.elementCount)
            var start = start(of: event, at: time)
            if let layoutContext { start = min(start, layoutContext.start) }
            let stretch = Stretch(step: .latching, start: start, end: time)
            latching = stretch
            let ended = leave(at: start) + [stretch] + takeLayoutContext()
            return ended + enter(.queued, at: time)
        case .measuringStarted: return enter(.measuring, at: time)
        case .measuringFinished:
            elementCount = event.elementCount ?? elementCount
            let ended = enter(.scheduled, at: time)
            measuring = ended.last { $0.step == .measuring }
            return ended
        case .handingOverStarted: return enter(.handingOver, at: time)
        case .handedOver: return enter(.withView, at: time)
        case .deployingStarted: return enter(.deploying, at: time)
        // Releasing the view does not end a step.
        case .viewGone: return []
        case .deployed:
            end = .deployed
            return enter(.finishing, at: time)
        case .viewRefused:
            end = .refused
            return enter(.reloading, at: time)
        case .rejected:
            end = .rejected
            return leaveLatching(at: time)
        case .completed:
            end = end ?? .notShown
            return leaveLatching(at: time)
        default:
            // The end of a wait or of a batch, or a kind of event that does not exist yet.
            return leave(at: time)
        }
    }

    /// Ends the current step without beginning another.
    mutating func leave(at time: Int64) -> [Stretch] {
        guard let step = step.take() else { return [] }
        return [Stretch(step: step, start: min(since, time), end: time)]
    }

    private mutating func enter(_ step: Step, at time: Int64) -> [Stretch] {
        let ended = leave(at: time)
        (self.step, since) = (step, time)
        return ended
    }

    /// Ends the current step, which may be a latch that was not accepted.
    private mutating func leaveLatching(at time: Int64) -> [Stretch] {
        let context = takeLayoutContext()
        return leave(at: context.first?.start ?? time) + context
    }

    private mutating func takeLayoutContext() -> [Stretch] {
        layoutContext.take().map { [$0] } ?? []
    }

    /// Returns the start of the activity that an event ended, but at the earliest the end of the
    /// previous step.
    private func start(of event: TraceEntry.Event, at time: Int64) -> Int64 {
        min(time, max(boundary, time - (event.duration?.wholeNanoseconds ?? 0)))
    }
}

extension Duration {
    /// The duration in whole nanoseconds, clamped to the range from zero to 285 years.
    var wholeNanoseconds: Int64 {
        Int64(clamping: min(max(0, attoseconds / 1_000_000_000), 9_000_000_000_000_000_000))
    }
}
