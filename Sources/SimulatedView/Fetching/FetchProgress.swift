import CollectionLayouts

/// The state machine of fetching at one end of the content.
///
/// A value that receives events and decides whether a fetch may start. The view's main lane owns
/// it.
///
/// | state | ends when | next state |
/// |---|---|---|
/// | `idle` | a fetch starts | `fetching` |
/// | `fetching` | the fetched content was submitted | `arriving` |
/// | | the fetch failed, was cancelled or abandoned | `ended` |
/// | | there is no more content | `exhausting` |
/// | `arriving` | no update is in flight, and the content has changed | `idle` |
/// | | no update is in flight, and the content has not changed | `resting` |
/// | `ended` | no update is in flight | `resting` |
/// | `exhausting` | no update is in flight | `exhausted` |
/// | `resting` | the content has changed, or the viewport is no longer near the end | `idle` |
/// | any except `fetching` | the application calls `retry` | `idle` |
struct FetchProgress {
    /// A fingerprint of the content, by which changes are recognized.
    struct Fingerprint: Equatable {
        let numberOfItems: Int?
        /// The number of updates that inserted items, so that other content of the same size is
        /// recognized.
        let arrivals: Int
        let size: Size
    }

    private enum State {
        case idle
        /// A fetch, with its number and the content when it began.
        case fetching(Int, since: Fingerprint)
        case arriving(since: Fingerprint)
        case ended
        case resting(since: Fingerprint)
        case exhausting
        case exhausted
    }

    private var state = State.idle

    /// The number of the fetch in progress.
    var fetch: Int? {
        if case .fetching(let number, _) = state { number } else { nil }
    }

    /// Whether content that a fetch submits, or has submitted, may still arrive.
    var isContentArriving: Bool {
        switch state {
        case .fetching, .arriving, .ended, .exhausting: true
        case .idle, .resting, .exhausted: false
        }
    }

    /// Returns whether a fetch may start after the earlier ones. Call only if no update is in
    /// flight.
    ///
    /// - Parameter isNear: Whether the viewport is near the end.
    mutating func isReady(_ fingerprint: Fingerprint, isNear: Bool) -> Bool {
        switch state {
        case .idle, .fetching, .exhausted: break
        case .arriving(let old): state = old == fingerprint ? .resting(since: fingerprint) : .idle
        case .ended: state = .resting(since: fingerprint)
        case .exhausting: state = .exhausted
        case .resting(let old): if old != fingerprint || !isNear { state = .idle }
        }
        if case .idle = state { return true }
        return false
    }

    /// Records that a fetch started.
    mutating func began(_ number: Int, _ fingerprint: Fingerprint) {
        state = .fetching(number, since: fingerprint)
    }

    /// Records that the fetch in progress ended.
    mutating func ended(_ ending: BatchFetchEnding) {
        guard case .fetching(_, let fingerprint) = state else { return }
        switch ending {
        case .fetched: state = .arriving(since: fingerprint)
        case .exhausted: state = .exhausting
        case .failed, .cancelled, .abandoned: state = .ended
        }
    }

    /// Records that the application wants to try again.
    mutating func retry() {
        if fetch == nil { state = .idle }
    }
}

/// The position and movement of a viewport, which decide whether to fetch at an end.
///
/// A value that is computed for each decision.
///
/// Source: Texture's decision on batch fetching.
struct FetchConditions {
    /// The edge towards which the content was scrolled last.
    enum Heading { case up, down, left, right }

    var end: ContentEnd
    /// The axis along which content is fetched.
    var axis: ScrollDirection
    /// The direction of the last scrolling; `nil` before the first.
    var heading: Heading?
    /// The extent of the viewport.
    var size: Size
    var contentSize: Size
    /// The offset at which the viewport is, or comes to rest.
    var offset: Point
    /// The velocity in units per millisecond, positive towards greater coordinates; zero if the
    /// content is at rest.
    var velocity = Point.zero
    /// The distance from the end, in screenfuls, within which content is fetched; 0 disables
    /// fetching.
    var screens: Double
    /// Whether a reader can see the viewport.
    var isVisible = true
    var isRightToLeft: Bool

    private var length: Double { size.along(axis) }

    private var contentLength: Double { contentSize.along(axis) }

    /// Whether the end is at the greatest coordinates.
    private var endsHigh: Bool {
        (end == .tail) != (axis == .horizontal && isRightToLeft)
    }

    /// Whether fetching is enabled at this end, in a viewport that has an extent.
    private var isWanted: Bool { screens > 0 && size.width > 0 && size.height > 0 }

    /// Whether the content does not fill the viewport.
    private var isSmall: Bool { contentLength < length }

    /// The length of the content between the viewport and the end; negative if the viewport is
    /// beyond the end.
    private var remaining: Double {
        let before = offset.along(axis)
        return endsHigh ? contentLength - length - before : before
    }

    /// Whether the last scrolling moved away from the end.
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

    /// The speed at which the end comes closer.
    private var speed: Double {
        let speed = velocity.along(axis)
        return endsHigh ? speed : -speed
    }

    /// Whether the viewport is close enough to the end to fetch, unless another condition prevents
    /// it.
    var isNear: Bool { isWanted && (isSmall || remaining <= length * screens) }

    /// Returns whether to fetch.
    ///
    /// - Parameter decide: A closure that decides while content moves towards the end, given the
    ///   remaining time and the decision by distance.
    func wantsFetch(_ decide: (_ remainingTime: Duration, _ hint: Bool) -> Bool) -> Bool {
        guard isWanted else { return false }
        // A list that is too short fetches more even if the view cannot be seen.
        if isSmall { return true }
        guard isVisible, !recedes else { return false }
        guard speed > 0 else { return isNear }
        // A longer time counts as forever; the limit keeps `Duration` from overflowing.
        let milliseconds = min(max(0, remaining) / speed, 1e12)
        return decide(.milliseconds(milliseconds), isNear)
    }
}
