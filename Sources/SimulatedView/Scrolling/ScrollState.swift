import CollectionLayouts

/// What moves the content: a finger, the content itself, or nothing.
///
/// A value: it is told what happened and returns what is to be done. The view's main lane owns it.
///
/// | state | ends when | and becomes |
/// |---|---|---|
/// | `resting` | a finger drags | `dragging` |
/// | | an animation begins | `moving` |
/// | `dragging` | the finger lets go | `resting`, or `moving` where the content goes on |
/// | `moving` | it has arrived, or something else moves the content | `resting` |
struct ScrollState {
    private enum State {
        case resting
        case dragging
        case moving(ScrollMotion)
    }

    private var state = State.resting
    /// How soon content comes to rest that a finger let go of.
    var rate = DecelerationRate.normal
    /// How often something else took over the content, so that a frame of an earlier motion moves nothing.
    private(set) var number = 0

    var isDragging: Bool {
        if case .dragging = state { true } else { false }
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

    /// - Returns: whether no finger was dragging already.
    mutating func dragBegan() -> Bool {
        if isDragging { return false }
        state = .dragging
        return true
    }

    /// - Returns: whether a finger was dragging until now.
    mutating func dragEnded() -> Bool {
        guard isDragging else { return false }
        state = .resting
        return true
    }

    /// - Returns: the number that the motion's frames go by.
    mutating func began(_ motion: ScrollMotion) -> Int {
        state = .moving(motion)
        number += 1
        return number
    }

    /// Something else moves the content now.
    ///
    /// - Returns: what moved and does not any more; nil where nothing moved by itself.
    mutating func stopped() -> ScrollMotion? {
        number += 1
        guard let motion else { return nil }
        state = .resting
        return motion
    }
}
