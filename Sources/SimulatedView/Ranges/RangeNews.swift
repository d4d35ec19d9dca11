import CollectionElements
import CollectionLayouts
import CollectionPipeline

/// What is yet to be told of ranges, the oldest first.
///
/// A value: it is told what happened and says what is to be told next. The view's main lane owns it. What is told may
/// be answered by what has more to be told, and that again: nothing is told within another telling, and from so much on
/// the rest comes in later turns, so that nothing holds up the lane.
///
/// | state | ends when | and becomes |
/// |---|---|---|
/// | `idle` | there is something to tell | `telling` |
/// | `telling` | nothing is left | `idle` |
/// | | so much was told that a turn is to go on with it | `putOff` |
/// | `putOff` | the turn comes | `telling` |
struct RangeNews {
    enum Item {
        case mode(RangeMode, from: RangeMode)
        case change(RangeMembers.Change)
        /// Its node is to be released, once it has heard what comes before.
        case left(CollectionElement)
        case scrolling(ScrollingEvent, any ViewportNode, LayoutPlace)
    }

    enum Next {
        case tell(Item)
        /// A turn is to go on.
        case later
        case nothing
    }

    private enum State {
        case idle
        case telling(left: Int)
        case putOff
    }

    /// How much is told in a turn at most beside what there was to tell: far more than nodes answer with that come to
    /// an end, and little enough for a turn.
    static let answerLimit = 128

    private var untold = FIFO<Item>()
    private var state = State.idle

    mutating func add(_ item: Item) { untold.append(item) }

    /// There may be something to tell.
    ///
    /// - Parameter isPutOff: whether this is the turn that was asked for.
    /// - Returns: whether to tell it: ask for the ``next(mayPutOff:)`` until there is none.
    mutating func tellingBegan(isPutOff: Bool) -> Bool {
        switch state {
        case .idle: state = .telling(left: untold.count + Self.answerLimit)
        case .putOff where isPutOff: state = .telling(left: Self.answerLimit)
        // Whoever tells, or is to go on, comes to it.
        case .telling, .putOff: return false
        }
        return true
    }

    /// - Parameter mayPutOff: whether there is a turn to go on in.
    mutating func next(mayPutOff: Bool) -> Next {
        guard case .telling(let left) = state, let item = untold.first else {
            state = .idle
            return .nothing
        }
        if left == 0, mayPutOff {
            state = .putOff
            return .later
        }
        state = .telling(left: max(0, left - 1))
        _ = untold.popFirst()
        return .tell(item)
    }
}
