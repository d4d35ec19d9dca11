/// The ranges around the viewport.
public enum RangeType: String, Hashable, Sendable, CaseIterable {
    /// What is ready to be shown.
    case display
    /// What data is fetched for.
    case preload
}

extension RangeType: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
