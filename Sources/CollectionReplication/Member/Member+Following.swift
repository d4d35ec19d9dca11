import CollectionChanges
import CollectionPublishing

extension Member {
    mutating func follow() {
        isFollowing = true
        reading = .following
        // Who does not know yet whether there is more is told at once.
        let wait = isCurrent || isIdle ? configuration.readWait : .zero
        read(.read(from: position + 1, configuration.readLimit, wait: wait))
    }

    /// Takes in what was read.
    mutating func take(_ batch: LogBatch) {
        if batch.first > position + 1 { return recover(.trimmed) }
        if batch.last < position { return recover(.rolledBack) }
        guard batch.records.isEmpty || batch.start == position + 1 else { return recover(.doubt) }
        // What it takes in as its own counts as written.
        if holdsLease, !batch.records.isEmpty, acceptedAt != nil { return verify(before: batch) }
        takeIn(batch)
    }

    private mutating func takeIn(_ batch: LogBatch) {
        for bytes in batch.records {
            position += 1
            guard let reason = take(bytes) else { continue }
            // Of what the log has lost of its own, who leads has the newest.
            if isLeading, reason != .fork, let tip {
                notify(.recovering(reason))
                // Nothing is read meanwhile: where it is in the log is found out afterwards.
                (isFollowing, isCurrent) = (false, false)
                return anchor(tip)
            }
            return recover(reason)
        }
        isIdle = batch.records.isEmpty
        // A log that went back to what it was says nothing of it, to who waits behind its end.
        guard hasDoubt || isIdle else { return readOn(batch.last) }
        if acceptedAt != nil { return verify() }
        if isIdle, !holdsLease { return lookAgain() }
        askHead(batch.last)
    }

    private mutating func readOn(_ last: UInt64) {
        let isAtEnd = position >= last
        if isAtEnd {
            if !isCurrent, let chain { notify(.current(chain.version)) }
            isCurrent = true
        }
        // What was appended, and answered, must have come by now.
        if isIdle, isAtEnd, appended > 0, outstanding.isEmpty { mustAppendAgain = true }
        follow()
        openIfNeeded()
        append()
        takeSnapshotIfDue()
        if isAtEnd { lookBack() }
    }

    /// Reads again what was passed over, where something failed meanwhile.
    private mutating func lookBack() {
        guard mustLookBack, case .following = reading else { return }
        mustLookBack = false
        guard let acceptedAt, acceptedAt < position else { return }
        position = acceptedAt
        follow()
    }

    /// Looks whether what it took in last is where it was, and what it took in when it looked last: a log that went back,
    /// and has grown to the same length since, gives the record behind as if nothing had happened.
    ///
    /// - Parameter batch: what to take in then.
    private mutating func verify(before batch: LogBatch? = nil) {
        guard let place = checked?.place else { return recover(.doubt) }
        reading = .verifying(batch)
        let limit = LogReadLimit(records: 1, bytes: configuration.readLimit.bytes)
        read(.read(from: place, limit, wait: .zero))
    }

    /// What was passed over is of no interest where the last record that it took in is where it was: somebody wrote what
    /// lost.
    mutating func verify(_ batch: LogBatch, before next: LogBatch?) {
        guard let expected = checked, let acceptedAt else { return recover(.doubt) }
        let record = batch.records.first.flatMap { self.record(in: $0) }
        let isThere = batch.start == expected.place && record?.position == expected.position
        if expected.place != acceptedAt, isThere || batch.first > expected.place {
            checked = lastAccepted
            return verify(before: next)
        }
        hasDoubt = false
        guard isThere else { return recover(.doubt) }
        if let next {
            reading = .following
            takeIn(next)
            // It was read when what it follows on was there.
            checked = lastAccepted
            return
        }
        if hasMetForeign || isIdle && !holdsLease { return askHead(batch.last) }
        readOn(batch.last)
    }

    /// Where another history is in the log, the head says which one counts; where nothing was taken in from the log, that
    /// this is what it goes on from; and where nothing comes, that nobody leads of whom nothing is known.
    private mutating func askHead(_ last: UInt64) {
        (hasDoubt, hasMetForeign) = (false, false)
        reading = .comparing(last)
        read(.register(.head))
    }

