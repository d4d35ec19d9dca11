import CollectionChanges
import CollectionPublishing

/// The phase of a member that reads to the end of the log.
enum ReadingPhase: Sendable {
    /// Reading has not started.
    case idle
    /// The member reads the head: at the start, and after every problem.
    case readingHead
    /// The member checks whether its last record is in the log.
    case scanning(LogScan)
    /// The member reads the chunks of a snapshot.
    case loading(LogHead, [UInt8], next: Int)
    /// A snapshot is being decoded.
    case decoding(LogHead)
    /// The member waits for the next records.
    case following
    /// The member reads applied records again, because it ignored other records or because it must
    /// verify its place before it applies this batch.
    case verifying(LogBatch?)
    /// The member checks whether the head belongs to its history, before it reads to the end of the
    /// log.
    case comparing(UInt64)
    /// Something failed, and the member starts again after a delay.
    case pausing
}

extension Member {
    /// Sends the next read request. The response to an earlier one will be ignored.
    mutating func read(_ request: LogRequest) { readingTicket = ask(.reading, request) }

    mutating func readingAnswered(_ answer: LogAnswer) {
        if case .batch(let batch) = answer { logEnd = batch.last }
        if !answer.isFailure { failedReads = 0 }
        switch (reading, answer) {
        case (.readingHead, .register(let value)): take(head: value)
        case (.readingHead, .failed(let error)) where error.code == .missing: take(head: nil)
        case (.scanning(let scan), .batch(let batch)): take(batch, scan)
        case (.loading(let head, let bytes, let index), .chunk(let chunk)):
            take(chunk, head, bytes, index)
        case (.following, .batch(let batch)): take(batch)
        case (.verifying(let next), .batch(let batch)): verify(batch, before: next)
        case (.comparing(let last), .register(let value)): compare(value, last)
        case (.following, .failed(let error)) where error.code != .missing,
            (.verifying, .failed(let error)) where error.code != .missing:
            followLater()
        case (.comparing, .failed(let error)) where error.code != .missing:
            hasIgnoredForeign = true
            followLater()
        case (.readingHead, .failed) where isRechecking: followLater()
        case (.following, .failed): recover(.missing, isLate: true)
        case (.scanning, .failed(let error)) where error.code != .missing,
            (.loading, .failed(let error)) where error.code != .missing:
            readAgainLater()
        case (.verifying, .failed(let error)) where error.code == .missing,
            (.scanning, .failed(let error)) where error.code == .missing:
            recover(.missing, isLate: true)
        default: recover(nil, isLate: true)
        }
    }

    /// Pauses, and keeps the place in the log, which is valid if the log is still the same. Ignored
    /// records may have been replaced. They are checked at the end of the log: a member that went
    /// back after every failure might never reach it.
    private mutating func followLater() {
        hasDoubt = true
        mustRereadIgnored = mustRereadIgnored || position > acceptedAt ?? position
        pause()
    }

    /// Retries the failed read after a delay; the reads before it are not repeated. After repeated
    /// failures, the member reads the head again, which may no longer require the read.
    private mutating func readAgainLater() {
        if isRechecking { return followLater() }
        failedReads += 1
        guard failedReads < Self.attempts else {
            if case .loading(let head, _, _) = reading { unloadableSnapshot = head.snapshot.name }
            recover(nil, isLate: true)
            return restartLogIfNeeded()
        }
        readingTicket = wait(.reading, configuration.retryInterval)
    }

    mutating func readingElapsed() {
        switch reading {
        case .scanning: return scanOn()
        case .loading(let head, _, let index): return readChunk(index, of: head)
        default: break
        }
        if isPlaced { follow() } else { locate() }
    }

    /// Whether the place in the log is known.
    private var isPlaced: Bool { chain != nil && isFollowing }

    /// Continues to read after a delay.
    mutating func pause() {
        reading = .pausing
        isCurrent = false
        isRechecking = false
        readingTicket = wait(.reading, configuration.retryInterval)
    }

    /// Finds the place in the log again, after a delay if `isLate`.
    mutating func recover(_ reason: RecoveryReason?, isLate: Bool = false) {
        if let reason { notify(.recovering(reason)) }
        var isLate = isLate
        switch reason {
        case .gap, .invalid, .fork, .damagedSnapshot:
            isLate = isLate || failedRecoveries > 0
            failedRecoveries += 1
            if failedRecoveries > 1 {
                stuckSince = stuckSince ?? now
                requestSnapshot()
                restartLogIfNeeded()
            }
        default: break
        }
        isFollowing = false
        isCurrent = false
        if isLate { pause() } else { locate() }
    }

