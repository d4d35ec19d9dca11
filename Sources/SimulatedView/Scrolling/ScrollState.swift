import CollectionLayouts

/// What moves the content: a finger, the content itself, or nothing.
///
/// A value: it is told what happened and returns what is to be done. The view's main lane owns it.
///
/// | state | ends when | and becomes |
/// |---|---|---|
/// | `resting` | a finger drags | `dragging` |
/// | | an animation begins | `moving` |
/// | `dragging` | the finger has let go | `resting`, or `moving` where the content goes on |
/// | `moving` | it has arrived | `resting` |
/// | | a finger drags | `dragging` |
/// | | something else moves the content | `yielding` |
/// | `yielding` | whoever was told that it stopped has answered | `resting` |
/// | | a finger drags, in answer | `dragging` |
///
/// Whoever is told of one of these may answer with another, which is told first; so a finger is said to drag
/// once, lets go once, and where content yields nothing begins to move in answer.
struct ScrollState {
    private enum State {
        case resting
        case dragging(Drag)
        case moving(ScrollMotion)
        case yielding
    }

    private enum Drag { case untold, told, lettingGo }

    private var state = State.resting
    /// How soon content comes to rest that a finger let go of.
    var rate = DecelerationRate.normal
    /// How often something else took over the content, so that a frame of an earlier motion moves nothing.
    private(set) var number = 0
    /// How many tellings of the delegate are under way, each within the one before.
    private var tellings = 0

    var isDragging: Bool {
        if case .dragging = state { true } else { false }
    }

    /// Whether the content may begin to move by itself.
    var mayMove: Bool {
        if case .resting = state { true } else { false }
    }

    /// Whether this motion is the one that is under way.
    func isMoving(_ number: Int) -> Bool { motion != nil && self.number == number }

    /// What moves by itself.
    var motion: ScrollMotion? {
        get { if case .moving(let motion) = state { motion } else { nil } }
        set {
            guard case .moving = state else { return }
            state = newValue.map { .moving($0) } ?? .resting
        }
    }

    // MARK: A finger

    /// A finger drags, where none did.
    ///
    /// - Returns: what moved by itself, and does not any more.
    mutating func dragBegan() -> ScrollMotion? {
        number += 1
        defer { state = .dragging(.untold) }
        return motion
    }

    /// It is to be told that a finger drags.
    ///
    /// - Returns: whether it is, and nobody was told.
    mutating func dragIsToBeTold() -> Bool {
        guard case .dragging(.untold) = state else { return false }
        state = .dragging(.told)
        return true
    }

    /// The finger is about to let go.
    ///
    /// - Returns: whether one drags, and is not about to already.
    mutating func dragEnds() -> Bool {
        guard case .dragging(.told) = state else { return false }
        state = .dragging(.lettingGo)
        return true
    }

    /// The finger has let go.
    mutating func dragEnded() {
        if isDragging { state = .resting }
    }

    // MARK: The content itself

    /// The content, which rests, begins to move.
    ///
    /// - Returns: the number that the motion's frames go by.
    mutating func began(_ motion: ScrollMotion) -> Int {
        state = .moving(motion)
        return number
    }

    /// The content has arrived, or something else moves it now.
    ///
    /// - Parameter yields: whether nothing may move it in answer, until ``yielded()``.
    /// - Returns: what moved and does not any more; nil where nothing moved by itself.
    mutating func stopped(yields: Bool) -> ScrollMotion? {
        number += 1
        guard let motion else { return nil }
        state = yields ? .yielding : .resting
        return motion
    }

    /// Whoever was told that the content stopped has answered.
    mutating func yielded() {
        if case .yielding = state { state = .resting }
    }

    // MARK: Tellings

    /// Whether the delegate has answered scrolling with scrolling so often that it would never end.
    var isTooDeep: Bool { tellings >= SimulatedCollectionView.roundLimit }

    mutating func tellingBegan() { tellings += 1 }

    mutating func tellingEnded() { tellings -= 1 }
}

/// What a node in the viewport is told of the scrolling around it.
///
/// Source: the visibility events of Texture's cell node.
@nonexhaustive
public enum ScrollingEvent: String, Hashable, Sendable, CaseIterable {
    /// A finger begins to drag the content.
    case willBeginDragging
    /// The finger has let go.
    case didEndDragging
    /// The content has come to rest: after a finger let go of it, or at the end of an animation.
    case didStop
}
