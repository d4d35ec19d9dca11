import CollectionLayouts
import SimulatedView

/// How far the ranges around the viewport of a ``LayoutPicture`` reach.
///
/// Shape: rectangles are in content coordinates, as a `RangeController` has them. One without extent is not
/// drawn, as the display range in low memory.
///
/// Threading: a value, usable anywhere.
public struct PicturedRanges: Hashable, Sendable {
    /// Why they reach so far; it stands below the picture.
    public var mode: RangeMode

    /// What is ready to be shown.
    public var display: Rect

    /// What data is fetched for.
    public var preload: Rect

    /// Makes ranges; nothing is checked.
    public init(mode: RangeMode, display: Rect, preload: Rect) {
        self.mode = mode
        self.display = display
        self.preload = preload
    }

    /// Makes the ranges that a controller found when it was brought up to date last.
    ///
    /// Threading: the main lane of its view.
    public init(of controller: RangeController) {
        self.init(
            mode: controller.mode,
            display: controller.displayRect,
            preload: controller.preloadRect
        )
    }
}
