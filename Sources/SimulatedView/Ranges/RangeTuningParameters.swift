/// How far a range reaches beyond the viewport.
///
/// Unit: screenfuls, each the extent of the viewport along the axis that scrolls. A range that is `zero` is what
/// is visible.
public struct RangeTuningParameters: Hashable, Sendable {
    /// In the direction of scrolling.
    public let leading: Double

    /// Against it.
    public let trailing: Double

    /// Makes parameters.
    ///
    /// - Throws: `rangeTuning` where one of the two is negative or not finite.
    public init(leading: Double, trailing: Double) throws(ViewError) {
        guard leading >= 0, trailing >= 0, leading.isFinite, trailing.isFinite else {
            throw ViewError(
                .rangeTuning,
                "a range must reach a finite number of screenfuls beyond the viewport, at least 0, but"
                    + " is tuned to \(leading) in the direction of scrolling and \(trailing) against it"
            )
        }
        self.init(usual: leading, trailing)
    }

    private init(usual leading: Double, _ trailing: Double) {
        (self.leading, self.trailing) = (leading, trailing)
    }

    /// What is visible, and nothing more.
    public static let zero = RangeTuningParameters(usual: 0, 0)

    /// What a range has unless somebody says otherwise.
    ///
    /// | mode | display: leading, trailing | preload: leading, trailing |
    /// |---|---|---|
    /// | `minimum` | 0.25, 0.25 | 0.5, 0.25 |
    /// | `full` | 1, 0.5 | 2.5, 1.5 |
    /// | `visibleOnly`, `lowMemory` | zero | zero |
    public static func standard(for type: RangeType, in mode: RangeMode) -> RangeTuningParameters {
        switch (mode, type) {
        case (.minimum, .display): RangeTuningParameters(usual: 0.25, 0.25)
        case (.minimum, .preload): RangeTuningParameters(usual: 0.5, 0.25)
        case (.full, .display): RangeTuningParameters(usual: 1, 0.5)
        case (.full, .preload): RangeTuningParameters(usual: 2.5, 1.5)
        case (.visibleOnly, _), (.lowMemory, _): .zero
        }
    }
}

extension RangeTuningParameters: CustomStringConvertible {
    /// The numbers, such as `2.5 leading, 1.5 trailing`.
    public var description: String { "\(leading) leading, \(trailing) trailing" }
}

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