    mutating func compare(_ value: LogRegisterValue?, _ last: UInt64) {
        guard let head = head(in: value), let own = chain?.position,
            head.snapshot.position.handle == own.handle
        else { return recover(.doubt) }
        // Where nothing of the log was taken in, that goes on from what it has as long as the head says so.
        if acceptedAt == nil, head.snapshot.position != own { return recover(.doubt, isLate: true) }
        // Who has read everything has what the head is of.
        if position >= last, !isOnWay(head.snapshot.position) {
            return recover(.doubt, isLate: true)
        }
        if isIdle, position >= last, isOutrun(by: head.latestEpoch, own.epoch) {
            return recover(.doubt, isLate: true)
        }
        readOn(last)
    }

    /// Whether nothing has come of a later epoch since it looked last. It is told once: who opens an epoch sets the head
    /// first, and may have gone away between.
    private mutating func isOutrun(by epoch: UInt64, _ own: UInt64) -> Bool {
        guard epoch > own else { return false }
        guard let last = laterEpoch, last.epoch == epoch else {
            laterEpoch = (epoch, isTold: false)
            return false
        }
        laterEpoch = (epoch, isTold: true)
        return !last.isTold
    }

    /// Takes in a record, or says why it is no use to read on.
    private mutating func take(_ bytes: [UInt8]) -> RecoveryReason? {
        if let own = pending.first, own.bytes == bytes {
            confirm(bytes.count)
            return nil
        }
        guard let record = record(in: bytes) else {
            passOver(.unreadable)
            return nil
        }
        see(record.position.epoch)
        guard var next = chain else { return .doubt }
        switch next.take(record) {
        case .extended(let update):
            if case .opening(let term) = office, isOwn(record.position) {
                // What it appended before it looked for its place again.
                dropPending()
                anchoring = nil
                chain = next
                accepted(next.position, bytes.count)
                began(update, next, term)
                // Who begins where the head says may not find it.
                if term.hasFenced { checkHead() } else { anchor(next) }
                return nil
            }
            if holdsLease, !isOwn(record.position) {
                yield(to: record)
            }
            extend(to: next, by: update, bytes.count)
            return nil
        case .duplicate: passOver(.duplicate)
        case .stale: passOver(.stale)
        case .rival: passOver(.rival)
        case .foreign: passOver(.foreign)
        case .gap: return .gap
        case .fork: return .fork
        case .invalid: return .invalid
        }
        return nil
    }

    /// Takes in what a record of others led to, which lies where it looked last.
    mutating func extend(to next: LogChain, by update: PublishedUpdate, _ count: Int) {
        let previous = chain?.position
        chain = next
        accepted(next.position, count)
        // Readers of who leads were shown what it sealed.
        if !isLeading { show(update, next, after: previous) }
    }

    private mutating func passOver(_ reason: PassedRecord) {
        // What is read again, since it looked again, is not told again.
        if position > passedThrough { notify(.passedOver(reason)) }
        passedThrough = max(passedThrough, position)
        // Before anything was taken in from the log there is nothing to compare.
        if reason != .duplicate { hasDoubt = true }
        if reason == .foreign { hasMetForeign = true }
    }

    /// Whether its leadership, or the one that it stands for, has sealed it.
    func isOwn(_ position: ChainPosition) -> Bool { office.term.map(position.isOf) ?? false }

    /// Somebody else's record extends the chain.
    private mutating func yield(to record: LogRecord) {
        if isLeading || record.position.epoch >= office.epoch ?? 0 { return leave(.fenced) }
        // What would have opened its own epoch does not follow any more.
        dropPending()
    }

    /// A record of its own was read back.
    private mutating func confirm(_ count: Int) {
        guard let own = pending.popFirst() else { return }
        pendingBytes -= count
        appended = max(0, appended - 1)
        detours.remove(own.sequence)
        chain = own.chain
        accepted(own.chain.position, count)
        if case .opening(let term) = office, own.chain.position.epoch == term.epoch {
            began(own.update, own.chain, term)
        } else {
            showPending()
            resumeSourceIfRoom()
        }
        checkHead()
    }

    /// Sets the head anew where the broker went back since it was set, so that who begins there would not find the record.
    private mutating func checkHead() {
        guard let place = headPosition, position <= place, let tip else { return }
        headPosition = nil
        anchor(tip)
    }

    mutating func accepted(_ place: ChainPosition, _ count: Int) {
        acceptedAt = position
        mustLookBack = false
        checked = checked ?? lastAccepted
        (fruitlessRecoveries, stuckSince) = (0, nil)
        recordsSinceSnapshot += 1
        bytesSinceSnapshot += count
        remember(place)
    }
}
