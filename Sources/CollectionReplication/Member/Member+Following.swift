import CollectionChanges
import CollectionPublishing

extension Member {
    /// Reads the records after the current position.
    mutating func follow() {
        isFollowing = true
        reading = .following
        // A member that does not know whether there are more records reads without waiting.
        let wait = isCurrent || isIdle ? configuration.readWait : .zero
        read(.read(from: position + 1, configuration.readLimit, wait: wait))
    }

    /// Checks that a batch continues the log at the expected position, then applies it.
    mutating func take(_ batch: LogBatch) {
        if batch.first > position + 1 { return recover(.trimmed) }
        if batch.last < position { return recover(.rolledBack) }
        guard batch.records.isEmpty || batch.start == position + 1 else {
            return recover(.unverifiedPosition)
        }
        // The member's own records count as written once they are applied, so the member verifies
        // its place first.
        if holdsLease, !batch.records.isEmpty, acceptedAt != nil { return verify(before: batch) }
        applyBatch(batch)
    }

    private mutating func applyBatch(_ batch: LogBatch) {
        for bytes in batch.records {
            position += 1
            guard let reason = take(bytes) else { continue }
            // The log has lost records of the leader, but the leader has the newest state.
            if isLeading, reason != .fork, let tip {
                notify(.recovering(reason))
                // The member does not read in the meantime; it finds its place afterwards.
                (isFollowing, isCurrent) = (false, false)
                return anchor(tip)
            }
            return recover(reason)
        }
        isIdle = batch.records.isEmpty
        // A rollback is not visible to a member that waits at the end of the log, so an empty read
        // also leads to a check.
        guard hasDoubt || isIdle else { return readOn(batch.last) }
        if acceptedAt != nil { return verify() }
        if isIdle, !holdsLease { return recheckPosition() }
        askHead(batch.last)
    }

    private mutating func readOn(_ last: UInt64) {
        let isAtEnd = position >= last
        if isAtEnd {
            if !isCurrent, let chain { notify(.caughtUp(chain.version)) }
            isCurrent = true
        }
        // Records whose appends were confirmed must have arrived by now.
        if isIdle, isAtEnd, appended > 0, outstanding.isEmpty { mustAppendAgain = true }
        follow()
        openIfNeeded()
        append()
        takeSnapshotIfDue()
        if isAtEnd { lookBack() }
    }

    /// Reads ignored records again if a request failed since.
    private mutating func lookBack() {
        guard mustRereadIgnored, case .following = reading else { return }
        mustRereadIgnored = false
        guard let acceptedAt, acceptedAt < position else { return }
        position = acceptedAt
        follow()
    }

    /// Checks whether the last applied record, and the last one of the previous check, are still at
    /// their places. A log that was rolled back and has grown to the same length would otherwise
    /// continue as if nothing had happened.
    ///
    /// - Parameter batch: the records to apply after the check.
    private mutating func verify(before batch: LogBatch? = nil) {
        guard let place = checked?.place else { return recover(.unverifiedPosition) }
        reading = .verifying(batch)
        let limit = LogReadLimit(records: 1, bytes: configuration.readLimit.bytes)
        read(.read(from: place, limit, wait: .zero))
    }

    /// Handles the response to a check. If the last applied record is at its place, the ignored
    /// records do not matter, because they are from writers that lost their leadership.
    mutating func verify(_ batch: LogBatch, before next: LogBatch?) {
        guard let expected = checked, let acceptedAt else { return recover(.unverifiedPosition) }
        let record = batch.records.first.flatMap { self.record(in: $0) }
        let isThere = batch.start == expected.place && record?.position == expected.position
        if expected.place != acceptedAt, isThere || batch.first > expected.place {
            checked = lastAccepted
            return verify(before: next)
        }
        hasDoubt = false
        guard isThere else { return recover(.unverifiedPosition) }
        if let next {
            reading = .following
            applyBatch(next)
            // The batch was read while the last applied record was still at its place.
            checked = lastAccepted
            return
        }
        if hasIgnoredForeign || isIdle && !holdsLease { return askHead(batch.last) }
        readOn(batch.last)
    }

    /// Reads the head to compare it with the member's chain. If records of another history were
    /// ignored, the head decides which history is valid. If no record was applied from the log, the
    /// head confirms that the log continues the member's state. If no records arrive, the head
    /// reveals a leader of which the member has seen no record.
    private mutating func askHead(_ last: UInt64) {
        (hasDoubt, hasIgnoredForeign) = (false, false)
        reading = .comparing(last)
        read(.register(.head))
    }

