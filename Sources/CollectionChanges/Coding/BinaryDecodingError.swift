/// An error that describes the first fault of bytes that are not the binary form of a value.
///
/// Decoding returns either a valid value or this error. It never traps, whether the bytes are
/// truncated, flipped, of another type or hostile.
public struct BinaryDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of the fault.
    public let code: Code

    /// The position of the fault: the number of bytes before the part that is wrong. It is at most
    /// the number of bytes.
    public let offset: Int

    /// A sentence that describes the fault: the expected and the found value, and the position.
    public let message: String

    /// The validation error if the bytes are well-formed but the change is invalid; its
    /// `operationIndex` is `nil`.
    public let updateError: HierarchyUpdateError?

    // Never inlined, so that the hot paths contain only the tests for faults.
    @inline(never)
    package init(
        _ code: Code,
        at offset: Int,
        _ sentence: String,
        because updateError: HierarchyUpdateError? = nil
    ) {
        self.code = code
        self.offset = offset
        message = "\(sentence), at byte \(offset)"
        self.updateError = updateError?.reported(at: nil)
    }

    /// The name of a fault. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, which is stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes end before the value is complete.
        public static let truncated = Code(rawValue: "truncated")
        /// There are more bytes after the value.
        public static let trailingBytes = Code(rawValue: "trailingBytes")
        /// The version of the form is not supported by this release.
        public static let unknownVersion = Code(rawValue: "unknownVersion")
        /// The bytes are the binary form of another type.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// An integer is encoded in more bytes than necessary.
        public static let overlongInteger = Code(rawValue: "overlongInteger")
        /// An integer, or a sum of two integers, exceeds the largest value.
        public static let integerOverflow = Code(rawValue: "integerOverflow")
        /// A count exceeds the number of elements that the following bytes can hold.
        public static let countBeyondBytes = Code(rawValue: "countBeyondBytes")
        /// A byte has an undefined value.
        public static let unknownValue = Code(rawValue: "unknownValue")
        /// Text is not valid UTF-8.
        public static let invalidText = Code(rawValue: "invalidText")
        /// Elements that must be distinct and in ascending order are not.
        public static let outOfOrder = Code(rawValue: "outOfOrder")
        /// The change starts from a shape other than the given one.
        public static let stateMismatch = Code(rawValue: "stateMismatch")
        /// Validation rejected the value; `updateError` contains the reason.
        public static let rejected = Code(rawValue: "rejected")
        /// The value is valid but not in canonical form: it lists edits that other edits cover.
        public static let notCanonical = Code(rawValue: "notCanonical")
    }

    /// The message.
    public var description: String { message }
}
