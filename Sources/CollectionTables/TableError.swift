import CollectionPipeline

/// An error that prevented a transaction, or the derivation of a list. Nothing changed: the table
/// or list keeps its last good state.
public struct TableError: Error, CustomStringConvertible {
    /// The kind of the error.
    public let code: Code

    /// A sentence that describes the error, with its values.
    public let message: String

    /// The error that a closure of the caller threw; otherwise `nil`.
    public let underlyingError: (any Error)?

    /// The name of an error. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable across releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The closure of a transaction threw.
        public static let transactionThrew = Code(rawValue: "transactionThrew")
        /// A closure of an operator threw.
        public static let operatorThrew = Code(rawValue: "operatorThrew")
        /// An order is not a strict weak order, or a closure returned another result than before
        /// for the same row.
        public static let inconsistentOrder = Code(rawValue: "inconsistentOrder")
        /// A row was expanded into two rows with the same key.
        public static let duplicateKey = Code(rawValue: "duplicateKey")
        /// A window has a negative start or size.
        public static let invalidWindow = Code(rawValue: "invalidWindow")
        /// A row would be expanded into more rows than the limit.
        public static let tooManyRows = Code(rawValue: "tooManyRows")
        /// Two lists of different stores were combined.
        public static let differentStores = Code(rawValue: "differentStores")
        /// The store is closed.
        public static let closed = Code(rawValue: "closed")
    }

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String, _ underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlyingError = underlyingError
    }
}
