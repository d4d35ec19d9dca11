import CollectionChanges
import CollectionPublishing

extension Member {
    /// Whether it has the lease, as far as it knows.
    var holdsLease: Bool {
        switch office {
        case .opening, .leading: true
        case .none, .standing, .claiming: false
        }
    }

    /// Whether another may have the lease by now: this one was not renewed for as long as others wait for that. A broker
    /// that has forgotten who leads takes what it is given, so who may have been replaced changes nothing in the log before
    /// it has renewed.
    var hasLapsed: Bool {
        guard let setAt = office.term?.setAt else { return true }
        return now - setAt >= configuration.leaseDuration
    }

    private mutating func askLease(_ request: LogRequest) {
        leaseTicket = ask(.leasing, request)
    }

    mutating func waitForLease(_ delay: Duration) { leaseTicket = wait(.leasing, delay) }

    // MARK: Standing

    mutating func stand() {
        wantsOffice = true
        guard case .none = office else { return }
        office = .standing(nil)
        askLease(.register(.lease))
    }

    /// Asked to: gives up the lease too, so that another need not wait for it to run out.
    mutating func stepDown() {
        wantsOffice = false
        let term = office.term
        if holdsLease { leave(.asked) }
        office = .none
        leaseTicket = nil
        if let term, let revision = term.revision {
            var lease = LogLease(writer: 0, epoch: term.epoch)
            lease.renewal = term.renewal + 1
            let bytes = lease.encoded(key: configuration.key)
            ask(.leasing, .set(bytes, .lease, expecting: revision))
        }
    }

    mutating func leaseElapsed() {
        switch office {
        case .none: break
        case .standing: askLease(.register(.lease))
        case .claiming(let term, let revision): claim(term, expecting: revision)
        case .opening(let term), .leading(let term): renew(term)
        }
    }

    mutating func leaseAnswered(_ answer: LogAnswer) {
        switch office {
        case .none: break
        case .standing(let watch): watchAnswered(watch, answer)
        case .claiming(let term, let revision): claimAnswered(term, revision, answer)
        case .opening(let term), .leading(let term): renewalAnswered(term, answer)
        }
    }

    private mutating func watchAnswered(_ watch: Office.LeaseWatch?, _ answer: LogAnswer) {
        let pause = min(configuration.leaseDuration, configuration.answerTimeout) / 4
        let value: LogRegisterValue?
        switch answer {
        case .register(let found): value = found
        case .failed(let error) where error.code == .missing: value = nil
        default:
            // Whether it was renewed meanwhile, its revision tells.
            return waitForLease(pause)
        }
        var seen = Office.LeaseWatch(revision: value?.revision, since: now)
        if let watch, watch.revision == seen.revision { seen = watch }
        office = .standing(seen)
        let lease = lease(in: value)
        see(lease?.epoch ?? 0)
        let isFree = lease?.writer == 0
        if value != nil { hasSeenLease = true }
        // Where there never was one, who has nothing lets those begin who have something, such as in their journals. One
        // that is gone may still be somebody's.
        let start = min(configuration.leaseDuration, configuration.answerTimeout)
        let patience =
            hasSeenLease ? configuration.leaseDuration : chain == nil ? start : start / 2
        let isExpired = now - seen.since >= patience
        guard isFree || isExpired, isEligible, greatestEpoch < .max else {
            return waitForLease(pause)
        }
        let term = Office.Term(
            epoch: greatestEpoch + 1,
            writer: .random(in: 1 ... .max, using: &random),
            revision: nil
        )
        claim(term, expecting: value?.revision)
    }

    /// Whether it could go on where the log ends.
    private var isEligible: Bool {
        isFollowing && isCurrent || aheadSince != nil || isOrphaned || isStuck
    }

    /// Whether what there is has led nowhere for so long that nobody will mend it.
    var isStuck: Bool { stuckSince.map { now - $0 >= configuration.rollbackPatience } ?? false }

    private mutating func claim(_ term: Office.Term, expecting revision: UInt64?) {
        var term = term
        term.askedAt = now
        office = .claiming(term, expecting: revision)
        askLease(.set(term.lease.encoded(key: configuration.key), .lease, expecting: revision))
    }

    /// Takes the lease that it has for another epoch.
    mutating func claimLaterEpoch(_ term: Office.Term) {
        dropPending()
        anchoring = nil
        guard greatestEpoch < .max else { return leave(.fenced) }
        let writer = UInt64.random(in: 1 ... .max, using: &random)
        claim(
            Office.Term(epoch: greatestEpoch + 1, writer: writer, revision: nil),
            expecting: term.revision
        )
    }

    private mutating func claimAnswered(
        _ term: Office.Term,
        _ revision: UInt64?,
        _ answer: LogAnswer
    ) {
        switch answer {
        case .revision(let revision):
            see(term.epoch)
            hasSeenLease = true
            office = .opening(term)
            leaseWasSet(term, revision)
            anchorIfNeeded()
            openIfNeeded()
        case .failed(let error) where error.code == .missing:
            askLease(.create)
        case .done:
            claim(term, expecting: revision)
        default:
            // Whoever has it now is found out; it may be this one.
            office = .standing(nil)
            waitForLease(configuration.leaseDuration / 4)
        }
    }

    // MARK: Renewing

    private mutating func setTerm(_ term: Office.Term) {
        switch office {
        case .opening: office = .opening(term)
        case .leading: office = .leading(term)
        case .none, .standing, .claiming: break
        }
    }

    private mutating func renew(_ term: Office.Term) {
        var term = term
        term.renewal += 1
        term.askedAt = now
        term.step = .setting
        setTerm(term)
        askLease(.set(term.lease.encoded(key: configuration.key), .lease, expecting: term.revision))
    }

    private mutating func renewalAnswered(_ term: Office.Term, _ answer: LogAnswer) {
        var term = term
        switch (term.step, answer) {
        case (_, .revision(let revision)):
            leaseWasSet(term, revision)
            lookForRequests()
            lookAtHead()
            append()
        case (.setting, .failed(let error)) where error.code == .missing:
            if letsOthersFirst(&term) { return rest(term, configuration.retryInterval) }
            term.step = .creating
            setTerm(term)
            askLease(.create)
        case (.setting, .failed):
            // Whether it was set, and whose it is, is read.
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
            if value != nil || !letsOthersFirst(&term) { term.revision = value?.revision }
            rest(term, configuration.retryInterval)
        default:
            rest(term, configuration.retryInterval)
        }
    }

    private mutating func leaseWasSet(_ term: Office.Term, _ revision: UInt64) {
        var term = term
        (term.revision, term.setAt, term.goneSince) = (revision, term.askedAt, nil)
        rest(term, max(.zero, configuration.leaseDuration / 3 - (now - term.askedAt)))
    }

    /// Whether a lease that the broker has forgotten is not set anew yet, since it had run out: who has taken it meanwhile
    /// sets it anew by its next renewal, and those who stand for it wait longer.
    private func letsOthersFirst(_ term: inout Office.Term) -> Bool {
        guard hasLapsed else { return false }
        let since = term.goneSince ?? now
        term.goneSince = since
        return now - since < configuration.leaseDuration / 2
    }

    private mutating func rest(_ term: Office.Term, _ delay: Duration) {
        var term = term
        term.step = .resting
        setTerm(term)
        waitForLease(delay)
    }
}
