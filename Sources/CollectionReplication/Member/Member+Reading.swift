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
    /// It reads the record again that it took in last, since others were passed over.
    case verifying
    /// It looks whether the head is of the history that it has, before it reads on to the end of the log.
    case comparing(UInt64)
    /// Something failed, and it begins again after a while.
    case pausing
}

/// A walk along the hashes of records, from the head to the end of the log.
struct LogScan: Sendable {
    let head: LogHead
    /// The last record of the walk.
    var walk: ChainPosition
    /// Where to read on.
    var next: UInt64
    /// Whether it begins with the oldest record, since positions are not what they were.
    var isFromFirst = false
    /// Where the last record was found that the member has, where that lies before the snapshot: from there the walk must
    /// lead to the snapshot.
    var foundAt: UInt64?
    /// Whether it came through what the snapshot is of.
    var meetsHead = false
    /// Whether records are missing that should come next.
    var hasHole = false
}

extension Member {
    /// Asks for the next thing that it reads; whatever it asked for before is not waited for any more.
    mutating func read(_ request: LogRequest) { readingTicket = ask(.reading, request) }

    mutating func readingAnswered(_ answer: LogAnswer) {
        if case .batch(let batch) = answer { logEnd = batch.last }
        switch (reading, answer) {
        case (.readingHead, .register(let value)): take(head: value)
        case (.readingHead, .failed(let error)) where error.code == .missing: take(head: nil)
        case (.scanning(let scan), .batch(let batch)): take(batch, scan)
        case (.loading(let head, let bytes, let index), .chunk(let chunk)):
            take(chunk, head, bytes, index)
        case (.following, .batch(let batch)): take(batch)
        case (.verifying, .batch(let batch)): verify(batch)
        case (.comparing(let last), .register(let value)): compare(value, last)
        case (.following, .failed(let error)) where error.code != .missing:
            // Where it is in the log is as good as before, if that is still the same log.
            hasDoubt = true
            pause()
        case (.following, .failed): recover(.missing, isLate: true)
        case (.verifying, .failed(let error)) where error.code == .missing,
            (.scanning, .failed(let error)) where error.code == .missing:
            recover(.missing, isLate: true)
        default: recover(nil, isLate: true)
        }
    }

    mutating func readingElapsed() {
        // What failed was following, where the place is known.
        if isPlaced { follow() } else { locate() }
    }

    /// Whether the place in the log is known.
    private var isPlaced: Bool { chain != nil && isFollowing }

    private mutating func pause() {
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
        see(head.snapshot.position.epoch)
        guard let chain, chain.position.handle == head.snapshot.position.handle else {
            return load(head)
        }
        scan(from: head)
    }

    // MARK: Scanning

