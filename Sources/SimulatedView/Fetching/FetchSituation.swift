import CollectionLayouts

/// Where a viewport is, and where it goes, as far as that decides whether to fetch at an end.
///
/// A value, computed anew for each decision.
///
/// Source: Texture's decision on batch fetching.
struct FetchSituation {
    /// The way that content was scrolled, as the edge that came nearer.
    enum Heading { case up, down, left, right }

    var end: ContentEnd
    /// Along which axis content is fetched.
    var axis: ScrollDirection
    /// The last scrolling; nil where nobody has scrolled yet.
    var heading: Heading?
    /// The extent of the viewport.
    var size: Size
    var contentSize: Size
    /// Where the viewport is, or comes to rest.
    var offset: Point
    /// In units a millisecond, positive towards greater coordinates; zero where content rests.
    var velocity = Point.zero
    /// From how many screenfuls before the end on content is fetched; none where it is not.
    var screens: Double
    /// Whether somebody can see the viewport.
    var isVisible = true
    var isRightToLeft: Bool

    private var length: Double { size.along(axis) }

    private var contentLength: Double { contentSize.along(axis) }

    /// Whether the end is where coordinates are greatest.
    private var endsHigh: Bool {
        (end == .tail) != (axis == .horizontal && isRightToLeft)
    }

    /// Whether the end is asked for at all.
    private var isWanted: Bool { screens > 0 && size.width > 0 && size.height > 0 }

    /// Whether the content does not fill the viewport.
    private var isSmall: Bool { contentLength < length }

    /// How much content there is beyond the viewport; less than none where it was scrolled beyond that.
    private var remaining: Double {
        let before = offset.along(axis)
        return endsHigh ? contentLength - length - before : before
    }

    /// Whether content was scrolled away from the end, and may be scrolled back.
    private var recedes: Bool {
        guard contentLength > length else { return false }
        return switch heading {
        case nil: false
        case .up: end == .tail
        case .down: end == .head
        case .left: end == (isRightToLeft ? .head : .tail)
        case .right: end == (isRightToLeft ? .tail : .head)
        }
    }

    /// How fast the end comes nearer.
    private var speed: Double {
        let speed = velocity.along(axis)
        return endsHigh ? speed : -speed
    }

    /// Whether the viewport is so near to the end that content is fetched where nothing else is against it.
    var isNear: Bool { isWanted && (isSmall || remaining <= length * screens) }

    /// Whether to fetch.
    ///
    /// - Parameter decide: asked where content moves towards the end: how long it lasts, and what the place says.
    func wantsFetch(_ decide: (_ remainingTime: Duration, _ hint: Bool) -> Bool) -> Bool {
        guard isWanted else { return false }
        // Nobody needs to look for it to be too little.
        if isSmall { return true }
        guard isVisible, !recedes else { return false }
        guard speed > 0 else { return isNear }
        // So long that no clock reaches it is as good as for ever.
        let milliseconds = min(max(0, remaining) / speed, 1e12)
        return decide(.milliseconds(milliseconds), isNear)
    }
}
