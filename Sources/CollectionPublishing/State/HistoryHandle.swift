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
