/// The name of a kind of supplementary element, such as the headers of sections.
public struct SupplementaryKind: RawRepresentable, Hashable, Sendable {
    /// The name, unique within an application.
    public var rawValue: String

    /// Makes a kind from a name of the application's choice.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The header of a section.
    public static let header = SupplementaryKind(rawValue: "header")
    /// The footer of a section.
    public static let footer = SupplementaryKind(rawValue: "footer")
}

extension SupplementaryKind: Comparable {
    /// Orders by name, so that output never depends on hashing.
    public static func < (left: SupplementaryKind, right: SupplementaryKind) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension SupplementaryKind: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
