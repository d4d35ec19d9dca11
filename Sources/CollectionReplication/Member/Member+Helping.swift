import CollectionChanges

// Where a record or a part of a snapshot is lost in the middle, what there is leads nowhere. Then who follows asks, in a
// register, for a new snapshot, and who leads makes one; no more often than a lease is long.

extension Member {
    mutating func askForHelp() {
        if let helpAskedAt, now - helpAskedAt < configuration.leaseDuration { return }
        guard !holdsLease else { return }
        helpAskedAt = now
        helpTicket = ask(.helping, .register(.request))
    }

    /// Who leads looks whether somebody asks.
    mutating func lookForRequests() {
        if isLeading { helpTicket = ask(.helping, .register(.request)) }
    }

    mutating func helpAnswered(_ answer: LogAnswer) {
        helpTicket = nil
        guard case .register(let value) = answer else { return }
        if isLeading { return help(value?.revision ?? 0) }
        guard !holdsLease else { return }
        let sequence = chain?.position.sequence ?? 0
        let nonce = random.next()
        let bytes = RecordForm.request.encode(key: configuration.key) { writer in
            writer.unsigned(sequence)
            writer.fixed(nonce)
        }.bytes
        ask(.helping, .set(bytes, .request, expecting: value?.revision))
    }

    private mutating func help(_ revision: UInt64) {
        let isNew = seenRequest.map { $0 != revision } ?? false
        seenRequest = revision
        if isNew, isFollowing, let tip { anchor(tip) }
    }
}
