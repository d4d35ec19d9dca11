/// Where in which history a state is.
///
/// Versions of one history ascend; not every number occurs, since updates may be published as one. The number is the
/// ``ElementMap/generation`` of the map that the state is of, so who was told by an ``UpdateResult`` which generation
/// an update of theirs led to knows from which version on it is there.
///
/// As text, `handle.number`, it goes into the `id` of a server-sent event, and comes back as `Last-Event-ID`.
public struct PublishedVersion: Hashable, Sendable {
    /// Which history.
    public let handle: HistoryHandle

    /// Where in it, from 0, where there is nothing.
    public let number: Int

    /// Makes a version; nothing is checked.
    public init(handle: HistoryHandle, number: Int) {
        self.handle = handle
        self.number = number
    }

    /// Returns whether a state at this version contains everything that was published up to `other`.
    ///
    /// This is how a reader that made a write finds out that it sees it: compare the version that the reader is at with
    /// the one that the write returned. It is `false` for a version of another history, which says nothing; a reader
    /// that changes to another history receives everything, with all that was written before.
    public func hasReached(_ other: PublishedVersion) -> Bool {
        handle == other.handle && number >= other.number
    }
}

extension PublishedVersion: CustomStringConvertible {
    /// The handle and the number, such as `00c0ffee00c0ffee.12`.
    public var description: String { "\(handle).\(number)" }
}

extension PublishedVersion: LosslessStringConvertible {
    /// Reads what ``description`` writes, or gives nil for any other text, whatever it is.
    public init?(_ description: String) {
        // The number only as it is written: without a sign or zeros before it.
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let handle = HistoryHandle(String(parts[0])),
            let number = Int(parts[1]), number >= 0, String(number) == parts[1]
        else { return nil }
        self.init(handle: handle, number: number)
    }
}

/// Which history versions belong to: every hub makes one, and none is used again.
///
/// After a restart of the server its hub has another handle, so that a reader who resumes with an old version is told,
/// and not given edits of another list.
public struct HistoryHandle: Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Makes a handle of a number: of one that was written down, or in tests.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// A handle that nobody has, but for one chance in 2⁶⁴ for each other handle.
    public static func random() -> HistoryHandle {
        HistoryHandle(rawValue: .random(in: .min ... .max))
    }
}

extension HistoryHandle: CustomStringConvertible {
    /// The number as 16 hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension HistoryHandle: LosslessStringConvertible {
    /// Reads 16 hexadecimal digits, in lower or upper case, or gives nil for any other text.
    public init?(_ description: String) {
        // Without the sign that a number may have.
        guard description.utf8.count == 16, description.first?.isHexDigit == true,
            let value = UInt64(description, radix: 16)
        else { return nil }
        self.init(rawValue: value)
    }
}
