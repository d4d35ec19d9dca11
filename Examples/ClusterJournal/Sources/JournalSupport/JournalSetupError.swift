/// Why a connection or a log of it cannot be made at all, before any broker is asked.
public struct JournalSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values.
    public let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension JournalSetupError {
    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        /// A name of a collection or a namespace that a broker's names cannot hold.
        public static let name = Code("name")
        /// An option that the client library of the broker does not take, such as a file that cannot be read.
        public static let option = Code("option")
    }
}