    /// Checks whether the log still continues from the snapshot that the member's state came with.
    /// The log contains no record of that state that could be checked instead.
    mutating func recheckPosition() {
        isRechecking = true
        reading = .readingHead
        read(.register(.head))
    }

    /// Finds the place in the log, starting from the head.
    mutating func locate() {
        isRechecking = false
        passedThrough = 0
        isFollowing = false
        isCurrent = false
        reading = .readingHead
        read(.register(.head))
    }

    // MARK: - Reading the head

    private mutating func take(head value: LogRegisterValue?) {
        guard let head = head(in: value) else {
            isOrphaned = true
            if value == nil {
                pause()
                // A leader does not notice a missing head by itself.
                requestSnapshot()
            } else {
                recover(.damagedSnapshot, isLate: true)
            }
            return restartLogIfNeeded()
        }
        isOrphaned = false
        let place = head.snapshot.position
        see(place.epoch)
        guard let own = chain?.position, own.handle == place.handle else { return load(head) }
        // The records in the log that follow the member's last record are unusable.
        if failedRecoveries > 1, !isLeading, isFurther(place, than: own) { return load(head) }
        scan(from: head)
    }
}

// MARK: - Scanning

/// A walk along the hashes of the records, from the head's snapshot to the end of the log.
struct LogScan: Sendable {
    let head: LogHead
    /// The last record of the walk.
    var walk: ChainPosition
    /// The log position to read next.
    var next: UInt64
    /// Whether the walk starts at the oldest record, because the head's log position does not
    /// apply.
    var isFromFirst = false
    /// The log position at which the member's last record was found. If the record is before the
    /// snapshot, the walk must lead from it to the snapshot.
    var foundAt: UInt64?
    /// Whether the walk passed through the snapshot's record, at or before the position after which
    /// the log continues the snapshot.
    var meetsHead = false
    /// Whether records are missing after the walk.
    var hasHole = false
}

extension Member {
    /// Checks whether the member's last record is in the log.
    private mutating func scan(from head: LogHead) {
        let snapshot = head.snapshot
        let scan = LogScan(head: head, walk: snapshot.position, next: snapshot.logPosition + 1)
        reading = .scanning(scan)
        scanOn()
    }

    /// Reads the next records of the walk.
    private mutating func scanOn() {
        guard case .scanning(let scan) = reading else { return }
        read(.read(from: max(1, scan.next), configuration.readLimit, wait: .zero))
    }

    private mutating func take(_ batch: LogBatch, _ scan: LogScan) {
        var scan = scan
        guard let own = chain?.position else { return load(scan.head) }
        let anchor = scan.head.snapshot.logPosition
        let isBefore = own.sequence < scan.head.snapshot.position.sequence
        if !scan.isFromFirst, isBefore || batch.last < anchor || batch.first > anchor + 1 {
            // The member's state is older than the snapshot, or the log was replaced or trimmed in
            // the meantime.
            scan.isFromFirst = true
            scan.next = batch.first
            reading = .scanning(scan)
            return scanOn()
        }
        if !scan.isFromFirst, scan.next == anchor + 1, scan.walk == own {
            return place(at: anchor, of: scan)
        }
        var place = batch.start
        for bytes in batch.records {
            defer { place += 1 }
            guard let record = record(in: bytes) else { continue }
            see(record.position.epoch)
            // Only the first copy counts, because the log does not continue from a later copy.
            if isBefore, scan.foundAt == nil, record.position == own {
                (scan.walk, scan.foundAt) = (own, place)
                continue
            }
            switch scan.walk.verdict(on: record) {
            case nil:
                // The member's state came with the snapshot, and this record follows it. That is
                // not certain if records are missing: the record may be a late copy of one of them.
                if scan.walk == own, scan.foundAt == nil, !scan.hasHole {
                    scan.foundAt = place - 1
                }
                scan.walk = record.position
                // If the snapshot's record arrived late, after the position from which the log
                // continues the snapshot, members would read it too late.
                scan.meetsHead =
                    scan.meetsHead
                    || scan.walk == scan.head.snapshot.position && place <= anchor
                // The walk must reach the record: elsewhere in the log, it may be after the opening
                // record of a later epoch.
                if !isBefore, scan.walk == own {
                    return self.place(at: place, of: scan, isRecord: true)
                }
            case .gap: scan.hasHole = true
            default: break
            }
        }
        scan.next = max(scan.next, batch.start + UInt64(batch.records.count))
        reading = .scanning(scan)
        if !batch.records.isEmpty, scan.next <= batch.last { return scanOn() }
        if let found = scan.foundAt, scan.meetsHead || !isBefore {
            return self.place(at: found, of: scan, isRecord: isBefore)
        }
        if scan.walk == own, !isBefore {
            // Records that were trimmed after the snapshot may have continued it.
            let isTrimmed = batch.first > anchor + 1
            if scan.hasHole || isTrimmed, !holdsLease { return recover(.gap, isLate: true) }
            return self.place(at: batch.last, of: scan)
        }
        decide(scan)
    }

