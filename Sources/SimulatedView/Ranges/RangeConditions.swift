/// What decides how far the ranges of a view reach: the application's wishes, memory, and what has happened.
///
/// A value: it is told what happened and says which mode follows. The first row that applies counts:
///
/// | condition | mode where the view is seen | where it is not |
/// |---|---|---|
/// | the application asks for a mode | that | that |
/// | memory is critical | `lowMemory` | `lowMemory` |
/// | in the background, or memory becomes short | `visibleOnly` | `lowMemory` |
/// | ranges were not updated yet, or nobody has scrolled since | `minimum` | `minimum` |
/// | otherwise | `full` | `minimum` |
struct RangeConditions {
    var requestedMode: RangeMode?
    var memoryPressure = MemoryPressure.normal
    private(set) var isInBackground = false
    /// Whether the view can be seen.
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

    /// Ranges are up to date for the first time, or again.
    mutating func updated() { isUpdated = true }

    /// A reader scrolled.
    mutating func scrolled() { isScrolled = true }

    mutating func enteredBackground() { isInBackground = true }

    /// The application is back: ranges are small until somebody scrolls again.
    mutating func enteredForeground() {
        isInBackground = false
        isScrolled = false
    }
}
