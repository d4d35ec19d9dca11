import CollectionChanges
import CollectionPublishing

/// The leadership state of a member.
enum LeadershipState: Sendable {
    /// The member follows and does not campaign.
    case none
    /// The member campaigns: it watches for a lease that no member renews.
    case campaigning(LeaseWatch?)
    /// The member is taking the lease.
    case claiming(Term, expecting: UInt64?)
    /// The member has the lease and is opening its epoch.
    case opening(Term)
    /// The member's epoch is open.
    case leading(Term)

    /// A leadership of the member.
    struct Term: Hashable, Sendable {
        let epoch: UInt64
        let writer: UInt64
        /// The revision of the lease that the member set last; `nil` if unknown.
        var revision: UInt64?
        var renewal: UInt64 = 0
        /// The time of the last request to set the lease, by the member's own clock.
        var requestedAt = Duration.zero
        /// The time of the request that set the lease last; `nil` before the lease was set.
        var setAt: Duration?
        /// The time since which the broker has had no lease, if the member's lease had lapsed.
        var goneSince: Duration?
        /// Whether the head contains this epoch, so that no member with an earlier epoch may set
        /// the head.
        var hasFenced = false
        /// The request about the lease, if one is in progress.
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

    /// A lease, and the time since which it was not renewed, by the member's own clock.
    struct LeaseWatch: Hashable, Sendable {
        let revision: UInt64?
        let since: Duration
    }

    var term: Term? {
        switch self {
        case .claiming(let term, _), .opening(let term), .leading(let term): term
        case .none, .campaigning: nil
        }
    }

    var epoch: UInt64? { term?.epoch }
    var writer: UInt64? { term?.writer }
}

extension ChainPosition {
    /// Returns whether a leadership sealed the record at this position.
    func isOf(_ term: LeadershipState.Term) -> Bool { epoch == term.epoch && writer == term.writer }
}

extension Member {
    /// Whether the member has the lease, as far as it knows.
    var holdsLease: Bool {
        switch leadershipState {
        case .opening, .leading: true
        case .none, .campaigning, .claiming: false
        }
    }

    /// Whether another member may have the lease by now, because this member did not renew it
    /// within the lease duration. A broker that has forgotten the lease accepts any value, so a
    /// member that may have been replaced changes nothing in the log before it has renewed the
    /// lease.
    var hasLapsed: Bool {
        guard let setAt = leadershipState.term?.setAt else { return true }
        return now - setAt >= configuration.leaseDuration
    }

    private mutating func askLease(_ request: LogRequest) {
        leaseTicket = ask(.leasing, request)
    }

    mutating func waitForLease(_ delay: Duration) { leaseTicket = wait(.leasing, delay) }

    // MARK: - Campaigning

    mutating func campaign() {
        wantsLeadership = true
        guard case .none = leadershipState else { return }
        leadershipState = .campaigning(nil)
        askLease(.register(.lease))
    }

    mutating func leaseElapsed() {
        switch leadershipState {
        case .none: break
        case .campaigning: askLease(.register(.lease))
        case .claiming(let term, let revision): claim(term, expecting: revision)
        case .opening(let term), .leading(let term): renew(term)
        }
    }

    mutating func leaseAnswered(_ answer: LogAnswer) {
        switch leadershipState {
        case .none: break
        case .campaigning(let watch): watchAnswered(watch, answer)
        case .claiming(let term, let revision): claimAnswered(term, revision, answer)
        case .opening(let term), .leading(let term): renewalAnswered(term, answer)
        }
    }

    private mutating func watchAnswered(_ watch: LeadershipState.LeaseWatch?, _ answer: LogAnswer) {
        let pause = min(configuration.leaseDuration, configuration.answerTimeout) / 4
        let value: LogRegisterValue?
        switch answer {
        case .register(let found): value = found
        case .failed(let error) where error.code == .missing: value = nil
        default:
            // The revision shows later whether the lease was renewed in the meantime.
            return waitForLease(pause)
        }
        var seen = LeadershipState.LeaseWatch(revision: value?.revision, since: now)
        if let watch, watch.revision == seen.revision { seen = watch }
        leadershipState = .campaigning(seen)
        let lease = lease(in: value)
        see(lease?.epoch ?? 0)
        let isFree = lease?.writer == 0
        if value != nil { hasSeenLease = true }
        // If no lease was ever seen, a member without records waits longer, so that members with
        // records, for example in their journals, start first. A lease that has disappeared may
        // still be in use.
        let start = min(configuration.leaseDuration, configuration.answerTimeout)
        let patience =
            hasSeenLease ? configuration.leaseDuration : chain == nil ? start : start / 2
        let isExpired = now - seen.since >= patience
        guard isFree || isExpired, isEligible, greatestEpoch < .max else {
            return waitForLease(pause)
        }
        let term = LeadershipState.Term(
            epoch: greatestEpoch + 1,
            writer: .random(in: 1 ... .max, using: &random),
            revision: nil
        )
        claim(term, expecting: value?.revision)
    }

