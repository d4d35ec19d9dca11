/// Why a reader could not be added.
public struct HubError: Error, Hashable, Sendable, CustomStringConvertible {
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

        private init(_ name: String) { rawValue = name }

        /// There are as many readers as there may be.
        public static let tooManyReaders = Code("tooManyReaders")
    }

    /// The message.
    public var description: String { message }

    static func tooManyReaders(limit: Int) -> HubError {
        HubError(
            code: .tooManyReaders,
            message: "a hub must have at most \(limit) readers, and has as many: raise"
                + " HubConfiguration.readerLimit, or refuse the client"
        )
    }
}
