import CollectionChanges
import CollectionLayouts

/// The state machine of the layout pass: it records what is invalid, and counts the rounds of a
/// pass.
///
/// A value that receives events and returns decisions. The view's main lane owns it.
///
/// | state | ends when | next state |
/// |---|---|---|
/// | `idle` | a pass is requested, the layout is invalid, and no call to application code is in progress | `layingOut` |
/// | | an update begins | `updating` |
/// | `layingOut` | a round ends with nothing invalid, or the pass exceeds its limits | `idle` |
/// | `updating` | the update ends | `idle` |
///
/// The steps of a round are: prepare the layout, settle the offset, query views for their preferred
/// sizes, show the needed views. An invalidation never interrupts a step. After an invalidation
/// before the last step, the round skips its remaining steps, since the layout has new values by
/// then; every invalidation causes another round. The pass ends with an error after
/// `idleRoundLimit` rounds without new elements, or `totalRoundLimit` rounds in all.
struct LayoutPass {
    /// The number of consecutive rounds in which the layout and the views may disagree: the limit
    /// of UIKit's watchdog.
    static let usualIdleRoundLimit = 15

    var idleRoundLimit = Self.usualIdleRoundLimit

    /// The maximum number of rounds in a pass, even if each round has new elements. It equals the
    /// maximum number of views, because each view may appear in a separate round.
    var totalRoundLimit = 10_000

    /// The response to a request for a pass.
    enum RequestOutcome {
        case upToDate
        case begun
        /// A pass, an update or a call to application code is in progress, and must not be
        /// interrupted.
        case rejected
    }

    /// The limit that a pass exceeded.
    enum Overrun: Equatable {
        case withoutNews(rounds: Int)
        case inAll(rounds: Int)
    }

    private enum State { case idle, layingOut, updating }

    /// The validity of the layout since it was last prepared.
    private enum Validity {
        case invalid
        /// A change of the bounds invalidated the layout, but elements are still where it placed
        /// them.
        case movedBounds
        case prepared
    }

    private struct Rounds {
        var count = 0
        /// The number of consecutive rounds, up to the last one, without new elements.
        var idleCount = 0
        var hasNews = false
        /// The places that were shown in this pass; a place that is shown again is not new.
        var shown: Set<LayoutPlace> = []
        /// The places of existing views that were queried for their sizes in this pass, ascending,
        /// as a round queries them.
        var queried: [LayoutPlace] = []
    }

    private var state = State.idle
    private var validity = Validity.invalid
    private var rounds = Rounds()
    /// The number of calls in progress to the layout or to code that fills views.
    private var callDepth = 0
    /// Whether anything must be laid out.
    private(set) var isNeeded = true

    /// Whether the layout was prepared after its last invalidation.
    var isPrepared: Bool { validity == .prepared }

    /// Whether elements are still where the layout had them when it was last prepared: since then,
    /// at most a change of the bounds invalidated it.
    var hasPlaces: Bool { validity != .invalid }

    var isUpdating: Bool { state == .updating }

    /// Whether a pass, an update or a call to application code is in progress.
    var isLocked: Bool { state != .idle || callDepth > 0 }

    // MARK: Around passes

    /// Records that something must be laid out.
    mutating func needed() { isNeeded = true }

    /// Records that the layout is invalid.
    ///
    /// - Parameter isForBounds: Whether only the content offset changed.
    mutating func invalidated(isForBounds: Bool) {
        validity = isForBounds && hasPlaces ? .movedBounds : .invalid
    }

    /// Records that the layout is about to be prepared. It counts as prepared from now on, so that
    /// anything that it invalidates in the meantime is computed again.
    mutating func preparing() { validity = .prepared }

    mutating func callBegan() { callDepth += 1 }

    mutating func callEnded() { callDepth -= 1 }

    mutating func updateBegan() { state = .updating }

    mutating func updateEnded() { state = .idle }

    // MARK: The pass

    /// Handles a request to bring the view up to date.
    mutating func requested() -> RequestOutcome {
        guard isNeeded else { return .upToDate }
        guard !isLocked else { return .rejected }
        state = .layingOut
        return .begun
    }

    mutating func roundBegan() {
        isNeeded = false
        rounds.hasNews = false
    }