    mutating func compare(_ value: LogRegisterValue?, _ last: UInt64) {
        guard let head = head(in: value), let own = chain?.position,
            head.snapshot.position.handle == own.handle
        else { return recover(.unverifiedPosition) }
        // If no record was applied from the log, only the head confirms that the log continues the
        // member's state.
        if acceptedAt == nil, head.snapshot.position != own {
            return recover(.unverifiedPosition, isLate: true)
        }
        // A member that has read the whole log has passed through the head's snapshot.
        if position >= last, !hasPassed(head.snapshot.position) {
            return recover(.unverifiedPosition, isLate: true)
        }
        if isIdle, position >= last, isBehindHead(by: head.latestEpoch, own.epoch) {
            return recover(.unverifiedPosition, isLate: true)
        }
        readOn(last)
    }

    /// Returns whether the head also named this later epoch at the previous check, and no record of
    /// the epoch has arrived since. Returns `true` once per epoch: a member that opens an epoch
    /// sets the head first, and may stop before it appends the record.
    private mutating func isBehindHead(by epoch: UInt64, _ own: UInt64) -> Bool {
        guard epoch > own else { return false }
        guard let last = laterEpoch, last.epoch == epoch else {
            laterEpoch = (epoch, isReported: false)
            return false
        }
        laterEpoch = (epoch, isReported: true)
        return !last.isReported
    }

    /// Applies or ignores a record, or returns the reason that the member must find its place
    /// again.
    private mutating func take(_ bytes: [UInt8]) -> RecoveryReason? {
        if let own = pending.first, own.bytes == bytes {
            confirm(bytes.count)
            return nil
        }
        guard let record = record(in: bytes) else {
            ignore(.unreadable)
            return nil
        }
        see(record.position.epoch)
        guard var next = chain else { return .unverifiedPosition }
        switch next.take(record) {
        case .extended(let update):
            if case .opening(let term) = leadershipState, isOwn(record.position) {
                // The member appended this record before it searched for its place again.
                dropPending()
                publication = nil
                chain = next
                accepted(next.position, bytes.count)
                began(update, next, term)
                // A member that joins later and starts at the head might not read this record.
                if term.hasFenced { checkHead() } else { anchor(next) }
                return nil
            }
            if holdsLease, !isOwn(record.position) {
                yield(to: record)
            }
            extend(to: next, by: update, bytes.count)
            return nil
        case .duplicate: ignore(.duplicate)
        case .stale: ignore(.stale)
        case .rival: ignore(.rival)
        case .foreign: ignore(.foreign)
        case .gap: return .gap
        case .fork: return .fork
        case .invalid: return .invalid
        }
        return nil
    }

    /// Continues with the chain that another member's record led to; the record is at the current
    /// position.
    mutating func extend(to next: LogChain, by update: PublishedUpdate, _ count: Int) {
        let previous = chain?.position
        chain = next
        accepted(next.position, count)
        // A leader shows the records that it sealed with `showPending()` instead.
        if !isLeading { show(update, next, after: previous) }
    }

    private mutating func ignore(_ reason: IgnoredRecord) {
        // A record that is read again is not reported again.
        if position > passedThrough { notify(.ignoredRecord(reason)) }
        passedThrough = max(passedThrough, position)
        // Any other ignored record may be a sign that the log was replaced.
        if reason != .duplicate { hasDoubt = true }
        if reason == .foreign { hasIgnoredForeign = true }
    }

    /// Returns whether the member's leadership, or the one that it claims, sealed the record at a
    /// position.
    func isOwn(_ position: ChainPosition) -> Bool {
        leadershipState.term.map(position.isOf) ?? false
    }

    /// Handles a record of another member that extends the chain: stops leading, or drops the
    /// pending records that no longer follow the chain.
    private mutating func yield(to record: LogRecord) {
        if isLeading || record.position.epoch >= leadershipState.epoch ?? 0 {
            return leave(.fenced)
        }
        // The record that would have opened the member's epoch no longer follows the chain.
        dropPending()
    }

    /// Removes the first pending record, which was read back.
    private mutating func confirm(_ count: Int) {
        guard let own = pending.popFirst() else { return }
        pendingBytes -= count
        appended = max(0, appended - 1)
        detours.remove(own.sequence)
        chain = own.chain
        accepted(own.chain.position, count)
        if case .opening(let term) = leadershipState, own.chain.position.epoch == term.epoch {
            began(own.update, own.chain, term)
        } else {
            showPending()
            resumeSourceIfRoom()
        }
        checkHead()
    }

    /// Sets the head again if the broker was rolled back since it was set. Members that start at
    /// the old head would not find the record.
    private mutating func checkHead() {
        guard let place = headPosition, position <= place, let tip else { return }
        headPosition = nil
        anchor(tip)
    }

    mutating func accepted(_ place: ChainPosition, _ count: Int) {
        acceptedAt = position
        mustRereadIgnored = false
        checked = checked ?? lastAccepted
        (failedRecoveries, stuckSince) = (0, nil)
        recordsSinceSnapshot += 1
        bytesSinceSnapshot += count
        remember(place)
    }
}
