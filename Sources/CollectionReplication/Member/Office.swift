/// What a member is.
enum Office: Sendable {
    /// It follows.
    case none
    /// It follows, and looks for a lease that nobody renews.
    case standing(LeaseWatch?)
    /// It tries to take the lease.
    case claiming(Term, expecting: UInt64?)
    /// It has the lease, and opens its epoch.
    case opening(Term)
    /// Its epoch is open.
    case leading(Term)

    /// A leadership.
    struct Term: Hashable, Sendable {
        let epoch: UInt64
        let writer: UInt64
        /// That of the lease as it was set last; nil while that is not known.
        var revision: UInt64?
        var renewal: UInt64 = 0
        /// When the lease was asked to be set last, by the member's own clock.
        var askedAt = Duration.zero
        /// When that was asked which has set it last; nil before it was set.
        var setAt: Duration?
        /// Since when the broker has no lease, where this one had run out before.
        var goneSince: Duration?
        /// Whether the head says that nobody with an earlier epoch may set it.
        var hasFenced = false
        /// What is asked of the lease.
        var step = LeaseStep.resting

        var lease: LogLease {
            var lease = LogLease(writer: writer, epoch: epoch)
            lease.renewal = renewal
            return lease
        }
    }

    enum LeaseStep: Hashable, Sendable {
        case resting
        case setting
        case reading
        case creating
    }

    /// Since when a lease was not renewed, by the member's own clock.
    struct LeaseWatch: Hashable, Sendable {
        let revision: UInt64?
        let since: Duration
    }

    var term: Term? {
        switch self {
        case .claiming(let term, _), .opening(let term), .leading(let term): term
        case .none, .standing: nil
        }
    }

    var epoch: UInt64? { term?.epoch }
    var writer: UInt64? { term?.writer }
}

extension ChainPosition {
    /// Whether a leadership has sealed it.
    func isOf(_ term: Office.Term) -> Bool { epoch == term.epoch && writer == term.writer }
}
