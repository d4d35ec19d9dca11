/// An end of the content, where more of it may be fetched.
public enum ContentEnd: Hashable, Sendable, CaseIterable {
    /// Where content begins: at the top, or at the left; from right to left at the right.
    case head
    /// Where content ends.
    case tail
}

extension ContentEnd: CustomStringConvertible {
    /// The name.
    public var description: String {
        switch self {
        case .head: "head"
        case .tail: "tail"
        }
    }
}
