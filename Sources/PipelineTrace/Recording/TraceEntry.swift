import CollectionPipeline

/// One thing that a trace shows: an event of a pipeline, work on a lane or a worker, or a number at a moment.
///
/// A ``TraceReceiver`` is told of them; ``ChromeTrace`` and ``PipelineTimeline`` make something to look at of them.
@nonexhaustive
public enum TraceEntry: Hashable, Sendable {
    /// Something happened in a pipeline.
    case event(Event)
    /// A lane or a worker was busy.
    case work(Work)
    /// Something was counted.
    case count(Count)

    /// When it happened; of work, when that began.
    public var timestamp: Duration {
        switch self {
        case .event(let event): event.timestamp
        case .work(let work): work.start
        case .count(let count): count.timestamp
        }
    }

    /// The pipeline that it belongs to.
    public var pipeline: String {
        switch self {
        case .event(let event): event.pipeline
        case .work(let work): work.pipeline
        case .count(let count): count.pipeline
        }
    }
}

/// Where something ran: a row of a trace.
@nonexhaustive
public enum TracePlace: Hashable, Sendable {
    /// The main lane of a controller.
    case mainLane
    /// One of the workers that ran parts of forks, from 1: whichever was free, not a thread of the system.
    case worker(Int)
    /// Another lane, by its label.
    case lane(String)
}

extension TraceEntry {
    /// What something numbered at a moment: readers of a hub, elements in the ranges of a view, whatever an
    /// application counts.
    public struct Count: Hashable, Sendable {
        /// The pipeline that it belongs to.
        public var pipeline: String

        /// What was counted, such as `readers`.
        public var name: String

        /// One number, or several that belong together, each with its name; drawn one above the other.
        public var values: [Value]

        /// When it was so.
        public var timestamp: Duration

        /// Makes one.
        public init(
            _ name: String,
            in pipeline: String,
            _ values: [Value],
            at timestamp: Duration
        ) {
            self.name = name
            self.pipeline = pipeline
            self.values = values
            self.timestamp = timestamp
        }

        /// A number with its name.
        public struct Value: Hashable, Sendable {
            /// What it is the number of.
            public var name: String
            /// The number.
            public var number: Int

            /// Makes one.
            public init(_ name: String, _ number: Int) {
                self.name = name
                self.number = number
            }
        }
    }
}

extension TraceEntry {
    /// What a trace keeps of a `PipelineEvent`: no context, and of what failed the words only, so that nothing lives longer
    /// because it was recorded.
    public struct Event: Hashable, Sendable {
        /// What happened.
        public var kind: PipelineEvent.Kind

        /// The pipeline that it happened in.
        public var pipeline: String

        /// The number of the submission that it happened to, `SubmissionID.rawValue`.
        public var submission: Int?

        /// When it happened.
        public var timestamp: Duration

        /// How long what ended with it had taken.
        public var duration: Duration?

        /// How many change sets were accepted and not yet deployed.
        public var backlog: Int?

        /// How many edits the change set has.
        public var editCount: Int?

        /// How many elements were to be measured.
        public var elementCount: Int?

        /// What it says beside numbers, in one line: an error, what is waited for.
        public var remark: String?

        /// Makes an event that says nothing more than this.
        public init(
            _ kind: PipelineEvent.Kind,
            in pipeline: String,
            of submission: Int? = nil,
            at timestamp: Duration
        ) {
            self.kind = kind
            self.pipeline = pipeline
            self.submission = submission
            self.timestamp = timestamp
        }

        /// What is kept of an event.
        public init(_ event: PipelineEvent) {
            self.init(
                event.kind,
                in: event.pipeline,
                of: event.submission?.rawValue,
                at: event.timestamp
            )
            duration = event.duration
            (backlog, editCount) = (event.backlog, event.editCount)
            elementCount = event.elementCount
            let saysMore =
                event.error != nil || event.wait != nil || event.stall != nil
                || event.disagreement != nil || event.divergence != nil
            // Words cost an allocation, and most events have none.
            if saysMore {
                let divergence = event.divergence.map { ["diverged in \($0)"] } ?? []
                remark = (event.remarks + divergence).joined(separator: ", ")
            }
        }

        /// All that it says, in parts of a line.
        var details: [String] {
            var details = remark.map { [$0] } ?? []
            if let editCount { details.append(counted(editCount, "edit")) }
            if let elementCount { details.append(counted(elementCount, "element")) }
            if let backlog { details.append("backlog \(backlog)") }
            if let duration { details.append("took \(duration.shortText)") }
            return details
        }
    }
}

extension TraceEntry {
    /// One turn of a lane, or one part of a fork on a worker, as a ``TracedEnvironment`` takes it down.
    public struct Work: Hashable, Sendable {
        /// The pipeline that the lane or the fork belongs to.
        public var pipeline: String

        /// Where it ran.
        public var place: TracePlace

        /// What it was, such as `turn` or `part`.
        public var name: String

        /// When it began.
        public var start: Duration

        /// When it ended.
        public var end: Duration

        /// Of a part: which of how many it was, from 0.
        public var part: Part?

        /// Makes one.
        public init(
            _ name: String,
            in pipeline: String,
            on place: TracePlace,
            from start: Duration,
            to end: Duration,
            part: Part? = nil
        ) {
            self.name = name
            self.pipeline = pipeline
            self.place = place
            self.start = start
            self.end = end
            self.part = part
        }

        /// Which part of a fork something was.
        public struct Part: Hashable, Sendable {
            /// Its index, from 0.
            public var index: Int
            /// How many parts the fork has.
            public var count: Int
            /// The label of the lane that waits for it, which says who forked.
            public var lane: String

            /// Makes one.
            public init(_ index: Int, of count: Int, for lane: String) {
                self.index = index
                self.count = count
                self.lane = lane
            }
        }
    }
}
