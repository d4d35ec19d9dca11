/// Why a reader could not be added, or not be given another window.
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

        /// There are as many readers as there may be.
        public static let tooManyReaders = Code(rawValue: "tooManyReaders")
        /// A window has negative rows, or more than are allowed.
        public static let invalidWindow = Code(rawValue: "invalidWindow")
        /// The reader was added without a window, and follows the whole list.
        public static let notWindowed = Code(rawValue: "notWindowed")
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

    static func invalidWindow(_ window: PublishedWindow, limit: Int) -> HubError {
        HubError(
            code: .invalidWindow,
            message:
                "a window must have rows from 0, and at most \(limit), but is \(window): refuse"
                + " the client, or raise HubConfiguration.windowRowLimit"
        )
    }

    static let notWindowed = HubError(
        code: .notWindowed,
        message: "only a reader that was added with a window can have another, but this one follows"
            + " the whole list: add it with addReader(window:receive:)"
    )
}
