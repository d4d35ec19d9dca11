import CollectionChanges

// Before an epoch is opened, the head is set once more, with that epoch in it: so no snapshot of an earlier leader comes
// to stand behind the opening, and what one put there before is known to who opens.

extension Member {
    /// Asks for the head, unless it is asked for.
    mutating func fence() {
        if fenceTicket == nil { fenceTicket = ask(.fencing, .register(.head)) }
    }

    /// Who leads looks at the head, of which no record of the log tells.
    mutating func lookAtHead() { if isLeading { fence() } }

    /// Whether another has begun a later epoch with a snapshot; and whether the log has come through what the head is of.
    private mutating func look(at head: LogHead) {
        see(head.latestEpoch)
        if head.latestEpoch > office.epoch ?? 0 { return leave(.overwritten) }
        guard isFollowing, let own = chain?.position, let tip else { return }
        let place = head.snapshot.position
        // An earlier leader has set it late, where the broker had forgotten what was set since: from there nobody comes here.
        if place.handle == own.handle, !isOnWay(place) { anchor(tip) }
    }

    /// Who opens an epoch has set the head with it.
    mutating func hasFenced() {
        guard case .opening(var term) = office else { return }
        term.hasFenced = true
        office = .opening(term)
    }

    mutating func fenceAnswered(_ answer: LogAnswer) {
        fenceTicket = nil
        if isLeading, case .register(let value) = answer, let head = head(in: value) {
            look(at: head)
        }
        guard case .opening(let term) = office, isFollowing, let chain else { return }
        switch answer {
        case .register(let value):
            guard var head = head(in: value) else { return recover(.doubt, isLate: true) }
            let place = head.snapshot.position
            see(head.latestEpoch)
            if head.latestEpoch > term.epoch { return leave(.overwritten) }
            guard place.handle == chain.position.handle, isOnWay(place) else {
                return recover(.doubt)
            }
            headPosition = head.snapshot.logPosition
            (head.epoch, head.writer) = (term.epoch, term.writer)
            // With the next read it is tried again.
            if hasLapsed { return }
            let bytes = head.encoded(key: configuration.key)
            fenceTicket = ask(.fencing, .set(bytes, .head, expecting: value?.revision))
        case .revision:
            hasFenced()
            openIfNeeded()
        case .failed(let error) where error.code == .conflict: fence()
        // With the next read it is tried again.
        default: break
        }
    }
}