    private mutating func scan(from head: LogHead) {
        let snapshot = head.snapshot
        let scan = LogScan(head: head, walk: snapshot.position, next: snapshot.logPosition + 1)
        reading = .scanning(scan)
        scanOn()
    }

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
            // What it has is before the snapshot; or the log is another, or was trimmed meanwhile.
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
            // The first time: a copy behind it leads nowhere.
            if isBefore, scan.foundAt == nil, record.position == own {
                (scan.walk, scan.foundAt) = (own, place)
                continue
            }
            switch scan.walk.verdict(on: record) {
            case nil:
                // What it has came with the snapshot, and this follows on it.
                if scan.walk == own, scan.foundAt == nil { scan.foundAt = place - 1 }
                scan.walk = record.position
                scan.meetsHead = scan.meetsHead || scan.walk == scan.head.snapshot.position
                // Not where it only lies in the log, behind what opened a later epoch.
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
            // What was trimmed behind the snapshot may have gone on from it.
            let isTrimmed = batch.first > anchor + 1
            if scan.hasHole || isTrimmed, !holdsLease { return recover(.gap, isLate: true) }
            return self.place(at: batch.last, of: scan)
        }
        decide(scan)
    }

    /// The last record that it has is there: it goes on behind it.
    ///
    /// - Parameter isRecord: whether it is there as a record, and did not come with a snapshot.
    private mutating func place(at place: UInt64, of scan: LogScan, isRecord: Bool = false) {
        position = place
        acceptedAt = isRecord ? place : nil
        aheadSince = nil
        if let chain, !isLookingAgain { notify(.following(chain.version)) }
        // It had read everything when it looked.
        if let chain, isLookingAgain, !isCurrent { notify(.current(chain.version)) }
        isCurrent = isCurrent || isLookingAgain
        isLookingAgain = false
        if shown == nil, let chain { jump(to: chain) }
        mustAppendAgain = !pending.isEmpty
        follow()
    }

    /// The last record that it has is not there.
    private mutating func decide(_ scan: LogScan) {
        tellLookedAgain()
        guard scan.foundAt == nil else { return load(scan.head) }
        let isAncestor = ancestors.contains { $0.has(scan.walk) }
        guard isAncestor, !hasAnotherEpoch(scan) else {
            if holdsLease { leave(.overwritten) }
            return load(scan.head)
        }
        let since = aheadSince ?? now
        aheadSince = since
        if !holdsLease, now - since >= configuration.rollbackPatience { return load(scan.head) }
        pause()
        anchorIfNeeded()
    }

    /// Whether the log goes on in a later epoch than what it has.
    private func hasAnotherEpoch(_ scan: LogScan) -> Bool {
        scan.walk.epoch > chain?.position.epoch ?? 0
    }

    /// What it looked for again is not there any more.
    private mutating func tellLookedAgain() {
        if isLookingAgain { notify(.recovering(.doubt)) }
        isLookingAgain = false
    }

    // MARK: Loading

    private mutating func load(_ head: LogHead) {
        if isLeading { leave(.overwritten) }
        tellLookedAgain()
        (isFollowing, isCurrent) = (false, false)
        dropPending()
        let snapshot = head.snapshot
        // It would lead here again.
        if chain?.position == snapshot.position { return recover(.gap, isLate: true) }
        guard snapshot.chunks > 0, snapshot.chunks <= snapshot.bytes,
            snapshot.bytes <= configuration.snapshotByteLimit
        else {
            return recover(.damagedSnapshot, isLate: true)
        }
        reading = .loading(head, [], next: 0)
        read(.chunk(index: 0, snapshot: snapshot.name))
    }

    private mutating func take(_ chunk: [UInt8]?, _ head: LogHead, _ bytes: [UInt8], _ index: Int) {
        guard let chunk, !chunk.isEmpty, bytes.count + chunk.count <= head.snapshot.bytes else {
            return recover(.damagedSnapshot, isLate: true)
        }
        // Given up before they are added to, or they would be copied.
        reading = .idle
        var bytes = bytes
        bytes += chunk
        if index + 1 < head.snapshot.chunks {
            reading = .loading(head, bytes, next: index + 1)
            return read(.chunk(index: index + 1, snapshot: head.snapshot.name))
        }
        reading = .decoding(head)
        let ticket = ticket(.reading)
        readingTicket = ticket
        effects.append(.decode(bytes, ticket))
    }

    mutating func decoded(_ snapshot: SnapshotForm?, _ ticket: LogTicket) {
        guard ticket == readingTicket, case .decoding(let head) = reading else { return }
        guard let snapshot, snapshot.position == head.snapshot.position else {
            return recover(.damagedSnapshot, isLate: true)
        }
        let chain = LogChain(snapshot, key: configuration.key, limits: configuration.limits)
        self.chain = chain
        ancestors = snapshot.ancestors
        remember(chain.position)
        aheadSince = nil
        jump(to: chain)
        scan(from: head)
    }

    mutating func remember(_ position: ChainPosition) {
        ancestors.remember(position)
    }

    /// A snapshot of a chain, with what is known of how it came there.
    func snapshot(of chain: LogChain) -> SnapshotForm {
        var snapshot = chain.snapshot
        snapshot.ancestors = ancestors.filter { $0.epoch < chain.position.epoch }
        return snapshot
    }
}

extension [ChainPosition] {
    /// Of how many leaderships the last record is known.
    private static var limit: Int { 64 }

    /// Keeps the last position of each leadership.
    mutating func remember(_ position: ChainPosition) {
        if let last, last.epoch == position.epoch, last.writer == position.writer {
            self[count - 1] = position
            return
        }
        append(position)
        if count > Self.limit { removeFirst(count - Self.limit) }
    }
}

extension Member {
    /// Whether a position is one that its chain came through, as far back as is known.
    func isOnWay(_ place: ChainPosition) -> Bool {
        guard let oldest = ancestors.first, place.epoch >= oldest.epoch else { return true }
        return ancestors.contains { $0.has(place) }
    }
}

extension ChainPosition {
    /// Whether a record is this one or lies before it: one leadership seals one record behind the other, so whatever it
    /// sealed earlier does.
    fileprivate func has(_ other: ChainPosition) -> Bool {
        other.epoch == epoch && other.writer == writer && other.sequence <= sequence
    }
}