    /// Continues after the member's last record, which was found in the log.
    ///
    /// - Parameters:
    ///   - place: the log position after which the member continues.
    ///   - scan: the walk that found the record.
    ///   - isRecord: whether the log contains the record itself; otherwise it came with a snapshot.
    private mutating func place(at place: UInt64, of scan: LogScan, isRecord: Bool = false) {
        position = place
        acceptedAt = isRecord ? place : nil
        mustRereadIgnored = false
        checked = lastAccepted
        aheadSince = nil
        if let chain, !isRechecking { notify(.following(chain.version)) }
        // The member had read the whole log when it checked again.
        if let chain, isRechecking, !isCurrent { notify(.caughtUp(chain.version)) }
        isCurrent = isCurrent || isRechecking
        isRechecking = false
        if shown == nil, let chain { jump(to: chain) }
        mustAppendAgain = !pending.isEmpty
        follow()
    }

    /// Decides how to continue if the member's last record was not found in the log.
    private mutating func decide(_ scan: LogScan) {
        reportFailedRecheck()
        guard scan.foundAt == nil else { return load(scan.head) }
        let isAncestor = ancestors.contains { $0.has(scan.walk) }
        guard isAncestor, !hasAnotherEpoch(scan) else {
            if holdsLease { leave(.overwritten) }
            return load(scan.head)
        }
        let since = aheadSince ?? now
        aheadSince = since
        if !holdsLease, now - since >= configuration.rollbackGracePeriod { return load(scan.head) }
        pause()
        restartLogIfNeeded()
    }

    /// Returns whether the log continues in a later epoch than the member's.
    private func hasAnotherEpoch(_ scan: LogScan) -> Bool {
        scan.walk.epoch > chain?.position.epoch ?? 0
    }

    /// Reports that a repeated check (``recheckPosition()``) did not find the member's place.
    private mutating func reportFailedRecheck() {
        if isRechecking { notify(.recovering(.unverifiedPosition)) }
        isRechecking = false
    }
}

// MARK: - Loading a snapshot

extension Member {
    /// Replaces the member's state with the head's snapshot.
    mutating func load(_ head: LogHead) {
        if isLeading { leave(.overwritten) }
        reportFailedRecheck()
        (isFollowing, isCurrent) = (false, false)
        dropPending()
        let snapshot = head.snapshot
        // Loading the same state would lead here again.
        if chain?.position == snapshot.position { return recover(.gap, isLate: true) }
        guard snapshot.chunks > 0, snapshot.chunks <= snapshot.bytes,
            snapshot.bytes <= configuration.snapshotByteLimit
        else {
            return rejectSnapshot(head)
        }
        reading = .loading(head, [], next: 0)
        readChunk(0, of: head)
    }

    private mutating func rejectSnapshot(_ head: LogHead) {
        unloadableSnapshot = head.snapshot.name
        recover(.damagedSnapshot, isLate: true)
    }

    private mutating func readChunk(_ index: Int, of head: LogHead) {
        read(.chunk(index: index, snapshot: head.snapshot.name))
    }

    private mutating func take(_ chunk: [UInt8]?, _ head: LogHead, _ bytes: [UInt8], _ index: Int) {
        guard let chunk, !chunk.isEmpty, bytes.count + chunk.count <= head.snapshot.bytes else {
            return rejectSnapshot(head)
        }
        // Releases the old phase before bytes are appended, to avoid a copy.
        reading = .idle
        var bytes = bytes
        bytes += chunk
        if index + 1 < head.snapshot.chunks {
            reading = .loading(head, bytes, next: index + 1)
            return readChunk(index + 1, of: head)
        }
        reading = .decoding(head)
        let ticket = ticket(.reading)
        readingTicket = ticket
        effects.append(.decode(bytes, ticket))
    }

    mutating func decoded(_ snapshot: EncodableSnapshot?, _ ticket: LogTicket) {
        guard ticket == readingTicket, case .decoding(let head) = reading else { return }
        guard let snapshot, snapshot.position == head.snapshot.position else {
            return rejectSnapshot(head)
        }
        let chain = LogChain(snapshot, key: configuration.key, limits: configuration.limits)
        self.chain = chain
        ancestors = snapshot.ancestors
        remember(chain.position)
        (aheadSince, stuckSince, failedRecoveries) = (nil, nil, 0)
        jump(to: chain)
        scan(from: head)
    }
}
