/// The records that a leader has sealed and not read back, in order.
///
/// The first record follows the chain, and each other one the record before it. The appended ones
/// come first.
struct PendingRecords {
    private(set) var records = FIFO<PendingRecord>()
    private var byteCount = 0
    /// The sequence numbers of the records that a snapshot will publish instead of the log.
    fileprivate var detours: Set<UInt64> = []
    fileprivate(set) var appends = AppendProgress()
    /// The difference between the version of an update and its number in the source.
    private var sourceBase: Int?
    /// Whether the source is not read until there is room again.
    private(set) var isSourcePaused = false

    /// Appends a record. A detour is published with a snapshot.
    mutating func append(_ record: PendingRecord, isDetour: Bool = false) {
        records.append(record)
        byteCount += record.bytes.count
        if isDetour { detours.insert(record.sequence) }
    }

    /// Removes the first record, which is in the log or in a snapshot.
    mutating func removeFirst() -> PendingRecord? {
        guard let first = records.popFirst() else { return nil }
        byteCount -= first.bytes.count
        detours.remove(first.sequence)
        appends.count = max(0, appends.count - 1)
        return first
    }

    /// Removes the records that a snapshot contains. The others are appended again.
    mutating func removeAll(through sequence: UInt64) {
        while let first = records.first, first.sequence <= sequence { _ = removeFirst() }
        appends.restart()
    }

    mutating func removeAll() {
        (records, byteCount, detours, isSourcePaused) = (FIFO(), 0, [], false)
        appends.restart()
        appends.conflictPosition = 0
    }

    /// Removes all records but the last, which a snapshot will publish.
    mutating func collapse() {
        guard let last = records.last else { return }
        removeAll()
        append(last, isDetour: true)
    }

    /// Appends all records again, if there are any.
    mutating func appendAgain() { appends.mustRepeat = !records.isEmpty }

    /// Appends all records again if the log does not contain those whose appends were confirmed.
    mutating func repeatUnread() {
        if appends.count > 0, appends.outstanding.isEmpty { appends.mustRepeat = true }
    }

    /// Records that the first record is already in the log.
    mutating func foundFirst() { appends.count = 1 }

    /// Returns the next record to append, if the limits allow another append.
    fileprivate func nextToAppend(_ configuration: ReplicationConfiguration) -> PendingRecord? {
        let hasRoom =
            appends.outstanding.isEmpty
            || appends.outstanding.count < configuration.inFlightRecordLimit
                && appends.outstandingBytes < configuration.inFlightByteLimit
        return hasRoom && appends.count < records.count ? records[appends.count] : nil
    }

    /// Returns whether enough records wait for the broker to keep it busy. The source then waits
    /// too, and its updates in the meantime become one record.
    func isBusy(_ configuration: ReplicationConfiguration) -> Bool {
        records.count >= configuration.inFlightRecordLimit || isFull(configuration)
    }

    func isFull(_ configuration: ReplicationConfiguration) -> Bool {
        records.count >= configuration.pendingRecordLimit
            || byteCount >= configuration.pendingByteLimit
    }

    // MARK: The source

    mutating func beginSource() { sourceBase = nil }
    mutating func pauseSource() { isSourcePaused = true }

    /// Returns the version for an update. The first version of a source follows `last`.
    mutating func version(of number: Int, after last: Int) -> Int {
        let base = sourceBase ?? last + 1
        sourceBase = base
        let (version, overflows) = base.addingReportingOverflow(number)
        return overflows ? .max : version
    }

    /// Skips a version, which a record that is not an update of the source has.
    mutating func skipVersion() { sourceBase = sourceBase.map { $0 + 1 } }

    /// Returns whether the source was paused and is not any longer, because there is room.
    mutating func resumeSource(_ configuration: ReplicationConfiguration) -> Bool {
        let limit = min(configuration.inFlightRecordLimit, configuration.pendingRecordLimit)
        guard isSourcePaused, records.count <= limit / 2,
            byteCount <= configuration.pendingByteLimit / 2
        else { return false }
        isSourcePaused = false
        return true
    }
}

