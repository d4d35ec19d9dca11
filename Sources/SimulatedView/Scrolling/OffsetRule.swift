/// Who says where the content offset is while the layout changes.
///
/// A value: it is told what happened and returns what is to be done. The view's main lane owns it.
///
/// | source, the weakest first | what it says | gives way to | lasts until |
/// |---|---|---|---|
/// | none | the offset stays the number that it is | all others | |
/// | `invalidation` | what was visible before the first one stays where it was | those below | the pass ends |
/// | `update` | what an update, or another layout, has made visible stays where it is | those below | the pass ends |
/// | `layout` | it has adjusted the offset itself; what is known of frames is of before | the next `update` | the layout is prepared |
/// | `program` | the offset that was chosen, also beyond the ends of the content | | at once: later invalidations note what it shows |
///
/// So of `update`, `layout` and `program` the latest counts, and an `invalidation` only where there is nothing else.
/// When the layout is prepared again, the offset that follows is brought within the ends of the content, wherever
/// it came from.
struct OffsetRule {
    /// Who gives an offset, or something to keep in place.
    enum Source {
        /// The layout, or what it computes with, is about to change.
        case invalidation(ScrollAnchor?)
        /// An update or another layout has been shown, at the offset that layout and delegate have chosen.
        case update(ScrollAnchor?)
        /// The layout asked for another offset when it was invalidated.
        case layout
        case program
    }

    private enum Holder: Equatable {
        case nobody
        case anchor(ScrollAnchor)
        case layout
    }

    private var holder = Holder.nobody { didSet { lastKept = nil } }
    /// Where what stays in place had the offset in the round before, also beyond the ends of the content.
    private var lastKept: Point?
    /// Whether the viewport has another extent, so that the offset may lie beyond the ends.
    private var isUnchecked = false
    /// Whether the layout was prepared before a pass, which is still to bring the offset within the ends.
    private var isPreparedEarly = false
    /// Whether the bounds are changing by another offset, so that what that invalidates leaves nothing to be
    /// kept in place.
    private(set) var isMoving = false
    /// How often the delegate is being told of scrolling, each time within the one before.
    private var tellings = 0

    /// What is to stay where it is.
    var anchor: ScrollAnchor? {
        if case .anchor(let anchor) = holder { anchor } else { nil }
    }

    /// Whether what stays in place has had the offset in a round before.
    var hasKept: Bool { lastKept != nil }

    /// Whether what is visible now is to be noted before something changes.
    var isAnchorWanted: Bool { holder == .nobody }

    /// The one rule.
    mutating func take(_ source: Source) {
        switch source {
        case .invalidation(let anchor):
            if holder == .nobody, let anchor { holder = .anchor(anchor) }
        case .update(let anchor):
            release()
            if let anchor { holder = .anchor(anchor) }
        case .layout:
            holder = .layout
        case .program:
            release()
            isUnchecked = false
        }
    }

    /// Nothing stays in place any more. Where the layout has moved the offset, the frames that are known are
    /// still those of before.
    mutating func release() {
        if anchor != nil { holder = .nobody }
    }

    /// Of what is new nothing can stay in place but the beginning.
    mutating func reloaded() {
        if anchor != .beginning { release() }
    }

    /// The layout was prepared for the content to be scrolled.
    mutating func preparedEarly() { isPreparedEarly = true }

    /// The viewport has another extent.
    mutating func resized() { isUnchecked = true }

    // MARK: Rounds of a pass

    /// Whether a round of a pass may move the offset.
    ///
    /// - Parameter isPrepared: whether the layout is still as it was prepared.
    func isDue(isPrepared: Bool) -> Bool {
        !isPrepared || anchor != nil || isUnchecked || isPreparedEarly
    }

    /// The layout is prepared, and the offset is brought within the ends of the content.
    ///
    /// - Returns: what is to stay where it is; still in the rounds that follow.
    mutating func settled() -> ScrollAnchor? {
        (isUnchecked, isPreparedEarly) = (false, false)
        if holder == .layout { holder = .nobody }
        return anchor
    }

    /// What stays in place has the offset there, also beyond the ends of the content.
    ///
    /// - Returns: where it had it in the round before; nil in the first.
    mutating func kept(at offset: Point) -> Point? {
        defer { lastKept = offset }
        return lastKept
    }

    // MARK: Moves

    /// The bounds are about to have another offset.
    ///
    /// - Returns: what to give back when they have.
    mutating func moveBegan() -> Bool {
        defer { isMoving = true }
        return isMoving
    }

    mutating func moveEnded(_ wasMoving: Bool) { isMoving = wasMoving }

    /// The delegate is about to be told; what it invalidates is not the moving's doing.
    ///
    /// - Returns: what to give back when it has been; nil where it has answered scrolling with scrolling so
    ///   often that it would never end.
    mutating func tellingBegan() -> Bool? {
        guard tellings < SimulatedCollectionView.roundLimit else { return nil }
        tellings += 1
        defer { isMoving = false }
        return isMoving
    }

    mutating func tellingEnded(_ wasMoving: Bool) {
        tellings -= 1
        isMoving = wasMoving
    }
}
