/// Why bytes are not the binary form of a value: the first fault, and where it is.
///
/// Nothing is made of bytes that have one. Cut, flipped, foreign and hostile bytes all end here, or
/// give a value that is valid, never in a trap.
public struct BinaryDecodingError: Error, Hashable, Sendable {
    /// Which fault it is.
    public let code: Code

    /// Where the fault is: how many bytes come before the part that cannot be right. At most the number of
    /// bytes.
    public let offset: Int

    /// The fault in a sentence: what was expected, what was found, and where.
    public let message: String

    /// The verdict of validation, where the bytes are in order and the change that they say is not; its
    /// `operationIndex` is nil.
    public let updateError: HierarchyUpdateError?

    // Never inlined: the hot paths only test for faults.
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
}

extension BinaryDecodingError {
    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes end before the value does.
        public static let truncated = Code(rawValue: "truncated")
        /// The value ends before the bytes do.
        public static let trailingBytes = Code(rawValue: "trailingBytes")
        /// The form is of a version that this release does not know.
        public static let unknownVersion = Code(rawValue: "unknownVersion")
        /// The bytes are the form of another type.
        public static let otherKind = Code(rawValue: "otherKind")
        /// An integer is written in more bytes than it needs.
        public static let overlongInteger = Code(rawValue: "overlongInteger")
        /// An integer, or a sum of two, is beyond the largest.
        public static let integerOverflow = Code(rawValue: "integerOverflow")
        /// A count promises more elements than the bytes that follow can hold.
        public static let countBeyondBytes = Code(rawValue: "countBeyondBytes")
        /// A byte has a value with no meaning.
        public static let unknownValue = Code(rawValue: "unknownValue")
        /// Text is not valid UTF-8.
        public static let invalidText = Code(rawValue: "invalidText")
        /// What must be in ascending order, each once, is not.
        public static let outOfOrder = Code(rawValue: "outOfOrder")
        /// The change starts from another shape than the given one.
        public static let otherStart = Code(rawValue: "otherStart")
        /// Validation rejected the value; `updateError` says why.
        public static let rejected = Code(rawValue: "rejected")
        /// The value is valid, but lists what other edits of it cover, and so is not the one way to write it.
        public static let notCanonical = Code(rawValue: "notCanonical")
    }
}

extension BinaryDecodingError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
