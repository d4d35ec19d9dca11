/// Why a message cannot travel as text.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which fault it is.
    public let code: Code

    /// The number of the item or section at fault, where one is.
    public let number: UInt64?

    /// The fault in a sentence, with its values.
    public let message: String

    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The payload of an item or a header is not UTF-8.
        public static let notText = Code(rawValue: "notText")
        /// A number is 0 or has more than 53 bits, or a version is negative: no hub publishes such.
        public static let outOfRange = Code(rawValue: "outOfRange")
        /// An update's contents are not those of its edits: no hub publishes such.
        public static let misfit = Code(rawValue: "misfit")
    }

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String, number: UInt64? = nil) {
        self.code = code
        self.message = message
        self.number = number
    }

    init(_ version: PublishedVersion) {
        self.init(.outOfRange, "the number of a version must be at least 0, but is \(version)")
    }

    /// Checks what an item or section travels as.
    ///
    /// - Parameter noun: "item" or "section".
    static func check(
        _ noun: String,
        _ number: UInt64,
        _ payload: PublishedPayload?
    ) throws(WireError) {
        guard number > 0, number <= WireMessage.greatestInteger else {
            throw WireError(
                .outOfRange,
                "the number of an \(noun) must be from 1 to \(WireMessage.greatestInteger), but is"
                    + " \(number)",
                number: number
            )
        }
        guard let payload else { return }
        guard String(validating: payload.bytes, as: UTF8.self) != nil else {
            throw WireError(
                .notText,
                "a payload must be UTF-8 to travel as text, but that of \(noun) \(number), of"
                    + " \(payload.bytes.count) bytes, is not: encode it where it is rendered,"
                    + " as base64 say",
                number: number
            )
        }
    }
}