/// The appends of the pending records.
///
/// After a failed append, no record is appended until each append has a response. Then all pending
/// records are appended again.
struct AppendProgress {
    /// The number of pending records that were appended, counted from the first.
    fileprivate var count = 0
    /// The ticket numbers of the appends without a response.
    fileprivate var outstanding: Set<UInt64> = []
    fileprivate var outstandingBytes = 0
    /// The log position after which the next append belongs.
    fileprivate var nextPosition: UInt64 = 0
    /// Whether an append failed, so that all pending records must be appended again.
    fileprivate var mustRepeat = false
    /// The greatest position that a conflict reported.
    fileprivate var conflictPosition: UInt64 = 0
    /// Whether a timer is set to append again.
    fileprivate var isWaiting = false

    fileprivate mutating func began(_ ticket: LogTicket, _ record: PendingRecord) {
        outstanding.insert(ticket.number)
        outstandingBytes += record.bytes.count
        count += 1
        nextPosition += 1
    }

    /// Records a response. Returns `false` if the append was forgotten.
    fileprivate mutating func ended(_ ticket: LogTicket) -> Bool {
        guard outstanding.remove(ticket.number) != nil else { return false }
        if outstanding.isEmpty { outstandingBytes = 0 }
        return true
    }

    /// Forgets the appends, so that all pending records are appended.
    fileprivate mutating func restart() {
        (outstanding, outstandingBytes, count, mustRepeat) = ([], 0, 0, false)
    }
}

extension Member {
    mutating func resumeSourceIfRoom() {
        if pending.resumeSource(configuration) { effects.append(.resumeSource) }
    }

    /// Appends the pending records that may be appended now.
    mutating func append() {
        // If the lease has lapsed, appending continues after the next renewal.
        guard holdsLease, !hasLapsed, cursor.isFollowing, publication?.isJump != true
        else { return }
        if pending.appends.mustRepeat {
            guard pending.appends.outstanding.isEmpty else { return }
            // Records in the log that were not read yet may be the pending ones.
            guard cursor.position >= pending.appends.conflictPosition else { return waitToAppend() }
            pending.appends.restart()
            pending.appends.conflictPosition = 0
        }
        if pending.appends.count == 0 { pending.appends.nextPosition = cursor.position }
        while let record = pending.nextToAppend(configuration) {
            if pending.detours.contains(record.sequence) {
                // All records before it must be confirmed first.
                if pending.appends.count == 0 { anchor(record.chain) }
                return
            }
            // An opening record contains nothing that could be lost.
            guard !isLeading || visibility.isJournaled(record) else { return }
            let position = pending.appends.nextPosition
            let request = LogRequest.append(record.bytes, id: record.id, after: position)
            pending.appends.began(effects.ask(.appending, request), record)
        }
    }

    mutating func appendAnswered(_ ticket: LogTicket, _ answer: LogAnswer) {
        guard pending.appends.ended(ticket) else { return }
        // The reported position is not trusted: the record is read back.
        guard case .failed(let error) = answer else { return append() }
        pending.appends.mustRepeat = true
        pending.appends.conflictPosition = max(pending.appends.conflictPosition, error.last ?? 0)
        if error.code == .rejected, isLeading, let first = pending.records.first {
            pending.detours.insert(first.sequence)
        }
        if pending.appends.outstanding.isEmpty { waitToAppend() }
    }

    private mutating func waitToAppend() {
        guard !pending.appends.isWaiting else { return }
        pending.appends.isWaiting = true
        effects.wait(.appending, configuration.retryInterval)
    }

    mutating func appendingElapsed() {
        // The position may belong to a log that has been replaced; otherwise the next conflict
        // reports it again.
        (pending.appends.isWaiting, pending.appends.conflictPosition) = (false, 0)
        append()
    }
}
