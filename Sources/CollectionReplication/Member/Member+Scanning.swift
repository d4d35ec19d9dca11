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

/// The reads of a member: one at a time, which belongs to the phase. A newer one replaces it.
struct LogReading {
    var phase = ReadingPhase.idle
    /// The number of consecutive failed reads while scanning or loading. After a failure, the
    /// member repeats the failed read.
    fileprivate var failures = 0
    /// Whether the member reads the head and the log again although nothing indicates that they
    /// changed.
    fileprivate(set) var isRechecking = false
    /// Whether the last read returned no records.
    var isIdle = false

    var hasBegun: Bool { if case .idle = phase { false } else { true } }
}

/// The obstacles that keep a member from following the log, and the times at which they began. If
/// an obstacle stays for the grace period, the member assumes that no other member will remove it.
struct Obstacles {
    let gracePeriod: Duration
    /// The time since which the log has had no head.
    fileprivate(set) var orphanedSince: Duration?
    /// The time since which the member has been ahead of the log.
    fileprivate(set) var aheadSince: Duration?
    /// The number of recoveries, since the last applied record, that the existing records and
    /// snapshots caused.
    fileprivate(set) var failedRecoveries = 0
    /// The time of the second of these recoveries.
    private(set) var stuckSince: Duration?
    /// The latest epoch of other members whose records delayed a snapshot that would have discarded
    /// them.
    private(set) var blockingEpoch: UInt64 = 0
    /// The name of the last snapshot that could not be loaded.
    fileprivate(set) var unloadableSnapshot: String?

    /// Records a recovery that the log caused. Returns whether it is not the first.
    fileprivate mutating func failsRecovery(at now: Duration) -> Bool {
        failedRecoveries += 1
        if failedRecoveries > 1 { stuckSince = stuckSince ?? now }
        return failedRecoveries > 1
    }

    /// Records that the member has applied a record or a snapshot.
    mutating func progressed() { (failedRecoveries, stuckSince) = (0, nil) }

    /// Records that the member has set the head, so that the log continues its state.
    mutating func wereRemoved() { (orphanedSince, aheadSince) = (nil, nil) }

    /// Returns whether records of an epoch delay a snapshot. With each later epoch, the grace
    /// period for repairing the log starts again.
    mutating func delaySnapshot(for epoch: UInt64, at now: Duration) -> Bool {
        guard epoch > blockingEpoch else {
            let since = [stuckSince, orphanedSince, aheadSince].compactMap { $0 }.min()
            return since.map { now - $0 < gracePeriod } ?? true
        }
        (blockingEpoch, aheadSince) = (epoch, nil)
        return true
    }

    /// Returns whether the existing records and snapshots have been unusable for so long that no
    /// member will repair them.
    func areStuck(at now: Duration) -> Bool { stuckSince.map { now - $0 >= gracePeriod } ?? false }

    /// Returns whether the log has no head, lacks records that the member has, or cannot bring the
    /// member up to date.
    func requireRestart(at now: Duration) -> Bool {
        orphanedSince != nil || aheadSince != nil || areStuck(at: now)
    }
}

extension Member {
    /// The number of attempts at one step of a long operation before the whole operation restarts.
    static let attempts = 16

    /// Sends the next read request, and enters the phase that it belongs to.
    mutating func read(_ phase: ReadingPhase, _ request: LogRequest) {
        reading.phase = phase
        effects.ask(.reading, request)
    }

    mutating func readingAnswered(_ answer: LogAnswer) {
        if case .batch(let batch) = answer { cursor.end = batch.last }
        if !answer.isFailure { reading.failures = 0 }
        var isMissing = false
        if case .failed(let error) = answer { isMissing = error.code == .missing }
        switch (reading.phase, answer) {
        case (.readingHead, .register(let value)): take(head: value)
        case (.readingHead, .failed) where isMissing: take(head: nil)
        case (.scanning(let scan), .batch(let batch)): take(batch, scan)
        case (.loading(let head, let bytes, let index), .chunk(let chunk)):
            take(chunk, head, bytes, index)
        case (.following, .batch(let batch)): take(batch)
        case (.verifying(let next), .batch(let batch)): verify(batch, before: next)
        case (.comparing(let last), .register(let value)): compare(value, last)
        case (.following, .failed) where !isMissing, (.verifying, .failed) where !isMissing,
            (.comparing, .failed) where !isMissing:
            followLater()
        case (.readingHead, .failed) where reading.isRechecking: followLater()
        case (.scanning, .failed) where !isMissing, (.loading, .failed) where !isMissing:
            readAgainLater()
        case (.following, .failed), (.verifying, .failed), (.scanning, .failed):
            recover(.missing, isLate: true)
        default: recover(nil, isLate: true)
        }
    }

