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

        var lease: LogLease { LogLease(writer: writer, epoch: epoch, renewal: renewal) }
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

    /// The term that the member claims or has claimed. It can be set while the member has the lease.
    var term: Term? {
        get {
            switch self {
            case .claiming(let term, _), .opening(let term), .leading(let term): term
            case .none, .campaigning: nil
            }
        }
        set {
            switch (self, newValue) {
            case (.opening, let term?): self = .opening(term)
            case (.leading, let term?): self = .leading(term)
            default: break
            }
        }
    }

    var epoch: UInt64? { term?.epoch }
}

/// The member's leadership, and the epochs and leases that it has seen. The member claims only
/// epochs that are later than every epoch that it has seen.
struct Leadership {
    fileprivate(set) var state = LeadershipState.none
    /// Whether the member has ever seen a lease.
    fileprivate var hasSeenLease = false
    /// The greatest epoch that was seen anywhere.
    private(set) var greatestEpoch: UInt64 = 0
    /// The last record that the member sealed to open an epoch.
    var opening: PendingRecord?

    /// Records an epoch that was seen anywhere.
    mutating func see(_ epoch: UInt64) { greatestEpoch = max(greatestEpoch, epoch) }
    /// Records that the head contains the member's epoch.
    mutating func fenced() { state.term?.hasFenced = true }
    /// Records that the member's epoch is open.
    mutating func began(_ term: LeadershipState.Term) { state = .leading(term) }
}

extension ChainPosition {
    /// Returns whether a leadership sealed the record at this position.
    func isOf(_ term: LeadershipState.Term) -> Bool { epoch == term.epoch && writer == term.writer }
}

extension Member {
    /// Whether the member has the lease, as far as it knows.
    var holdsLease: Bool {
        switch leadership.state {
        case .opening, .leading: true
        case .none, .campaigning, .claiming: false
        }
    }

    var isLeading: Bool { if case .leading = leadership.state { true } else { false } }

    /// Whether another member may have the lease by now, because this member did not renew it
    /// within the lease duration. A broker that has forgotten the lease accepts any value, so a
    /// member that may have been replaced changes nothing in the log before it has renewed the
    /// lease.
    var hasLapsed: Bool {
        guard let setAt = leadership.state.term?.setAt else { return true }
        return now - setAt >= configuration.leaseDuration
    }

    private mutating func setLease(_ lease: LogLease, expecting revision: UInt64?) {
        let bytes = lease.encoded(key: configuration.key)
        effects.ask(.leasing, .set(bytes, .lease, expecting: revision))
    }

    // MARK: - Campaigning

    mutating func campaign() {
        guard case .none = leadership.state else { return }
        leadership.state = .campaigning(nil)
        effects.ask(.leasing, .register(.lease))
    }

    mutating func leaseElapsed() {
        switch leadership.state {
        case .none: break
        case .campaigning: effects.ask(.leasing, .register(.lease))
        case .claiming(let term, let revision): claim(term, expecting: revision)
        case .opening, .leading: renew()
        }
    }

    mutating func leaseAnswered(_ answer: LogAnswer) {
        switch leadership.state {
        case .none: break
        case .campaigning(let watch): watchAnswered(watch, answer)
        case .claiming: claimAnswered(answer)
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
            return effects.wait(.leasing, pause)
        }
        var seen = LeadershipState.LeaseWatch(revision: value?.revision, since: now)
        if let watch, watch.revision == seen.revision { seen = watch }
        leadership.state = .campaigning(seen)
        if value != nil { leadership.hasSeenLease = true }
        let lease = lease(in: value)
        leadership.see(lease?.epoch ?? 0)
        let isFree = lease?.writer == 0
        // If no lease has ever been seen, a member without records waits longer, so that members
        // with records, for example in their journals, start first. A lease that has disappeared
        // may still be in use.
        let start = min(configuration.leaseDuration, configuration.answerTimeout)
        let patience =
            leadership.hasSeenLease
            ? configuration.leaseDuration : chain == nil ? start : start / 2
        let isExpired = now - seen.since >= patience
        guard isFree || isExpired, isEligible, leadership.greatestEpoch < .max else {
            return effects.wait(.leasing, pause)
        }
        claimNextEpoch(expecting: value?.revision)
    }

    /// Whether the member could continue the log from its end.
    private var isEligible: Bool { cursor.isFollowing && cursor.isCurrent || requiresRestart }

    private mutating func claimNextEpoch(expecting revision: UInt64?) {
        let writer = UInt64.random(in: 1 ... .max, using: &random)
        let term = LeadershipState.Term(epoch: leadership.greatestEpoch + 1, writer: writer)
        claim(term, expecting: revision)
    }

    private mutating func claim(_ term: LeadershipState.Term, expecting revision: UInt64?) {
        var term = term
        term.requestedAt = now
        leadership.state = .claiming(term, expecting: revision)
        setLease(term.lease, expecting: revision)
    }

    /// Claims a later epoch with the lease that the member already has.
    mutating func claimLaterEpoch(_ term: LeadershipState.Term) {
        pending.removeAll()
        publication = nil
        guard leadership.greatestEpoch < .max else { return leave(.fenced) }
        claimNextEpoch(expecting: term.revision)
    }

