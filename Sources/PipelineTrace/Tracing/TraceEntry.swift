import CollectionPipeline

/// One entry of a trace: an event of a pipeline, work on a lane or a worker, or counted numbers.
///
/// A ``TraceReceiver`` receives entries. ``ChromeTrace`` and ``PipelineTimeline`` turn them into a
/// trace for a viewer or into text.
@nonexhaustive
public enum TraceEntry: Hashable, Sendable {
    /// An event of a pipeline.
    case event(Event)
    /// A period in which a lane or a worker was busy.
    case work(Work)
    /// Numbers that were counted at one moment.
    case count(Count)

    /// The time of the entry; for work, the time at which the work began.
    public var timestamp: Duration {
        switch self {
        case .event(let event): event.timestamp
        case .work(let work): work.start
        case .count(let count): count.timestamp
        }
    }

    /// The name of the pipeline that the entry belongs to.
    public var pipeline: String {
        switch self {
        case .event(let event): event.pipeline
        case .work(let work): work.pipeline
        case .count(let count): count.pipeline
        }
    }
}

/// The place where work ran: a row of a trace.
@nonexhaustive
public enum TracePlace: Hashable, Sendable {
    /// The main lane of a controller.
    case mainLane
    /// One of the workers that run parts of forks, numbered from 1. The number is the lowest that
    /// was free, not the identity of a system thread.
    case worker(Int)
    /// Another lane, identified by its label.
    case lane(String)
}

extension TraceEntry {
    /// Numbers counted at one moment: readers of a hub, elements in the ranges of a view, or
    /// anything that an application counts.
    public struct Count: Hashable, Sendable {
        /// The name of the pipeline that the count belongs to.
        public var pipeline: String

        /// The name of the counter, such as `readers`.
        public var name: String

        /// One number, or several related numbers with a name each. A viewer stacks them in one
        /// graph.
        public var values: [Value]

        /// The time at which the numbers were counted.
        public var timestamp: Duration

        /// Creates a count.
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
            /// The name of the number.
            public var name: String
            /// The value.
            public var number: Int

            /// Creates a named number.
            public init(_ name: String, _ number: Int) {
                self.name = name
                self.number = number
            }
        }
    }

    /// The part of a `PipelineEvent` that a trace keeps. It omits the caller's context and keeps
    /// only the text of an error, so that recording an event never extends the lifetime of an
    /// object.
    public struct Event: Hashable, Sendable {
        /// The kind of the event.
        public var kind: PipelineEvent.Kind

        /// The name of the pipeline that reported the event.
        public var pipeline: String

        /// The `SubmissionID.rawValue` of the submission that the event is about; `nil` if it is
        /// about none.
        public var submission: Int?

        /// The time of the event.
        public var timestamp: Duration

        /// The duration of the activity that ended with the event.
        public var duration: Duration?

        /// The number of change sets that were accepted and not yet deployed.
        public var backlog: Int?

        /// The number of edits in the change set.
        public var editCount: Int?

        /// The number of elements to measure.
        public var elementCount: Int?

        /// The details of the event that are not numbers, in one line: for example an error, or the
        /// wait that stalled.
        public var remark: String?

        /// All details of the event, as parts of a line.
        var details: [String] {
            var details = remark.map { [$0] } ?? []
            if let editCount { details.append(counted(editCount, "edit")) }
            if let elementCount { details.append(counted(elementCount, "element")) }
            if let backlog { details.append("backlog \(backlog)") }
            if let duration { details.append("took \(duration.shortText)") }
            return details
        }
    }

    /// One turn of a lane, or one part of a fork on a worker, as a ``TracedEnvironment`` records
    /// it.
    public struct Work: Hashable, Sendable {
        /// The name of the pipeline that the lane or the fork belongs to.
        public var pipeline: String

        /// The place where the work ran.
        public var place: TracePlace

        /// The name of the work, such as `turn` or `part`.
        public var name: String

        /// The time at which the work began.
        public var start: Duration

        /// The time at which the work ended.
        public var end: Duration

        /// The part of the fork; `nil` if the work is not a part of a fork.
        public var part: ForkPart?

        /// Creates an entry for finished work.
        public init(
            _ name: String,
            in pipeline: String,
            on place: TracePlace,
            from start: Duration,
            to end: Duration,
            part: ForkPart? = nil
        ) {
            self.name = name
            self.pipeline = pipeline
            self.place = place
            self.start = start
            self.end = end
            self.part = part
        }

        /// The position of a part in its fork.
        public struct ForkPart: Hashable, Sendable {
            /// The index of the part, from 0.
            public var index: Int
            /// The number of parts in the fork.
            public var count: Int
            /// The label of the lane on which the fork joins, which identifies the code that
            /// forked.
            public var lane: String

            /// Creates the description of a part.
            public init(_ index: Int, of count: Int, for lane: String) {
                self.index = index
                self.count = count
                self.lane = lane
            }
        }
    }
}

extension TraceEntry.Event {
    /// Creates the recordable part of a pipeline event.
    public init(_ event: PipelineEvent) {
        (kind, pipeline) = (event.kind, event.pipeline)
        submission = event.submission?.rawValue
        (timestamp, duration) = (event.timestamp, event.duration)
        (backlog, editCount) = (event.backlog, event.editCount)
        elementCount = event.elementCount
        let saysMore =
            event.error != nil || event.wait != nil || event.stall != nil
            || event.contentMismatch != nil || event.divergence != nil
        // Building the text allocates, and most events have none.
        if saysMore {
            let divergence = event.divergence.map { ["diverged in \($0)"] } ?? []
            remark = (event.remarks + divergence).joined(separator: ", ")
        }
    }
}