    /// Records that an existing view was queried for its size.
    mutating func queried(_ place: LayoutPlace) {
        if let last = rounds.queried.last, !(last < place) {
            let position = partitionPoint(rounds.queried.count) { rounds.queried[$0] >= place }
            if rounds.queried[position] == place { return }
            rounds.queried.insert(place, at: position)
        } else {
            rounds.queried.append(place)
        }
        rounds.hasNews = true
    }

    /// The step of a round after existing views were queried.
    enum Step { case showViews, endRound }

    /// Records that all existing views were queried. If the layout is still valid, it already gave
    /// the views their preferred sizes, and the queries do not count as new.
    mutating func allQueried() -> Step {
        guard isPrepared else { return .endRound }
        rounds.hasNews = false
        return .showViews
    }

    /// Records that a view entered the viewport.
    mutating func shown(_ place: LayoutPlace) {
        if rounds.shown.insert(place).inserted { rounds.hasNews = true }
    }

    /// - Returns: The limit that the pass exceeded, if any. The needed views are then shown once
    ///   more, without querying them for sizes.
    mutating func roundEnded() -> Overrun? {
        rounds.count += 1
        rounds.idleCount = rounds.hasNews ? 0 : rounds.idleCount + 1
        guard isNeeded else { return nil }
        if rounds.idleCount >= idleRoundLimit { return .withoutNews(rounds: rounds.idleCount) }
        return rounds.count >= totalRoundLimit ? .inAll(rounds: rounds.count) : nil
    }

    /// Records that the pass exceeded a limit, and has shown the needed views.
    mutating func limitExceeded() { isNeeded = false }

    mutating func ended() {
        state = .idle
        rounds = Rounds()
    }
}

/// The layout's attributes for the viewport and its surroundings. They are loaded in whole pages,
/// so that scrolling within a page needs no query.
///
/// Source: the paged attribute cache of UICollectionView's data object.
struct AttributeWindow {
    /// The rectangle that was loaded; `nil` if the window is invalid.
    private(set) var rect: Rect?
    /// The attributes in the rectangle, ascending by place.
    private(set) var attributes: [LayoutAttributes] = []

    mutating func invalidate() {
        rect = nil
        attributes = []
        answer = nil
    }

    /// The last answer of `attributes(in:)`.
    private var answer: (bounds: Rect, attributes: [LayoutAttributes])?

    /// The attributes of a place, if it is in the window.
    subscript(place: LayoutPlace) -> LayoutAttributes? {
        attributes.sortedPosition(of: place) { $0.place }.map { attributes[$0] }
    }

    /// Returns the attributes of the views to show in `bounds`, which the window must cover.
    mutating func attributes(in bounds: Rect) -> [LayoutAttributes] {
        if let answer, answer.bounds == bounds { return answer.attributes }
        let found = attributes.filter { !$0.isHidden && $0.frame.intersects(bounds) }
        answer = (bounds, found)
        return found
    }

    func covers(_ bounds: Rect) -> Bool { rect?.encloses(bounds) ?? false }

    /// Returns the union of the pages that `rect` touches; a page is as large as the viewport.
    static func pages(around rect: Rect, of page: Size) -> Rect {
        func span(_ low: Double, _ high: Double, _ extent: Double) -> (Double, Double) {
            let start = (low / extent).rounded(.down) * extent
            let end = (high / extent).rounded(.up) * extent
            // At very large coordinates, rounding cannot separate pages.
            guard start.isFinite, end.isFinite, start <= low, end >= high else {
                return (low, high - low)
            }
            return (start, end - start)
        }
        let (x, width) = span(rect.minX, rect.maxX, page.width)
        let (y, height) = span(rect.minY, rect.maxY, page.height)
        return Rect(x: x, y: y, width: width, height: height)
    }

    /// Replaces the window with a result of the layout.
    ///
    /// - Parameter newAttributes: The attributes, ascending by place, each place once.
    /// - Returns: The attributes that changed although nothing was invalidated, ascending by place.
    mutating func load(
        _ newRect: Rect,
        _ newAttributes: [LayoutAttributes]
    ) -> [(old: LayoutAttributes, new: LayoutAttributes)] {
        let known = attributes
        rect = newRect
        attributes = newAttributes
        answer = nil
        return known.compactMap { old in
            guard let new = self[old.place], new != old else { return nil }
            return (old, new)
        }
    }
}

extension Rect {
    /// Returns whether `other` lies within this rectangle, edges included.
    func encloses(_ other: Rect) -> Bool {
        minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }
}