    /// Retries the failed read after a delay; the reads before it are not repeated. After repeated
    /// failures, the member reads the head again, which may no longer require the read.
    private mutating func readAgainLater() {
        if reading.isRechecking { return followLater() }
        reading.failures += 1
        guard reading.failures < Self.attempts else {
            if case .loading(let head, _, _) = reading.phase {
                obstacles.unloadableSnapshot = head.snapshot.name
            }
            recover(nil, isLate: true)
            return restartLogIfNeeded()
        }
        effects.wait(.reading, configuration.retryInterval)
    }

    mutating func readingElapsed() {
        switch reading.phase {
        case .scanning(let scan): scanOn(scan)
        case .loading(let head, let bytes, let index): readChunk(index, of: head, after: bytes)
        default: if chain != nil, cursor.isFollowing { follow() } else { locate() }
        }
    }

    /// Continues to read after a delay.
    mutating func pause() {
        cursor.fallBehind()
        (reading.phase, reading.isRechecking) = (.pausing, false)
        effects.wait(.reading, configuration.retryInterval)
    }

    /// Finds the place in the log again, after a delay if `isLate`.
    mutating func recover(_ reason: RecoveryReason?, isLate: Bool = false) {
        if let reason { effects.notify(.recovering(reason)) }
        var isLate = isLate
        let isFailure = [.gap, .invalid, .fork, .damagedSnapshot].contains(reason)
        if isFailure, obstacles.failsRecovery(at: now) {
            isLate = true
            requestSnapshot()
            restartLogIfNeeded()
        }
        cursor.lose()
        if isLate { pause() } else { locate() }
    }

    /// Checks whether the log still continues from the snapshot that the member's state came with.
    /// The log contains no record of that state that could be checked instead.
    mutating func recheckPosition() {
        reading.isRechecking = true
        read(.readingHead, .register(.head))
    }

    /// Finds the place in the log, starting from the head.
    mutating func locate() {
        reading.isRechecking = false
        cursor.restart()
        read(.readingHead, .register(.head))
    }

    // MARK: - Reading the head

    private mutating func take(head value: LogRegisterValue?) {
        guard let head = head(in: value) else {
            obstacles.orphanedSince = obstacles.orphanedSince ?? now
            if value == nil {
                pause()
                // A leader does not notice a missing head by itself.
                requestSnapshot()
            } else {
                recover(.damagedSnapshot, isLate: true)
            }
            return restartLogIfNeeded()
        }
        obstacles.orphanedSince = nil
        let place = head.snapshot.position
        leadership.see(place.epoch)
        guard let own = chain?.position, own.handle == place.handle else { return load(head) }
        // The records in the log that follow the member's last record are unusable.
        if obstacles.failedRecoveries > 1, !isLeading, isFurther(place, than: own) {
            return load(head)
        }
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
        scanOn(LogScan(head: head, walk: snapshot.position, next: snapshot.logPosition + 1))
    }

