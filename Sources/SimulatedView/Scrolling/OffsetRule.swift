/// The state machine that decides which source determines the content offset while the layout
/// changes.
///
/// The rule is a value that receives events and returns decisions. It belongs to the view's main
/// lane.
///
/// | source, the weakest first | effect | replaced by | lasts until |
/// |---|---|---|---|
/// | none | the offset keeps its value | all others | |
/// | `invalidation` | the element that was visible before the first invalidation keeps its position | those below | the pass ends |
/// | `update` | an element that is visible after an update, or in another layout, keeps its position | those below | the pass ends |
/// | `layout` | the layout has adjusted the offset itself; the known frames are older | the next `update` | the layout is prepared |
/// | `program` | the offset is the chosen one, even beyond the ends of the content | | ends immediately: later invalidations anchor what it shows |
///
/// The latest of `update`, `layout` and `program` determines the offset. An `invalidation` does so
/// only if there is no other source. When the layout is prepared again, the resulting offset is
/// limited to the ends of the content, whatever its source.
struct OffsetRule {
    /// The source of an offset, or of an anchor that keeps its position.
    enum Source {
        /// The layout, or its input, is about to change.
        case invalidation(ScrollAnchor?)
        /// An update or another layout is shown, at the offset that the layout and the delegate
        /// chose.
        case update(ScrollAnchor?)
        /// The layout adjusted the offset when it was invalidated.
        case layout
        case program
    }

    private enum Holder: Equatable {
        case unset
        case anchor(ScrollAnchor)
        case layout
    }

    private var holder = Holder.unset { didSet { lastKept = nil } }
    /// The offset that kept the anchor's position in the previous round, even beyond the ends of
    /// the content.
    private var lastKept: Point?
    /// Whether the extent of the viewport changed, so that the offset may lie beyond the ends of
    /// the content.
    private var isUnchecked = false
    /// Whether the layout was prepared before the pass. The pass must then still limit the offset
    /// to the ends.
    private var isPreparedEarly = false
    /// Whether the offset is being changed. An invalidation during that change must not record an
    /// anchor.
    private(set) var isMoving = false
    /// The depth of nested notifications of the delegate about scrolling.
    private var notificationDepth = 0

    /// The anchor that keeps its position.
    var anchor: ScrollAnchor? {
        if case .anchor(let anchor) = holder { anchor } else { nil }
    }

    /// Whether the anchor already determined the offset in an earlier round.
    var hasKept: Bool { lastKept != nil }

    /// Whether the view must record an anchor before a change.
    var isAnchorWanted: Bool { holder == .unset }

    /// Applies the rule: a source replaces weaker ones.
    mutating func take(_ source: Source) {
        switch source {
        case .invalidation(let anchor):
            if holder == .unset, let anchor { holder = .anchor(anchor) }
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

    /// Drops the anchor. The state after an adjustment by the layout remains, because the known
    /// frames are still older than the offset.
    mutating func release() {
        if anchor != nil { holder = .unset }
    }

    /// Drops the anchor after a reload, which removes all old elements. Only the beginning of the
    /// content can keep its position.
    mutating func reloaded() {
        if anchor != .beginning { release() }
    }

    /// Records that the layout was prepared because the content was scrolled.
    mutating func preparedEarly() { isPreparedEarly = true }

    /// Records that the extent of the viewport changed.
    mutating func resized() { isUnchecked = true }

    // MARK: Rounds of a pass

    /// Returns whether a round of a pass may move the offset.
    ///
    /// - Parameter isPrepared: Whether the layout is still valid as it was prepared.
    func isDue(isPrepared: Bool) -> Bool {
        !isPrepared || anchor != nil || isUnchecked || isPreparedEarly
    }

    /// Records that the layout is prepared, and that the caller limits the offset to the ends of
    /// the content.
    ///
    /// - Returns: The anchor, which also applies to the following rounds.
    mutating func settled() -> ScrollAnchor? {
        (isUnchecked, isPreparedEarly) = (false, false)
        if holder == .layout { holder = .unset }
        return anchor
    }

    /// Records the offset that keeps the anchor's position, even beyond the ends of the content.
    ///
    /// - Returns: The offset of the previous round; `nil` in the first round.
    mutating func kept(at offset: Point) -> Point? { exchange(&lastKept, with: offset) }

    // MARK: Moves

    /// Records that the offset is about to change.
    ///
    /// - Returns: The value to pass to `moveEnded` afterwards.
    mutating func moveBegan() -> Bool { exchange(&isMoving, with: true) }

    mutating func moveEnded(_ wasMoving: Bool) { isMoving = wasMoving }

    /// Records that the delegate is about to be notified. Invalidations by the delegate are not
    /// part of the move.
    ///
    /// - Returns: The value to pass to `notificationEnded` afterwards; `nil` if the notifications
    ///   are nested too deeply.
    mutating func notificationBegan() -> Bool? {
        guard notificationDepth < SimulatedCollectionView.roundLimit else { return nil }
        notificationDepth += 1
        return exchange(&isMoving, with: false)
    }

    mutating func notificationEnded(_ wasMoving: Bool) {
        notificationDepth -= 1
        isMoving = wasMoving
    }
}
