/// A version of a published list: a history, and a position in it.
///
/// The versions of one history ascend, but not every number occurs, because several updates may be
/// published as one. The number is the ``ElementMap/generation`` of the map that the state was made
/// from. A caller that receives the generation of its update in an ``UpdateResult`` therefore knows
/// the first version that contains the update.
///
/// The text form, `handle.number`, is the `id` of a server-sent event, and a browser returns it as
/// `Last-Event-ID`.
public struct PublishedVersion: Hashable, Sendable, CustomStringConvertible {
    /// The identifier of the history.
    public let handle: HistoryID

    /// The position in the history. It is 0 before the first update, when the state is empty.
    public let number: Int

    /// Creates a version. Nothing is checked.
    public init(handle: HistoryID, number: Int) {
        self.handle = handle
        self.number = number
    }

    /// Returns whether a state at this version contains everything that was published up to
    /// `other`.
    ///
    /// Use this to find out whether a reader sees a write: compare the reader's version with the
    /// version that the write returned. The result is `false` if the versions belong to different
    /// histories, which cannot be compared. A reader that changes to another history receives the
    /// whole state, including all earlier writes.
    public func hasReached(_ other: PublishedVersion) -> Bool {
        handle == other.handle && number >= other.number
    }

    /// The identifier and the number, such as `00c0ffee00c0ffee.12`.
    public var description: String { "\(handle).\(number)" }
}

extension PublishedVersion: LosslessStringConvertible {
    /// Creates a version from the text that ``description`` returns, or returns `nil` for any other
    /// text.
    public init?(_ description: String) {
        // The number must be written as `description` writes it: without a sign or leading zeros.
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let handle = HistoryID(String(parts[0])),
            let number = Int(parts[1]), number >= 0, String(number) == parts[1]
        else { return nil }
        self.init(handle: handle, number: number)
    }
}

/// The identifier of the history that versions belong to. Every hub makes its own, and none is used
/// again.
///
/// After a restart, a server's hub has another identifier. So a reader that resumes with an old
/// version receives a reset instead of edits to another list.
public struct HistoryID: Hashable, Sendable {
    /// The identifier as a number.
    public let rawValue: UInt64

    /// Creates an identifier from a number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Returns a random identifier. It equals any other with a probability of 2⁻⁶⁴.
    public static func random() -> HistoryID {
        HistoryID(rawValue: .random(in: .min ... .max))
    }
}

extension HistoryID: CustomStringConvertible {
    /// The number as 16 hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension HistoryID: LosslessStringConvertible {
    /// Creates an identifier from 16 hexadecimal digits, in lower or upper case, or returns `nil`
    /// for any other text.
    public init?(_ description: String) {
        // The initializer of the number would also accept a sign.
        guard description.utf8.count == 16, description.first?.isHexDigit == true,
            let value = UInt64(description, radix: 16)
        else { return nil }
        self.init(rawValue: value)
    }
}
