/// An error that occurs while a journal is opened, read or written.
public struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of the fault.
    public let code: Code

    /// A sentence that describes the fault, with its values.
    public let message: String

    /// The position of the fault in the storage, in bytes; `nil` if it has no position.
    public let offset: Int?

    /// The system's error number (`errno`), or `nil` if the system reported none.
    public let systemError: Int32?

    /// The path of the file; `nil` if no file is involved.
    public let path: String?

    /// Creates an error. Custom storages can use it too.
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

    /// The name of a fault. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, which is stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The storage could not perform a requested operation.
        public static let storage = Code(rawValue: "storage")
        /// Another journal has the storage open, or has written to it.
        public static let inUse = Code(rawValue: "inUse")
        /// The storage has no bytes: it contains no journal yet.
        public static let empty = Code(rawValue: "empty")
        /// The storage has bytes, but they do not begin with a readable base of a journal.
        public static let noBase = Code(rawValue: "noBase")
        /// Synced records are damaged, or other records that must not be cut cannot be read.
        public static let damaged = Code(rawValue: "damaged")
        /// An update does not start from the last shape of the journal, or a base does not match a
        /// state of the journal.
        public static let stateMismatch = Code(rawValue: "stateMismatch")
        /// A record could be written but not read back: it exceeds the journal's limits, or the
        /// `standard` profile rejects it.
        public static let unreadable = Code(rawValue: "unreadable")
        /// A record exceeds the maximum size.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// An earlier write or sync failed, so the contents of the storage are unknown. Open the
        /// storage again.
        public static let previousWriteFailed = Code(rawValue: "previousWriteFailed")
    }

    /// The message.
    public var description: String { message }
}
