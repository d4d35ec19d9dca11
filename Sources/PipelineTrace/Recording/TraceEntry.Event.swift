import CollectionPipeline

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
            if let editCount { details.append(Self.counted(editCount, "edit")) }
            if let elementCount { details.append(Self.counted(elementCount, "element")) }
            if let backlog { details.append("backlog \(backlog)") }
            if let duration { details.append("took \(duration.shortText)") }
            return details
        }

        private static func counted(_ count: Int, _ noun: String) -> String {
            "\(count) \(noun)\(count == 1 ? "" : "s")"
        }
    }
}
