/// How far the ranges of a view reach.
///
/// Source: Texture's layout range modes.
public enum RangeMode: String, Hashable, Sendable, CaseIterable {
    /// Little beyond the viewport: before anybody has scrolled, and while the view cannot be seen.
    case minimum
    /// As far as a reader may soon come: once somebody has scrolled.
    case full
    /// The viewport alone.
    case visibleOnly
    /// The viewport alone, and nothing is ready to be displayed but what is displayed.
    case lowMemory
}

extension RangeMode: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
