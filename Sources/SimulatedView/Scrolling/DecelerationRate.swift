import CollectionLayouts

/// How soon content comes to rest that was let go of while it moved.
///
/// It goes on as fast as it was, and ever slower. How far it goes, in units: as many times its velocity, in units a
/// millisecond, as a third of ``duration`` has milliseconds.
///
/// Source: UIScrollView.DecelerationRate.
@nonexhaustive
public enum DecelerationRate: String, Hashable, Sendable, CaseIterable {
    /// In a second and a half.
    case normal
    /// In three tenths of a second.
    case fast

    /// How long it takes, however far it goes.
    public var duration: Duration {
        switch self {
        case .normal: .milliseconds(1500)
        case .fast: .milliseconds(300)
        }
    }

    /// How far content goes that is let go of at a velocity in units a millisecond.
    func way(at velocity: Point) -> Point {
        let time = duration / .milliseconds(3)
        return Point(x: velocity.x * time, y: velocity.y * time)
    }
}
