/// Why a view would not apply an update.
public struct ViewRefusal: Error, Hashable, Sendable {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An edit stands where the fixed order does not allow it.
        public static let wrongOrder = Code(rawValue: "wrongOrder")
        /// An edit names a section or item that does not exist by then.
        public static let wrongIndex = Code(rawValue: "wrongIndex")
        /// The counts after the edits are not those of the new map.
        public static let wrongCounts = Code(rawValue: "wrongCounts")
        /// The update does not start from what the view shows.
        public static let wrongBase = Code(rawValue: "wrongBase")
        /// A moved element is another one afterwards.
        public static let lostIdentity = Code(rawValue: "lostIdentity")
    }
}
