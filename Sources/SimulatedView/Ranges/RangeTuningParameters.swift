import CollectionElements
import CollectionLayouts

/// The distances by which a range extends beyond the viewport.
///
/// Unit: screenfuls, each the extent of the viewport along the scroll axis. A range with `zero`
/// consists of the visible elements.
public struct RangeTuningParameters: Hashable, Sendable, CustomStringConvertible {
    /// The distance in the direction of scrolling.
    public let leading: Double

    /// The distance against the direction of scrolling.
    public let trailing: Double

    /// Creates parameters.
    ///
    /// - Throws: `rangeTuning` if one of the values is negative or not finite.
    public init(leading: Double, trailing: Double) throws(ViewError) {
        guard leading >= 0, trailing >= 0, leading.isFinite, trailing.isFinite else {
            throw ViewError(
                .rangeTuning,
                "a range must extend a finite number of screenfuls beyond the viewport, at least 0, but"
                    + " has \(leading) in the direction of scrolling and \(trailing) against it"
            )
        }
        self.init(usual: leading, trailing)
    }

    private init(usual leading: Double, _ trailing: Double) {
        (self.leading, self.trailing) = (leading, trailing)
    }

    /// Parameters for a range that consists of the visible elements only.
    public static let zero = RangeTuningParameters(usual: 0, 0)

    /// Returns the default parameters of a range in a mode.
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

    /// The numbers, such as `2.5 leading, 1.5 trailing`.
    public var description: String { "\(leading) leading, \(trailing) trailing" }
}

/// The mode that determines how far the ranges of a view extend.
///
/// Source: Texture's layout range modes.
public enum RangeMode: String, Hashable, Sendable, CaseIterable {
    /// Small ranges, before a reader has scrolled and while the view is not visible.
    case minimum
    /// Large ranges, after a reader has scrolled, for content that the reader may reach soon.
    case full
    /// Ranges that consist of the visible elements only.
    case visibleOnly
    /// Ranges that consist of the visible elements only. No other element is in the display state.
    case lowMemory
}

/// The ranges around the viewport.
public enum RangeType: String, Hashable, Sendable, CaseIterable {
    /// The range of elements that are ready to be displayed.
    case display
    /// The range of elements whose data is loaded.
    case preload
}

/// The level of memory pressure, as the application reports it.
public enum MemoryPressure: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Enough memory is available.
    case normal
    /// Memory is running low: views keep the visible elements.
    case warning
    /// Memory is almost exhausted: views keep only the necessary elements.
    case critical

    /// Returns whether the left level is lower than the right one.
    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool {
        switch (left, right) {
        case (.normal, .warning), (.normal, .critical), (.warning, .critical): true
        default: false
        }
    }
}

/// The conditions that determine the range mode of a view: the application's request, memory, and
/// past events.
///
/// A value that receives events and returns the mode. The first row that applies determines the
/// mode:
///
/// | condition | mode if the view can be seen | mode if it cannot |
/// |---|---|---|
/// | the application requests a mode | the requested mode | the requested mode |
/// | memory is critical | `lowMemory` | `lowMemory` |
/// | in the background, or memory is becoming short | `visibleOnly` | `lowMemory` |
/// | ranges were not updated yet, or no reader has scrolled since | `minimum` | `minimum` |
/// | otherwise | `full` | `minimum` |
struct RangeConditions {
    var requestedMode: RangeMode?
    var memoryPressure = MemoryPressure.normal
    private(set) var isInBackground = false
    /// Whether a reader can see the view.
    var isContainerVisible = true
    private(set) var isUpdated = false
    private(set) var isScrolled = false

    var mode: RangeMode {
        if let requestedMode { return requestedMode }
        if memoryPressure == .critical { return .lowMemory }
        if isInBackground || memoryPressure == .warning {
            return isContainerVisible ? .visibleOnly : .lowMemory
        }
        return isUpdated && isScrolled && isContainerVisible ? .full : .minimum
    }

