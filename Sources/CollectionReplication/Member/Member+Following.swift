import CollectionPublishing

/// The place of a member in the log.
///
/// While the member follows the log, it has examined every record up to `position`, and ignored
/// those after `acceptedAt`. A place that the member has lost is kept until it finds another.
struct LogCursor {
    /// The log position of the last record that was examined.
    private(set) var position: UInt64 = 0
    /// The log position of the newest record, as reported by the last read.
    var end: UInt64 = 0
    /// The log position of the last applied record; `nil` if it came with a snapshot.
    private(set) var acceptedAt: UInt64?
    /// The last record that is known to be in the log together with all records before it, if it
    /// came from the log.
    private(set) var checked: PlacedRecord?
    /// Whether the member knows its place in the log.
    fileprivate(set) var isFollowing = false
    /// Whether the member has read to the end of the log.
    fileprivate(set) var isCurrent = false
    /// The time since which the member has lacked records of the log, or may have lacked some.
    private(set) var behindSince: Duration?
    fileprivate(set) var ignored = IgnoredRecords()

    /// Moves to a place after which the log continues the member's state.
    ///
    /// - Parameter record: The last applied record, if the log contains it at this place.
    mutating func move(to place: UInt64, record: ChainPosition?, isCurrent: Bool) {
        (position, self.isCurrent) = (place, isCurrent)
        acceptedAt = record == nil ? nil : place
        ignored.mustReread = false
        check(record)
    }

    mutating func advance(to place: UInt64) { position = place }

    /// Records that the record at the current position was applied.
    fileprivate mutating func accept(_ record: ChainPosition) {
        acceptedAt = position
        ignored.mustReread = false
        if checked == nil { check(record) }
    }

    /// Records that the last applied record is in the log, with all records before it.
    fileprivate mutating func check(_ record: ChainPosition?) {
        guard let acceptedAt, let record else { return checked = nil }
        checked = PlacedRecord(place: acceptedAt, position: record)
    }

    /// Goes back to the ignored records if they must be read again. Returns whether it did.
    fileprivate mutating func goBack() -> Bool {
        defer { ignored.mustReread = false }
        guard ignored.mustReread, let acceptedAt, acceptedAt < position else { return false }
        position = acceptedAt
        return true
    }

    mutating func stopFollowing() { isFollowing = false }
    mutating func fallBehind() { isCurrent = false }
    mutating func lose() { (isFollowing, isCurrent) = (false, false) }

    /// Starts again without a known place in the log. Ignored records are reported again when they
    /// are read again.
    mutating func restart() {
        lose()
        ignored.lastPosition = 0
    }

    mutating func updateLag(isReading: Bool, at now: Duration) {
        let isBehind = isReading && !(isCurrent && position >= end)
        behindSince = isBehind ? behindSince ?? now : nil
    }
}

/// The records that a member has ignored, and the checks that they cause.
struct IgnoredRecords {
    /// The last log position at which a record was ignored.
    fileprivate var lastPosition: UInt64 = 0
    /// Whether a record has been ignored since the member last verified its place.
    fileprivate var hasDoubt = false
    /// Whether records of another history have been ignored since the member last read the head.
    fileprivate var hasForeign = false
    /// Whether a request failed after ignored records were read, so that they must be read again.
    fileprivate var mustReread = false

    /// Returns whether the record is new: a record that is read again is not reported again.
    fileprivate mutating func ignore(_ reason: IgnoredRecord, at position: UInt64) -> Bool {
        // Any other ignored record may be a sign that the log was replaced.
        if reason != .duplicate { hasDoubt = true }
        if reason == .foreign { hasForeign = true }
        defer { lastPosition = max(lastPosition, position) }
        return position > lastPosition
    }
}

extension Member {
    /// Reads the records after the current position.
    mutating func follow() {
        cursor.isFollowing = true
        // A member that does not know whether there are more records reads without waiting.
        let wait = cursor.isCurrent || reading.isIdle ? configuration.readWait : .zero
        read(.following, .read(from: cursor.position + 1, configuration.readLimit, wait: wait))
    }

