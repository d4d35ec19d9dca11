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
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .normal: 0
        case .warning: 1
        case .critical: 2
        }
    }
}