    /// Records that the ranges were updated.
    mutating func updated() { isUpdated = true }

    /// Records that a reader scrolled.
    mutating func scrolled() { isScrolled = true }

    mutating func enteredBackground() { isInBackground = true }

    /// Records that the application returned; ranges stay small until a reader scrolls again.
    mutating func enteredForeground() {
        isInBackground = false
        isScrolled = false
    }
}

/// The extent of ranges around a viewport; geometry only.
struct RangeGeometry {
    let bounds: Rect
    /// Whether the content scrolls along each axis, so that ranges extend along it.
    let scrollsHorizontally: Bool
    let scrollsVertically: Bool
    /// The direction of the last scrolling along each axis: whether coordinates grew.
    let isForward: (x: Bool, y: Bool)

    init(_ viewport: Viewport, direction: (x: Double?, y: Double?)) {
        bounds = viewport.bounds
        let inset = viewport.inset
        let content = viewport.contentSize
        scrollsHorizontally = content.width + inset.left + inset.right > bounds.size.width
        scrollsVertically = content.height + inset.top + inset.bottom > bounds.size.height
        // Before the first scrolling: away from the beginning.
        isForward = (
            direction.x.map { $0 == 1 } ?? !viewport.insets.isRightToLeft,
            direction.y.map { $0 == 1 } ?? true
        )
    }

    /// Returns the pages, each as large as the viewport, that cover a rectangle, plus one page on
    /// each side along the axes that scroll. A reader may scroll back and forth within them without
    /// a new query.
    func surroundings(of rect: Rect) -> Rect {
        let page = bounds.size
        let x = scrollsHorizontally ? page.width : 0
        let y = scrollsVertically ? page.height : 0
        let around = rect.inset(by: EdgeInsets(top: -y, left: -x, bottom: -y, right: -x))
        return AttributeWindow.pages(around: around, of: page)
    }

    /// Returns the viewport extended by `parameters`.
    func rect(_ parameters: RangeTuningParameters) -> Rect {
        func span(_ low: Double, _ extent: Double, _ scrolls: Bool, _ isForward: Bool) -> (
            low: Double, extent: Double
        ) {
            guard scrolls else { return (low, extent) }
            let (leading, trailing) = (parameters.leading * extent, parameters.trailing * extent)
            // A distance too large for `Double` is limited to a finite one.
            let limit = Double.greatestFiniteMagnitude / 4
            let before = min(limit, isForward ? trailing : leading)
            let after = min(limit, isForward ? leading : trailing)
            return (low - before, extent + before + after)
        }
        let x = span(bounds.minX, bounds.size.width, scrollsHorizontally, isForward.x)
        let y = span(bounds.minY, bounds.size.height, scrollsVertically, isForward.y)
        return Rect(x: x.low, y: y.low, width: x.extent, height: y.extent)
    }
}

/// The position of an element relative to the ranges of a view.
struct RangePlacement: Hashable {
    var isVisible: Bool
    var isInDisplayRange: Bool
    var isInPreloadRange: Bool
}

extension InterfaceState {
    /// Creates the interface state of a node.
    ///
    /// | the view | visible | in the display range | in the preload range | elsewhere |
    /// |---|---|---|---|---|
    /// | can be seen | everything | `display`, and `preload` if the element is in that range too | `preload` | empty |
    /// | cannot be seen | `preload`, and `display` unless memory is short | `preload` | empty | empty |
    ///
    /// Source: Texture's table of interface states.
    init(_ placement: RangePlacement, in mode: RangeMode, isContainerVisible: Bool) {
        self = []
        if isContainerVisible {
            if placement.isVisible { self = [.preload, .display, .visible] }
            if placement.isInDisplayRange { insert(.display) }
            if placement.isInPreloadRange { insert(.preload) }
        } else if placement.isVisible {
            self = mode == .lowMemory ? .preload : [.preload, .display]
        } else if placement.isInDisplayRange {
            self = .preload
        }
    }
}