    /// Pauses, and keeps the place in the log, which is valid if the log is still the same. Ignored
    /// records may have been replaced. They are checked at the end of the log: a member that went
    /// back after every failure might never reach it.
    mutating func followLater() {
        cursor.ignored.hasDoubt = true
        let hasIgnored = cursor.position > cursor.acceptedAt ?? cursor.position
        if hasIgnored { cursor.ignored.mustReread = true }
        if case .comparing = reading.phase { cursor.ignored.hasForeign = true }
        pause()
    }

    /// Checks that a batch continues the log at the expected position, then applies it.
    mutating func take(_ batch: LogBatch) {
        if batch.first > cursor.position + 1 { return recover(.trimmed) }
        if batch.last < cursor.position { return recover(.rolledBack) }
        guard batch.records.isEmpty || batch.start == cursor.position + 1 else {
            return recover(.unverifiedPosition)
        }
        // The member's own records count as written once they are applied, so the member verifies
        // its place first.
        if holdsLease, !batch.records.isEmpty, cursor.acceptedAt != nil {
            return verify(before: batch)
        }
        applyBatch(batch)
    }

    private mutating func applyBatch(_ batch: LogBatch) {
        for bytes in batch.records {
            cursor.advance(to: cursor.position + 1)
            guard let reason = take(bytes) else { continue }
            // The log has lost records of the leader, but the leader has the newest state.
            if isLeading, reason != .fork, let tip {
                effects.notify(.recovering(reason))
                // The member does not read in the meantime; it finds its place afterwards.
                cursor.lose()
                return anchor(tip)
            }
            return recover(reason)
        }
        reading.isIdle = batch.records.isEmpty
        // A rollback is not visible to a member that waits at the end of the log, so an empty read
        // also leads to a check.
        guard cursor.ignored.hasDoubt || reading.isIdle else { return readOn(batch.last) }
        if cursor.acceptedAt != nil { return verify() }
        if reading.isIdle, !holdsLease { return recheckPosition() }
        askHead(batch.last)
    }

    private mutating func readOn(_ last: UInt64) {
        let isAtEnd = cursor.position >= last
        if isAtEnd {
            if !cursor.isCurrent, let chain { effects.notify(.caughtUp(chain.version)) }
            cursor.isCurrent = true
        }
        // Records whose appends were confirmed must have arrived by now.
        if reading.isIdle, isAtEnd { pending.repeatUnread() }
        follow()
        openIfNeeded()
        append()
        takeSnapshotIfDue()
        // Ignored records are read again if a request failed since, unless the member has left.
        if isAtEnd, case .following = reading.phase, cursor.goBack() { follow() }
    }

    /// Checks whether the last applied record, and the last one of the previous check, are still at
    /// their places. A log that was rolled back and has grown to the same length would otherwise
    /// continue as if nothing had happened.
    ///
    /// - Parameter batch: The records to apply after the check.
    private mutating func verify(before batch: LogBatch? = nil) {
        guard let checked = cursor.checked else { return recover(.unverifiedPosition) }
        let limit = LogReadLimit(records: 1, bytes: configuration.readLimit.bytes)
        read(.verifying(batch), .read(from: checked.place, limit, wait: .zero))
    }

    /// Handles the response to a check. If the last applied record is at its place, the ignored
    /// records do not matter, because they are from writers that lost their leadership.
    mutating func verify(_ batch: LogBatch, before next: LogBatch?) {
        guard let expected = cursor.checked, let acceptedAt = cursor.acceptedAt
        else { return recover(.unverifiedPosition) }
        let record = batch.records.first.flatMap { self.record(in: $0) }
        let isThere = batch.start == expected.place && record?.position == expected.position
        if expected.place != acceptedAt, isThere || batch.first > expected.place {
            cursor.check(chain?.position)
            return verify(before: next)
        }
        cursor.ignored.hasDoubt = false
        guard isThere else { return recover(.unverifiedPosition) }
        if let next {
            reading.phase = .following
            applyBatch(next)
            // The batch was read while the last applied record was still at its place.
            return cursor.check(chain?.position)
        }
        if cursor.ignored.hasForeign || reading.isIdle && !holdsLease { return askHead(batch.last) }
        readOn(batch.last)
    }

