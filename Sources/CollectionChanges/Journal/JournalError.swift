/// Why a journal could not be opened, read or written.
public struct JournalError: Error, Hashable, Sendable {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values.
    public let message: String

    /// Where in the storage the fault is, in bytes, where there is such a place.
    public let offset: Int?

    /// The number of the system's error (`errno`), where the system had one.
    public let systemError: Int32?

    /// The file, where there is one.
    public let path: String?

    /// Makes an error, which storages of an application's own do too.
    public init(
        _ code: Code,
        _ message: String,
        offset: Int? = nil,
        systemError: Int32? = nil,
        path: String? = nil
    ) {
        self.code = code
        self.message = message
        self.offset = offset
        self.systemError = systemError
        self.path = path
    }
}

extension JournalError {
    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The storage could not do what it was asked for.
        public static let storage = Code(rawValue: "storage")
        /// Another journal has the storage open, or has written to it.
        public static let inUse = Code(rawValue: "inUse")
        /// The storage has no bytes: there is no journal in it yet.
        public static let empty = Code(rawValue: "empty")
        /// The storage has bytes, and they do not begin with a journal's base that can be read.
        public static let noBase = Code(rawValue: "noBase")
        /// Records are damaged that had been synced, or others that were not to be cut.
        public static let damaged = Code(rawValue: "damaged")
        /// An update does not start from the shape that the journal ends with, or a base does not fit.
        public static let otherStart = Code(rawValue: "otherStart")
        /// A record could be written and not read back: it breaks the journal's limits, or is none that the standard
        /// profile accepts.
        public static let unreadable = Code(rawValue: "unreadable")
        /// A record would be larger than a journal can hold.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// An earlier write or sync failed, so that nobody knows what the storage holds; open it again.
        public static let failedBefore = Code(rawValue: "failedBefore")
    }
}

extension JournalError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