    /// Whether the member could continue the log from its end.
    private var isEligible: Bool {
        isFollowing && isCurrent || aheadSince != nil || isOrphaned || isStuck
    }

    /// Whether the existing records and snapshots have been unusable for so long that no member
    /// will repair them.
    var isStuck: Bool { stuckSince.map { now - $0 >= configuration.rollbackGracePeriod } ?? false }

    private mutating func claim(_ term: LeadershipState.Term, expecting revision: UInt64?) {
        var term = term
        term.requestedAt = now
        leadershipState = .claiming(term, expecting: revision)
        askLease(.set(term.lease.encoded(key: configuration.key), .lease, expecting: revision))
    }

    /// Claims a later epoch with the lease that the member already has.
    mutating func claimLaterEpoch(_ term: LeadershipState.Term) {
        dropPending()
        publication = nil
        guard greatestEpoch < .max else { return leave(.fenced) }
        let writer = UInt64.random(in: 1 ... .max, using: &random)
        claim(
            LeadershipState.Term(epoch: greatestEpoch + 1, writer: writer, revision: nil),
            expecting: term.revision
        )
    }

    private mutating func claimAnswered(
        _ term: LeadershipState.Term,
        _ revision: UInt64?,
        _ answer: LogAnswer
    ) {
        switch answer {
        case .revision(let revision):
            see(term.epoch)
            hasSeenLease = true
            leadershipState = .opening(term)
            leaseWasSet(term, revision)
            restartLogIfNeeded()
            openIfNeeded()
        case .failed(let error) where error.code == .missing:
            askLease(.create)
        case .done:
            claim(term, expecting: revision)
        default:
            // The next read shows which member has the lease; it may be this one.
            leadershipState = .campaigning(nil)
            waitForLease(configuration.leaseDuration / 4)
        }
    }

    // MARK: - Renewing

    private mutating func setTerm(_ term: LeadershipState.Term) {
        switch leadershipState {
        case .opening: leadershipState = .opening(term)
        case .leading: leadershipState = .leading(term)
        case .none, .campaigning, .claiming: break
        }
    }

    private mutating func renew(_ term: LeadershipState.Term) {
        var term = term
        term.renewal += 1
        term.requestedAt = now
        term.step = .setting
        setTerm(term)
        askLease(.set(term.lease.encoded(key: configuration.key), .lease, expecting: term.revision))
    }

    private mutating func renewalAnswered(_ term: LeadershipState.Term, _ answer: LogAnswer) {
        var term = term
        switch (term.step, answer) {
        case (_, .revision(let revision)):
            leaseWasSet(term, revision)
            checkForRequests()
            monitorHead()
            append()
        case (.setting, .failed(let error)) where error.code == .missing:
            if waitsForNewHolder(&term) { return rest(term, configuration.retryInterval) }
            term.step = .creating
            setTerm(term)
            askLease(.create)
        case (.setting, .failed):
            // The next read shows whether the lease was set, and by which member.
            term.step = .reading
            setTerm(term)
            askLease(.register(.lease))
        case (.creating, .done):
            term.revision = nil
            renew(term)
        case (.reading, .register(let value)):
            if let lease = lease(in: value), lease.writer != term.writer {
                see(lease.epoch)
                return leave(.leaseLost)
            }
            if value != nil || !waitsForNewHolder(&term) { term.revision = value?.revision }
            rest(term, configuration.retryInterval)
        default:
            rest(term, configuration.retryInterval)
        }
    }

    private mutating func leaseWasSet(_ term: LeadershipState.Term, _ revision: UInt64) {
        var term = term
        (term.revision, term.setAt, term.goneSince) = (revision, term.requestedAt, nil)
        rest(term, max(.zero, configuration.leaseDuration / 3 - (now - term.requestedAt)))
    }

    /// Returns whether the member waits before it sets a lease that the broker has forgotten,
    /// because the lease had lapsed. A member that has taken the lease since then sets it again at
    /// its next renewal, and campaigning members wait longer.
    private func waitsForNewHolder(_ term: inout LeadershipState.Term) -> Bool {
        guard hasLapsed else { return false }
        let since = term.goneSince ?? now
        term.goneSince = since
        return now - since < configuration.leaseDuration / 2
    }

    private mutating func rest(_ term: LeadershipState.Term, _ delay: Duration) {
        var term = term
        term.step = .resting
        setTerm(term)
        waitForLease(delay)
    }
}
