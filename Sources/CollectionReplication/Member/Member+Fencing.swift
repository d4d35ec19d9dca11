import CollectionChanges

// Before an epoch is opened, the head is set once more, with that epoch in it: so no snapshot of an earlier leader comes
// to stand behind the opening, and what one put there before is known to who opens.

extension Member {
    private mutating func ask(_ request: LogRequest) {
        let ticket = ticket(.fencing)
        fenceTicket = ticket
        effects.append(.ask(ticket, request))
    }

    mutating func fence() {
        if fenceTicket == nil { ask(.register(.head)) }
    }

    mutating func fenceAnswered(_ answer: LogAnswer) {
        fenceTicket = nil
        guard case .opening(var term) = office, isFollowing, let chain else { return }
        switch answer {
        case .register(let value):
            let head = value.flatMap { try? LogHead(decoding: $0.bytes, key: configuration.key) }
            guard var head else { return recover(nil, isLate: true) }
            let place = head.snapshot.position
            greatestEpoch = max(greatestEpoch, head.epoch, place.epoch)
            if max(head.epoch, place.epoch) > term.epoch { return leave(.overwritten) }
            guard place.handle == chain.position.handle, isOnWay(place) else {
                return recover(.doubt)
            }
            headPosition = head.snapshot.logPosition
            (head.epoch, head.writer) = (term.epoch, term.writer)
            ask(.set(head.encoded(key: configuration.key), .head, expecting: value?.revision))
        case .revision:
            term.hasFenced = true
            office = .opening(term)
            openIfNeeded()
        case .failed(let error) where error.code == .conflict: fence()
        // With the next read it is tried again.
        default: break
        }
    }
}
