/// Why a replica did not take a message in; it is then as it was.
///
/// Whatever it is, a reader that joins anew is given everything.
public struct ReplicaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values.
    public let message: String

    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A message is of another history.
        public static let otherHistory = Code(rawValue: "otherHistory")
        /// An update starts later than where the replica is: what leads there is missing.
        public static let gap = Code(rawValue: "gap")
        /// An update starts earlier than where the replica is: it, or a part of it, was taken in before; or it leads
        /// nowhere.
        public static let double = Code(rawValue: "double")
        /// An update does not start from the shape that the replica has, or its contents are not those of its edits.
        public static let misfit = Code(rawValue: "misfit")
        /// The state would have another digest than the message says.
        public static let otherDigest = Code(rawValue: "otherDigest")
        /// There is no state yet: the first message must bring one.
        public static let noState = Code(rawValue: "noState")
        /// A message that has travelled makes no sense by itself.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
