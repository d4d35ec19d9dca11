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
