import CollectionPipeline

/// An error that prevented a transaction or the update of a list. The tables, or the list, keep
/// their last good state.
public struct TableError: Error, CustomStringConvertible {
    /// The kind of the error.
    public let code: Code

    /// A sentence that describes the error, with its values.
    public let message: String

    /// The error that a closure of the caller threw; otherwise `nil`.
    public let underlyingError: (any Error)?

    /// The name of a kind of error. Later releases may add codes, so a `switch` over them needs a
    /// default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable across releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The closure of a transaction threw.
        public static let transactionThrew = Code(rawValue: "transactionThrew")
        /// A closure of an operator threw.
        public static let operatorThrew = Code(rawValue: "operatorThrew")
        /// An order is not a strict weak order, or a closure returned a different result than
        /// before for the same row. Only faults that prevent an edit are found.
        public static let inconsistentOrder = Code(rawValue: "inconsistentOrder")
        /// A closure of `flatMap` made two rows with the same key from one row.
        public static let duplicateKey = Code(rawValue: "duplicateKey")
        /// A closure of `flatMap` made more rows from one row than the limit.
        public static let tooManyRows = Code(rawValue: "tooManyRows")
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
