import CollectionElements
import CollectionLayouts

/// Content that moves by itself over time: in an animation, or after a finger let go of it.
///
/// A value: it is told what time it is, and says where the content is by then.
struct ScrollMotion {
    enum Kind { case animation, deceleration }

    /// What an animation is to show, wherever that turns out to be.
    enum Goal {
        /// An item of the content with that version.
        case item(ItemPath, at: ScrollPosition, version: Int)
        /// The beginning of the content.
        case start
    }

    /// How long an animation takes, however far it goes.
    static let animationDuration = Duration.milliseconds(300)

    /// How long a frame lasts: a sixtieth of a second.
    static let frame = Duration.seconds(1) / 60

    let kind: Kind
    var goal: Goal?
    /// Whether it stays within the ends of the content, as it was to do when it began.
    let staysWithin: Bool
    /// Where it comes to rest.
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
        staysWithin: Bool = true
    ) {
        (self.kind, self.start, self.target, self.goal) = (kind, start, target, goal)
        self.staysWithin = staysWithin
        (self.beginning, self.duration) = (beginning, duration)
    }

    func isOver(at time: Duration) -> Bool { time - beginning >= duration }

    /// Where the content is.
    func offset(at time: Duration) -> Point {
        let part = max(0, min(1, (time - beginning) / duration))
        let left = 1 - part
        let progress =
            switch kind {
            // Slowly at first and at last.
            case .animation: part * part * (3 - 2 * part)
            case .deceleration: 1 - left * left * left
            }
        // Of numbers so large that their difference is none this is one too.
        return Point(
            x: start.x * (1 - progress) + target.x * progress,
            y: start.y * (1 - progress) + target.y * progress
        )
    }

    /// All content lies elsewhere by now, as far from where it was as this; what would be no number stays.
    mutating func shift(by distance: Point) {
        func shifted(_ place: Double, _ distance: Double) -> Double {
            let shifted = place + distance
            return shifted.isFinite ? shifted : place
        }
        start = Point(x: shifted(start.x, distance.x), y: shifted(start.y, distance.y))
        target = Point(x: shifted(target.x, distance.x), y: shifted(target.y, distance.y))
    }

    /// Where it leads lies elsewhere.
    mutating func lead(to newTarget: Point) { target = newTarget }
}
