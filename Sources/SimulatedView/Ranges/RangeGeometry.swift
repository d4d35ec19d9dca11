import CollectionLayouts

/// How far ranges reach from a viewport: geometry alone.
struct RangeGeometry {
    let bounds: Rect
    /// What scrolls, and so extends ranges.
    let scrollsHorizontally: Bool
    let scrollsVertically: Bool
    /// The direction of the last scrolling: towards the ends of the axes, or back.
    let isForward: (x: Bool, y: Bool)

    init(_ viewport: Viewport, direction: (x: Double?, y: Double?)) {
        bounds = viewport.bounds
        let inset = viewport.inset
        let content = viewport.contentSize
        scrollsHorizontally = content.width + inset.left + inset.right > bounds.size.width
        scrollsVertically = content.height + inset.top + inset.bottom > bounds.size.height
        // Nobody has scrolled yet: away from the beginning.
        isForward = (
            direction.x.map { $0 == 1 } ?? !viewport.insets.isRightToLeft,
            direction.y.map { $0 == 1 } ?? true
        )
    }

    /// The pages, each as large as the viewport, in which a rectangle lies, and where content scrolls one more on each
    /// side, within which a reader may go to and fro.
    func surroundings(of rect: Rect) -> Rect {
        let page = bounds.size
        let x = scrollsHorizontally ? page.width : 0
        let y = scrollsVertically ? page.height : 0
        let around = rect.inset(by: EdgeInsets(top: -y, left: -x, bottom: -y, right: -x))
        return AttributeWindow.pages(around: around, of: page)
    }

    /// The viewport with as much around it as `parameters` say.
    func rect(_ parameters: RangeTuningParameters) -> Rect {
        func span(_ low: Double, _ extent: Double, _ scrolls: Bool, _ isForward: Bool) -> (
            low: Double, extent: Double
        ) {
            guard scrolls else { return (low, extent) }
            let (leading, trailing) = (parameters.leading * extent, parameters.trailing * extent)
            // Screenfuls beyond all numbers reach as far as there are any.
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
