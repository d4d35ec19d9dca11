import CollectionLayouts

/// The state machine of the cause of content movement: a finger, a motion, or none.
///
/// A value that receives events and returns decisions. The view's main lane owns it.
///
/// | state | ends when | next state |
/// |---|---|---|
/// | `resting` | a drag begins | `dragging` |
/// | | an animation begins | `moving` |
/// | `dragging` | the finger has lifted | `resting`, or `moving` if the content continues to move |
/// | `moving` | the motion has reached its target | `resting` |
/// | | a drag begins | `dragging` |
/// | | something else moves the content | `yielding` |
/// | `yielding` | the delegate's notification of the stop has returned | `resting` |
/// | | the delegate begins a drag in response | `dragging` |
///
/// A delegate may respond to one of these notifications by causing another, which is then delivered
/// first. A drag therefore begins once and ends once for the delegate, and no motion begins in
/// state `yielding`.
struct ScrollState {
    private enum State {
        case resting
        case dragging(Drag)
        case moving(ScrollMotion)
        case yielding
    }

    private enum Drag { case unannounced, announced, ending }

    private var state = State.resting
    /// The rate at which content slows down after a finger lifted.
    var rate = DecelerationRate.normal
    /// The number of times that a drag began or a motion ended, so that a frame of an earlier
    /// motion has no effect.
    private(set) var number = 0
    /// The depth of nested notifications of the delegate.
    private var notificationDepth = 0

    var isDragging: Bool {
        if case .dragging = state { true } else { false }
    }

    /// Whether a motion may begin.
    var mayMove: Bool {
        if case .resting = state { true } else { false }
    }

    /// Returns whether the motion with this number is in progress.
    func isMoving(_ number: Int) -> Bool { motion != nil && self.number == number }

    /// The motion in progress.
    var motion: ScrollMotion? {
        get { if case .moving(let motion) = state { motion } else { nil } }
        set {
            guard case .moving = state else { return }
            state = newValue.map { .moving($0) } ?? .resting
        }
    }

    // MARK: Dragging

    /// Records that a drag begins; none may be in progress.
    ///
    /// - Returns: The motion that the drag stopped, if any.
    mutating func dragBegan() -> ScrollMotion? {
        number += 1
        defer { state = .dragging(.unannounced) }
        return motion
    }

    /// Records that the delegate is about to be notified of the drag.
    ///
    /// - Returns: Whether to notify it; `false` if it was already notified, or no drag is in
    ///   progress.
    mutating func dragNotificationBegan() -> Bool {
        guard case .dragging(.unannounced) = state else { return false }
        state = .dragging(.announced)
        return true
    }

    /// Records that the finger is about to lift.
    ///
    /// - Returns: Whether a drag is in progress that is not ending already.
    mutating func dragEnds() -> Bool {
        guard case .dragging(.announced) = state else { return false }
        state = .dragging(.ending)
        return true
    }

    /// Records that the finger has lifted.
    mutating func dragEnded() {
        if isDragging { state = .resting }
    }

    // MARK: Motions

    /// Records that a motion begins; the content must be at rest.
    ///
    /// - Returns: The number of the motion, by which its frames are recognized.
    mutating func began(_ motion: ScrollMotion) -> Int {
        state = .moving(motion)
        return number
    }

    /// Records that the motion has reached its target, or that something else moves the content
    /// now.
    ///
    /// - Parameter yields: Whether no motion may begin in response, until ``yielded()``.
    /// - Returns: The motion that ended; `nil` if there was none.
    mutating func stopped(yields: Bool) -> ScrollMotion? {
        number += 1
        guard let motion else { return nil }
        state = yields ? .yielding : .resting
        return motion
    }

    /// Records that the delegate's notification of the stop has returned.
    mutating func yielded() {
        if case .yielding = state { state = .resting }
    }

    // MARK: Notifications

    /// Whether the delegate has responded to scrolling too many levels deep.
    var isTooDeep: Bool { notificationDepth >= SimulatedCollectionView.roundLimit }

    mutating func notificationBegan() { notificationDepth += 1 }

    mutating func notificationEnded() { notificationDepth -= 1 }
}

/// The movement of content by itself over time: in an animation, or after a finger lifted.
///
/// A value that returns the offset for a time.
struct ScrollMotion {
    enum Kind { case animation, deceleration }

    /// The goal of an animation, whose offset may change on the way.
    enum Goal {
        /// An item of the content with this version.
        case item(ItemPath, at: ScrollPosition, version: Int)
        /// The beginning of the content.
        case start
    }

    /// The duration of every animation, whatever its distance.
    static let animationDuration = Duration.milliseconds(300)

    /// The duration of a frame: a sixtieth of a second.
    static let frame = Duration.seconds(1) / 60

    let kind: Kind
    var goal: Goal?
    /// Whether the motion stays within the ends of the content; `true` if its first target was
    /// within them.
    let staysWithin: Bool
    /// The offset at which the content comes to rest.
    private(set) var target: Point
    private var start: Point
    private let beginning: Duration
    private let duration: Duration

    init(
        _ kind: Kind,
        from start: Point,
        to target: Point,
        at beginning: Duration,
        lasting duration: Duration,
        goal: Goal? = nil,
        staysWithin: Bool
    ) {
        (self.kind, self.start, self.target, self.goal) = (kind, start, target, goal)
        self.staysWithin = staysWithin
        (self.beginning, self.duration) = (beginning, duration)
    }

    func isOver(at time: Duration) -> Bool { time - beginning >= duration }

    /// Returns the content offset at a time.
    func offset(at time: Duration) -> Point {
        let part = max(0, min(1, (time - beginning) / duration))
        let left = 1 - part
        let progress =
            switch kind {
            // Slow at the beginning and at the end.
            case .animation: part * part * (3 - 2 * part)
            case .deceleration: 1 - left * left * left
            }
        // Interpolates without a difference, which could overflow for very large numbers.
        return Point(
            x: start.x * (1 - progress) + target.x * progress,
            y: start.y * (1 - progress) + target.y * progress
        )
    }

    /// Moves the start and the target by the distance that the whole content moved. A coordinate
    /// that would not be finite does not change.
    mutating func shift(by distance: Point) {
        func shifted(_ place: Double, _ distance: Double) -> Double {
            let shifted = place + distance
            return shifted.isFinite ? shifted : place
        }
        start = Point(x: shifted(start.x, distance.x), y: shifted(start.y, distance.y))
        target = Point(x: shifted(target.x, distance.x), y: shifted(target.y, distance.y))
    }

    /// Changes the target.
    mutating func lead(to newTarget: Point) { target = newTarget }
}

/// The rate at which moving content slows down after a finger lifted.
///
/// The content starts with the velocity of the finger and slows down continuously. It moves by the
/// velocity, in units per millisecond, times a third of ``duration`` in milliseconds.
///
/// Source: UIScrollView.DecelerationRate.
@nonexhaustive
public enum DecelerationRate: String, Hashable, Sendable, CaseIterable {
    /// Comes to rest in 1.5 seconds.
    case normal
    /// Comes to rest in 0.3 seconds.
    case fast

    /// The duration until the content is at rest, whatever the distance.
    public var duration: Duration {
        switch self {
        case .normal: .milliseconds(1500)
        case .fast: .milliseconds(300)
        }
    }

    /// Returns the distance that content moves after a finger lifted, for a velocity in units per
    /// millisecond.
    func way(at velocity: Point) -> Point {
        let time = duration / .milliseconds(3)
        return Point(x: velocity.x * time, y: velocity.y * time)
    }
}
