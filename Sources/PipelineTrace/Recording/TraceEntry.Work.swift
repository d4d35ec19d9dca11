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