    /// Reads the next records of the walk.
    private mutating func scanOn(_ scan: LogScan) {
        let next = max(1, scan.next)
        read(.scanning(scan), .read(from: next, configuration.readLimit, wait: .zero))
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
            return scanOn(scan)
        }
        if !scan.isFromFirst, scan.next == anchor + 1, scan.walk == own {
            return settle(at: anchor)
        }
        var place = batch.start
        for bytes in batch.records {
            defer { place += 1 }
            guard let record = record(in: bytes) else { continue }
            leadership.see(record.position.epoch)
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
                    return settle(at: place, isRecord: true)
                }
            case .gap: scan.hasHole = true
            default: break
            }
        }
        scan.next = max(scan.next, batch.start + UInt64(batch.records.count))
        if !batch.records.isEmpty, scan.next <= batch.last { return scanOn(scan) }
        if let found = scan.foundAt, scan.meetsHead || !isBefore {
            return settle(at: found, isRecord: isBefore)
        }
        if scan.walk == own, !isBefore {
            // Records that were trimmed after the snapshot may have continued it.
            let isTrimmed = batch.first > anchor + 1
            if scan.hasHole || isTrimmed, !holdsLease { return recover(.gap, isLate: true) }
            return settle(at: batch.last)
        }
        decide(scan)
    }

    /// Continues after the member's last record, which was found in the log.
    ///
    /// - Parameters:
    ///   - place: The log position after which the member continues.
    ///   - isRecord: Whether the log contains the record itself; otherwise it came with a snapshot.
    private mutating func settle(at place: UInt64, isRecord: Bool = false) {
        guard let chain else { return }
        if !reading.isRechecking {
            effects.notify(.following(chain.version))
        } else if !cursor.isCurrent {
            // The member had read the whole log when it checked again.
            effects.notify(.caughtUp(chain.version))
        }
        let isCurrent = cursor.isCurrent || reading.isRechecking
        cursor.move(to: place, record: isRecord ? chain.position : nil, isCurrent: isCurrent)
        reading.isRechecking = false
        obstacles.aheadSince = nil
        if visibility.shown == nil { jump(to: chain) }
        pending.appendAgain()
        follow()
    }

    /// Decides how to continue if the member's last record was not found in the log.
    private mutating func decide(_ scan: LogScan) {
        reportFailedRecheck()
        guard scan.foundAt == nil else { return load(scan.head) }
        let isInLaterEpoch = scan.walk.epoch > chain?.position.epoch ?? 0
        guard history.contains(scan.walk), !isInLaterEpoch else {
            if holdsLease { leave(.overwritten) }
            return load(scan.head)
        }
        let since = obstacles.aheadSince ?? now
        obstacles.aheadSince = since
        if !holdsLease, now - since >= configuration.rollbackGracePeriod { return load(scan.head) }
        pause()
        restartLogIfNeeded()
    }

    /// Reports that a repeated check (``recheckPosition()``) did not find the member's place.
    private mutating func reportFailedRecheck() {
        if reading.isRechecking { effects.notify(.recovering(.unverifiedPosition)) }
        reading.isRechecking = false
    }

    // MARK: Loading a snapshot

    /// Replaces the member's state with the head's snapshot.
    mutating func load(_ head: LogHead) {
        if isLeading { leave(.overwritten) }
        reportFailedRecheck()
        cursor.lose()
        pending.removeAll()
        let snapshot = head.snapshot
        // Loading the same state would lead here again.
        if chain?.position == snapshot.position { return recover(.gap, isLate: true) }
        guard snapshot.chunks > 0, snapshot.chunks <= snapshot.bytes,
            snapshot.bytes <= configuration.snapshotByteLimit
        else { return rejectSnapshot(head) }
        readChunk(0, of: head, after: [])
    }

    private mutating func rejectSnapshot(_ head: LogHead) {
        obstacles.unloadableSnapshot = head.snapshot.name
        recover(.damagedSnapshot, isLate: true)
    }

    private mutating func readChunk(_ index: Int, of head: LogHead, after bytes: [UInt8]) {
        let request = LogRequest.chunk(index: index, snapshot: head.snapshot.name)
        read(.loading(head, bytes, next: index), request)
    }

    private mutating func take(_ chunk: [UInt8]?, _ head: LogHead, _ bytes: [UInt8], _ index: Int) {
        guard let chunk, !chunk.isEmpty, bytes.count + chunk.count <= head.snapshot.bytes else {
            return rejectSnapshot(head)
        }
        // Releases the old phase before bytes are appended, to avoid a copy.
        reading.phase = .idle
        var bytes = bytes
        bytes += chunk
        if index + 1 < head.snapshot.chunks {
            return readChunk(index + 1, of: head, after: bytes)
        }
        reading.phase = .decoding(head)
        effects.append(.decode(bytes, effects.ticket(.reading)))
    }

    mutating func decoded(_ snapshot: EncodableSnapshot?, _ ticket: LogTicket) {
        guard effects.isNewest(ticket), case .decoding(let head) = reading.phase else { return }
        guard let snapshot, snapshot.position == head.snapshot.position else {
            return rejectSnapshot(head)
        }
        let chain = LogChain(snapshot, key: configuration.key, limits: configuration.limits)
        history.restart(at: chain, after: snapshot.ancestors)
        obstacles.aheadSince = nil
        obstacles.progressed()
        jump(to: chain)
        scan(from: head)
    }
}
