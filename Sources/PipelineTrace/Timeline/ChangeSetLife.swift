import CollectionPipeline

/// What became of one change set, as far as events say; times are in nanoseconds.
struct ChangeSetLife {
    /// What a change set does, or waits for, one after the other.
    enum Step: String, CaseIterable {
        case suspended = "wait to come in"
        case recording = "record"
        case latching = "latch"
        /// Within latching.
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

    /// How it ended.
    enum End: String {
        case deployed
        case rejected
        /// The view refused it; a reload followed, unless it was one.
        case refused
        /// Cancelled, or shown within a later one: events do not tell which.
        case notShown = "not shown"
    }

    /// A step with its times.
    struct Stretch: Equatable {
        var step: Step
        var start: Int64
        var end: Int64
    }

    let pipeline: String
    let submission: Int
    let start: Int64
    /// The time of its newest event.
    private(set) var last: Int64
    private(set) var end: End?
    private(set) var editCount: Int?
    private(set) var elementCount: Int?
    /// The step that it is in.
    private(set) var step: Step?
    private var since: Int64
    /// When the newest step began or ended.
    private var boundary: Int64
    /// The steps that a line leads through, as far as they have ended.
    private(set) var latching: Stretch?
    private(set) var measuring: Stretch?
    /// The answer of a layout delegate, which is told before what it is a part of.
    private var layoutContext: Stretch?

    init(_ pipeline: String, _ submission: Int, start: Int64) {
        self.pipeline = pipeline
        self.submission = submission
        self.start = start
        (last, since, boundary) = (start, start, start)
    }

    /// Takes an event of it in.
    ///
    /// - Parameter time: when it happened, not before the one before it.
    /// - Returns: the steps that ended by it, each after what it is within.
    mutating func take(_ event: TraceEntry.Event, at time: Int64) -> [Stretch] {
        last = time
        if event.kind == .layoutContextAsked {
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
        // Nothing ends by that.
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
            // The end of a wait or of a batch; what new kinds mean nobody knows.
            return leave(at: time)
        }
    }

    /// Ends the step that it is in, where nothing more is known.
    mutating func leave(at time: Int64) -> [Stretch] {
        guard let step else { return [] }
        self.step = nil
        return [Stretch(step: step, start: min(since, time), end: time)]
    }

    private mutating func enter(_ step: Step, at time: Int64) -> [Stretch] {
        let ended = leave(at: time)
        (self.step, since) = (step, time)
        return ended
    }

    /// Ends where a latch may have ended without being accepted.
    private mutating func leaveLatching(at time: Int64) -> [Stretch] {
        let context = takeLayoutContext()
        return leave(at: context.first?.start ?? time) + context
    }

    private mutating func takeLayoutContext() -> [Stretch] {
        defer { layoutContext = nil }
        return layoutContext.map { [$0] } ?? []
    }

    /// When what ended by an event had begun, not before the step before it.
    private func start(of event: TraceEntry.Event, at time: Int64) -> Int64 {
        min(time, max(boundary, time - (event.duration?.wholeNanoseconds ?? 0)))
    }
}

extension Duration {
    /// As whole nanoseconds, from none to those of 285 years.
    var wholeNanoseconds: Int64 {
        Int64(clamping: min(max(0, attoseconds / 1_000_000_000), 9_000_000_000_000_000_000))
    }
}