    /// Reads the head to compare it with the member's chain. If records of another history were
    /// ignored, the head decides which history is valid. If no record was applied from the log, the
    /// head confirms that the log continues the member's state. If no records arrive, the head
    /// reveals a leader of which the member has seen no record.
    private mutating func askHead(_ last: UInt64) {
        (cursor.ignored.hasDoubt, cursor.ignored.hasForeign) = (false, false)
        read(.comparing(last), .register(.head))
    }

    mutating func compare(_ value: LogRegisterValue?, _ last: UInt64) {
        guard let head = head(in: value), let own = chain?.position,
            head.snapshot.position.handle == own.handle
        else { return recover(.unverifiedPosition) }
        // If no record was applied from the log, only the head confirms that the log continues the
        // member's state.
        if cursor.acceptedAt == nil, head.snapshot.position != own {
            return recover(.unverifiedPosition, isLate: true)
        }
        // A member that has read the whole log has passed through the head's snapshot.
        if cursor.position >= last, !history.hasPassed(head.snapshot.position) {
            return recover(.unverifiedPosition, isLate: true)
        }
        if reading.isIdle, cursor.position >= last,
            knownHead.isUnreached(head.latestEpoch, by: own.epoch)
        {
            return recover(.unverifiedPosition, isLate: true)
        }
        readOn(last)
    }

    /// Applies or ignores a record, or returns the reason that the member must find its place
    /// again.
    private mutating func take(_ bytes: [UInt8]) -> RecoveryReason? {
        if pending.records.first?.bytes == bytes, let own = pending.removeFirst() {
            confirmed(own)
            return nil
        }
        guard let record = record(in: bytes) else {
            ignore(.unreadable)
            return nil
        }
        leadership.see(record.position.epoch)
        guard var next = chain else { return .unverifiedPosition }
        switch next.take(record) {
        case .extended(let update):
            if case .opening(let term) = leadership.state, isOwn(record.position) {
                // The member appended this record before it searched for its place again.
                pending.removeAll()
                publication = nil
                accepted(next, bytes.count)
                began(update, next, term)
                // A member that joins later and starts at the head might not read this record.
                if term.hasFenced { checkHead() } else { anchor(next) }
                return nil
            }
            if holdsLease, !isOwn(record.position) { yield(to: record) }
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
        accepted(next, count)
        // A leader shows the records that it sealed with `showPending()` instead.
        if !isLeading { show(update, next, after: previous) }
    }

    private mutating func ignore(_ reason: IgnoredRecord) {
        let isNew = cursor.ignored.ignore(reason, at: cursor.position)
        if isNew { effects.notify(.ignoredRecord(reason)) }
    }

    /// Returns whether the member's leadership, or the one that it claims, sealed the record at a
    /// position.
    func isOwn(_ position: ChainPosition) -> Bool {
        leadership.state.term.map(position.isOf) ?? false
    }

    /// Handles a record of another member that extends the chain: stops leading, or drops the
    /// pending records that no longer follow the chain.
    private mutating func yield(to record: LogRecord) {
        if isLeading || record.position.epoch >= leadership.state.epoch ?? 0 {
            return leave(.fenced)
        }
        // The record that would have opened the member's epoch no longer follows the chain.
        pending.removeAll()
    }

    /// Handles the first pending record, which was read back.
    private mutating func confirmed(_ own: PendingRecord) {
        accepted(own.chain, own.bytes.count)
        if case .opening(let term) = leadership.state, own.chain.position.epoch == term.epoch {
            began(own.update, own.chain, term)
        } else {
            showPending()
            resumeSourceIfRoom()
        }
        checkHead()
    }

    /// Sets the head again if the broker has been rolled back since it was set. Members that start
    /// at the old head would not find the record.
    private mutating func checkHead() {
        if let tip, knownHead.isAhead(of: cursor.position) { anchor(tip) }
    }

    private mutating func accepted(_ chain: LogChain, _ count: Int) {
        history.advance(to: chain)
        cursor.accept(chain.position)
        obstacles.progressed()
        schedule.applied(count)
    }
}
