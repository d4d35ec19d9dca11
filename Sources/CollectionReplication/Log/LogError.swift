/// Why a broker did not do what it was asked.
public struct LogError: Error, Hashable, Sendable {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values.
    public let message: String

    /// For a conflict of an append: where the newest record is.
    public let last: UInt64?

    /// Makes an error, which adapters do.
    public init(_ code: Code, _ message: String, last: UInt64? = nil) {
        self.code = code
        self.message = message
        self.last = last
    }
}

extension LogError {
    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Something else is there than was expected, and nothing was changed.
        public static let conflict = Code(rawValue: "conflict")
        /// There is no such log: it was never made, or is deleted.
        public static let missing = Code(rawValue: "missing")
        /// The broker cannot be reached now, and nothing was changed.
        public static let unavailable = Code(rawValue: "unavailable")
        /// No answer came in time: whether it was done is not known.
        public static let unanswered = Code(rawValue: "unanswered")
        /// The broker rejects it as it is, now and later, such as a record that is too large.
        public static let rejected = Code(rawValue: "rejected")
    }
}

extension LogError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
