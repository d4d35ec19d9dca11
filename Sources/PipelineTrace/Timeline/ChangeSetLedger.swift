import CollectionPipeline

/// In which step each change set is, and since when, as far as events say.
///
/// A value that takes any events in any order: what is missing at the beginning, or comes after the end of a change set
/// that a close cancelled, opens nothing; and no step ends before it begins. Memory: what has begun and not ended.
struct ChangeSetLedger {
    /// Who a change set is: submissions are numbered by each controller.
    struct Key: Hashable {
        let pipeline: String
        let submission: Int
    }

    /// What has become known by an event.
    struct News {
        var life: ChangeSetLife
        var isBeginning = false
        /// The steps that ended, in their order.
        var steps: [ChangeSetLife.Stretch] = []
        var isEnd = false
    }

    private var lives: [Key: ChangeSetLife] = [:]

    /// What has begun and not ended: the first to begin first.
    var open: [ChangeSetLife] {
        lives.values.sorted {
            ($0.start, $0.pipeline, $0.submission) < ($1.start, $1.pipeline, $1.submission)
        }
    }

    /// Takes an event in.
    ///
    /// - Parameter mayBegin: whether a change set that is not known yet is followed.
    /// - Returns: nil where it says nothing of where a change set is.
    mutating func take(_ event: TraceEntry.Event, mayBegin: Bool = true) -> News? {
        guard let submission = event.submission, !Self.isAside(event.kind) else { return nil }
        let key = Key(pipeline: event.pipeline, submission: submission)
        var time = event.timestamp.wholeNanoseconds
        let news: News
        if let known = lives[key] {
            news = News(life: known)
        } else {
            // Workers may end what a close has cancelled after it has completed.
            guard mayBegin, !Self.isMeasuring(event.kind) else { return nil }
            let start = time - (event.duration?.wholeNanoseconds ?? 0)
            let life = ChangeSetLife(event.pipeline, submission, start: max(0, start))
            news = News(life: life, isBeginning: true)
        }
        var changed = news
        time = max(time, changed.life.last)
        changed.steps = changed.life.take(event, at: time)
        changed.isEnd = event.kind == .completed
        lives[key] = changed.isEnd ? nil : changed.life
        return changed
    }

    /// What tells of a change set without saying where it is.
    private static func isAside(_ kind: PipelineEvent.Kind) -> Bool {
        switch kind {
        case .stalled, .stallEnded, .elementFailed, .layoutFailed, .disagreed: true
        default: false
        }
    }

    private static func isMeasuring(_ kind: PipelineEvent.Kind) -> Bool {
        kind == .measuringStarted || kind == .measuringFinished
    }
}
