import CollectionChanges
import CollectionPublishing

/// Where a member is on its way to the end of the log.
enum ReadingPhase: Sendable {
    /// It has not begun.
    case idle
    /// It asks for the head: after the beginning, and after whatever was wrong.
    case readingHead
    /// It looks whether the last record that it has is in the log.
    case scanning(LogScan)
    /// It reads the chunks of a snapshot.
    case loading(LogHead, [UInt8], next: Int)
    /// A snapshot is decoded.
    case decoding(LogHead)
    /// It waits for the next records.
    case following
    /// It reads records again that it took in, since others were passed over, or before it takes in these.
    case verifying(LogBatch?)
    /// It looks whether the head is of the history that it has, before it reads on to the end of the log.
    case comparing(UInt64)
    /// Something failed, and it begins again after a while.
    case pausing
}

extension Member {
    /// Asks for the next thing that it reads; whatever it asked for before is not waited for any more.
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
            hasMetForeign = true
            followLater()
        case (.readingHead, .failed) where isLookingAgain: followLater()
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

    /// Where it is in the log is as good as before, if that is still the same log. What was passed over may be something
    /// else by now; but that is looked at when the end is reached: who went back each time would not come there.
    private mutating func followLater() {
        hasDoubt = true
        mustLookBack = mustLookBack || position > acceptedAt ?? position
        pause()
    }

    /// What was read of the log, or of a snapshot, is not read anew because the next part of it failed; where that fails
    /// time and again, the head may say by now that it is not needed.
    private mutating func readAgainLater() {
        if isLookingAgain { return followLater() }
        failedReads += 1
        guard failedReads < Self.attempts else {
            if case .loading(let head, _, _) = reading { triedSnapshot = head.snapshot.name }
            recover(nil, isLate: true)
            return anchorIfNeeded()
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

    mutating func pause() {
        reading = .pausing
        isCurrent = false
        isLookingAgain = false
        readingTicket = wait(.reading, configuration.retryInterval)
    }

    /// Finds the place in the log again.
    mutating func recover(_ reason: RecoveryReason?, isLate: Bool = false) {
        if let reason { notify(.recovering(reason)) }
        var isLate = isLate
        switch reason {
        case .gap, .invalid, .fork, .damagedSnapshot:
            isLate = isLate || fruitlessRecoveries > 0
            fruitlessRecoveries += 1
            if fruitlessRecoveries > 1 {
                stuckSince = stuckSince ?? now
                askForHelp()
                anchorIfNeeded()
            }
        default: break
        }
        isFollowing = false
        isCurrent = false
        if isLate { pause() } else { locate() }
    }

    /// Looks whether the log still goes on from the snapshot that what it has came with: a record that it could look for
    /// is not there.
    mutating func lookAgain() {
        isLookingAgain = true
        reading = .readingHead
        read(.register(.head))
    }

    mutating func locate() {
        isLookingAgain = false
        passedThrough = 0
        isFollowing = false
        isCurrent = false
        reading = .readingHead
        read(.register(.head))
    }

    // MARK: The head

    private mutating func take(head value: LogRegisterValue?) {
        guard let head = head(in: value) else {
            isOrphaned = true
            if value == nil {
                pause()
                // Who leads does not look at it.
                askForHelp()
            } else {
                recover(.damagedSnapshot, isLate: true)
            }
            return anchorIfNeeded()
        }
        isOrphaned = false
        let place = head.snapshot.position
        see(place.epoch)
        guard let own = chain?.position, own.handle == place.handle else { return load(head) }
        // What follows in the log on what it has leads nowhere.
        if fruitlessRecoveries > 1, !isLeading, isFurther(place, than: own) { return load(head) }
        scan(from: head)
    }
}
