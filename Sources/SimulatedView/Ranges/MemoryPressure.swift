/// How short memory is, as whoever watches it says.
public enum MemoryPressure: String, Hashable, Sendable, CaseIterable, Comparable {
    /// There is enough.
    case normal
    /// It becomes short: views keep what is visible.
    case warning
    /// It is short: views keep what they must.
    case critical

    /// Whether there is less pressure.
    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool {
        switch (left, right) {
        case (.normal, .warning), (.normal, .critical), (.warning, .critical): true
        default: false
        }
    }
}
