import CollectionChanges
import CollectionPublishing

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
    /// Whether it came through what the snapshot is of, before the place where the log goes on from that.
    var meetsHead = false
    /// Whether records are missing that should come next.
    var hasHole = false
}

extension Member {
    mutating func scan(from head: LogHead) {
        let snapshot = head.snapshot
        let scan = LogScan(head: head, walk: snapshot.position, next: snapshot.logPosition + 1)
        reading = .scanning(scan)
        scanOn()
    }

    /// Reads the next records of the walk.
    mutating func scanOn() {
        guard case .scanning(let scan) = reading else { return }
        read(.read(from: max(1, scan.next), configuration.readLimit, wait: .zero))
    }

    mutating func take(_ batch: LogBatch, _ scan: LogScan) {
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
                // What it has came with the snapshot, and this follows on it; unless it is a late copy of what is missing.
                if scan.walk == own, scan.foundAt == nil, !scan.hasHole {
                    scan.foundAt = place - 1
                }
                scan.walk = record.position
                // What leads to the snapshot only behind where the log goes on from it, since it came late, would be
                // read too late as well.
                scan.meetsHead =
                    scan.meetsHead
                    || scan.walk == scan.head.snapshot.position && place <= anchor
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
        mustLookBack = false
        checked = lastAccepted
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
    mutating func tellLookedAgain() {
        if isLookingAgain { notify(.recovering(.doubt)) }
        isLookingAgain = false
    }
}