    private mutating func claimAnswered(_ answer: LogAnswer) {
        guard case .claiming(let term, let revision) = leadership.state else { return }
        switch answer {
        case .revision(let revision):
            leadership.see(term.epoch)
            leadership.hasSeenLease = true
            leadership.state = .opening(term)
            leaseWasSet(revision)
            restartLogIfNeeded()
            openIfNeeded()
        case .failed(let error) where error.code == .missing: effects.ask(.leasing, .create)
        case .done: claim(term, expecting: revision)
        default:
            // The next read shows which member has the lease; it may be this one.
            leadership.state = .campaigning(nil)
            effects.wait(.leasing, configuration.leaseDuration / 4)
        }
    }

    // MARK: - Renewing

    private mutating func renew() {
        guard var term = leadership.state.term else { return }
        (term.renewal, term.requestedAt, term.step) = (term.renewal + 1, now, .setting)
        leadership.state.term = term
        setLease(term.lease, expecting: term.revision)
    }

    private mutating func renewalAnswered(_ term: LeadershipState.Term, _ answer: LogAnswer) {
        switch (term.step, answer) {
        case (_, .revision(let revision)):
            leaseWasSet(revision)
            if isLeading {
                effects.ask(.helping, .register(.request))
                // No record of the log reveals a change of the head.
                fence()
            }
            append()
        case (.setting, .failed(let error)) where error.code == .missing:
            if waitsForNewHolder() { return rest(configuration.retryInterval) }
            leadership.state.term?.step = .creating
            effects.ask(.leasing, .create)
        case (.setting, .failed):
            // The next read shows whether the lease was set, and by which member.
            leadership.state.term?.step = .reading
            effects.ask(.leasing, .register(.lease))
        case (.creating, .done):
            leadership.state.term?.revision = nil
            renew()
        case (.reading, .register(let value)):
            if let lease = lease(in: value), lease.writer != term.writer {
                leadership.see(lease.epoch)
                return leave(.leaseLost)
            }
            if value != nil || !waitsForNewHolder() {
                leadership.state.term?.revision = value?.revision
            }
            rest(configuration.retryInterval)
        default: rest(configuration.retryInterval)
        }
    }

    private mutating func leaseWasSet(_ revision: UInt64) {
        guard var term = leadership.state.term else { return }
        (term.revision, term.setAt, term.goneSince) = (revision, term.requestedAt, nil)
        leadership.state.term = term
        rest(max(.zero, configuration.leaseDuration / 3 - (now - term.requestedAt)))
    }

    /// Returns whether the member waits before it sets a lease that the broker has forgotten,
    /// because the lease had lapsed. A member that has taken the lease since then sets it again at
    /// its next renewal, and campaigning members wait longer.
    private mutating func waitsForNewHolder() -> Bool {
        guard hasLapsed else { return false }
        let since = leadership.state.term?.goneSince ?? now
        leadership.state.term?.goneSince = since
        return now - since < configuration.leaseDuration / 2
    }

    private mutating func rest(_ delay: Duration) {
        leadership.state.term?.step = .resting
        effects.wait(.leasing, delay)
    }

    // MARK: - Resigning

    /// Resigns at the application's request. The member also releases the lease, so that other
    /// members need not wait for it to expire.
    mutating func stepDown() {
        let term = leadership.state.term
        stop(.requested)
        guard let term, let revision = term.revision else { return }
        let lease = LogLease(writer: 0, epoch: term.epoch, renewal: term.renewal + 1)
        setLease(lease, expecting: revision)
    }

    /// Stops leading, or trying to lead, and does not campaign.
    mutating func stop(_ reason: ResignationReason) {
        if holdsLease { leave(reason) }
        leadership.state = .none
    }

    /// Stops leading, or trying to lead. The member campaigns again if the reason is another member
    /// or the broker.
    mutating func leave(_ reason: ResignationReason) {
        let wasLeading = isLeading
        // The member would have continued from the snapshot, which it no longer publishes.
        if publication?.isJump == true { cursor.stopFollowing() }
        // The member keeps the state that its readers saw until the log continues from another one.
        if reason != .fenced, wasLeading, let last = shownPending() {
            history.advance(to: last.chain)
            cursor.stopFollowing()
        }
        pending.removeAll()
        visibility.reset()
        publication = nil
        let campaigns = [.fenced, .leaseLost, .overwritten].contains(reason)
        leadership.state = campaigns ? .campaigning(nil) : .none
        if campaigns { effects.wait(.leasing, configuration.leaseDuration / 4) }
        if wasLeading {
            effects.notify(.resigned(reason))
            effects.append(.ended(reason))
        }
        // The lease revealed the loss of leadership, so the member must still find its place in the
        // log.
        if !cursor.isFollowing, case .following = reading.phase {
            recover(wasLeading ? nil : .unverifiedPosition)
        }
    }

    /// Returns the last pending record that readers saw.
    private func shownPending() -> PendingRecord? {
        guard configuration.visibility != .afterBroker else { return nil }
        return (0..<pending.records.count).reversed().lazy.map { pending.records[$0] }
            .first { $0.chain.position == visibility.shown }
    }
}
