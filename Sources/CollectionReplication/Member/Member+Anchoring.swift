import CollectionChanges
import CollectionPublishing

extension Member {
    /// Puts a snapshot from which the log goes on, where it does not have what that has.
    mutating func anchor(_ chain: LogChain) {
        if anchoring?.isJump == true { return }
        anchoring = Anchoring(
            chain: chain,
            isJump: true,
            base: self.chain?.position,
            logPosition: 0,
            ticket: ticket(.anchoring)
        )
        beginAnchoring()
    }

    /// Who has the lease makes the log go on from what it has.
    mutating func anchorIfNeeded() {
        guard holdsLease, isOrphaned || aheadSince != nil || isStuck, anchoring?.isJump != true
        else { return }
        // What opens its epoch is sealed anew, behind the snapshot.
        if !isLeading { dropPending() }
        if let tip { return anchor(tip) }
        let chain = LogChain(
            beginning: HistoryHandle(rawValue: .random(in: .min ... .max, using: &random)),
            // Not one that readers have before anything was there.
            at: .random(in: 1..<1 << 31, using: &random),
            key: configuration.key,
            limits: configuration.limits
        )
        anchor(chain)
    }

    /// Puts a snapshot of what was confirmed, every so often.
    mutating func takeSnapshotIfDue() {
        guard isLeading, anchoring == nil, let chain,
            recordsSinceSnapshot >= max(1, configuration.snapshotInterval),
            bytesSinceSnapshot >= snapshotBytes
        else { return }
        anchoring = Anchoring(
            chain: chain,
            isJump: false,
            base: chain.position,
            logPosition: position,
            ticket: ticket(.anchoring)
        )
        beginAnchoring()
    }

    mutating func beginAnchoring() {
        guard let current = anchoring else { return }
        if current.isJump { return askAnchor(.creating, .create) }
        askAnchor(.readingHead, .register(.head))
    }

    mutating func askAnchor(_ step: Anchoring.Step, _ request: LogRequest) {
        // With a later try it goes on.
        let ticket =
            hasLapsed && request.isChange
            ? wait(.anchoring, configuration.retryInterval) : ask(.anchoring, request)
        anchoring?.step = step
        anchoring?.request = request
        anchoring?.ticket = ticket
    }

    mutating func anchoringAnswered(_ answer: LogAnswer) {
        guard let current = anchoring else { return }
        if !answer.isFailure { anchoring?.failures = 0 }
        switch (current.step, answer) {
        case (.creating, .done):
            measure(from: isFollowing ? position + 1 : 1)
        case (.measuring, .batch(let batch)): measure(batch, current)
        case (.announcing, .position), (.announcing, .failed):
            // What it says is not believed: it is read back.
            if case .failed(let error) = answer, error.code != .conflict { return anchorLater() }
            measure(from: current.logPosition + 1)
        case (.readingHead, .register(let value)): take(head: value, current)
        case (.putting(let bytes, let next, let revision), .done):
            put(bytes, next, revision)
        case (.setting, .revision): anchored(current)
        case (.setting, .failed(let error)) where error.code == .conflict:
            // Whose it is now is found out.
            askAnchor(.readingHead, .register(.head))
        case (.purging, _):
            // Late members may load the one before yet.
            let names = [current.name, current.head?.previous?.name].compactMap { $0 }
            askAnchor(.removing, .removeSnapshots(before: names.min() ?? current.name))
        case (.removing, _): anchoring = nil
        case (.measuring, .failed(let error)) where error.code != .missing,
            (.putting, .failed(let error)) where error.code != .missing:
            tryAgainLater(current)
        default: anchorLater()
        }
    }

    private mutating func measure(from position: UInt64) {
        askAnchor(.measuring, .read(from: position, configuration.readLimit, wait: .zero))
    }

    /// Looks at what the log has, up to its end: a snapshot does not go over what others have led on to, nor over what it
    /// could have taken in.
    private mutating func measure(_ batch: LogBatch, _ current: Anchoring) {
        var place = current.chain.position
        guard let term = office.term else { return anchoring = nil }
        if let bytes = current.opening?.bytes, current.openingAt == nil,
            let index = batch.records.firstIndex(of: bytes)
        {
            anchoring?.openingAt = batch.start + UInt64(index)
        }
        for (index, bytes) in batch.records.enumerated() {
            guard let record = record(in: bytes),
                record.position.handle == place.handle || place.sequence == 0
            else { continue }
            let found = record.position
            see(found.epoch)
            let isOwn = found.isOf(term)
            // Also one that has the same epoch, since the broker forgot that it was claimed.
            if found.epoch >= term.epoch, !isOwn { return leave(.overwritten) }
            if takeIn(record, at: batch.start + UInt64(index), bytes.count) {
                place = found
                continue
            }
            guard found.epoch > place.epoch, !isOwn else { continue }
            let isNews = found.epoch > heldUpBy
            if isNews || !isHopeless {
                heldUpBy = max(heldUpBy, found.epoch)
                // What it knew of the log is from before that came, and so nobody was patient with it yet.
                if isNews { aheadSince = nil }
                anchoring = nil
                return recover(.doubt, isLate: true)
            }
        }
        let next = batch.start + UInt64(batch.records.count)
        if !batch.records.isEmpty, next <= batch.last { return measure(from: next) }
        let openingAt = anchoring?.openingAt
        anchoring?.logPosition = openingAt.map { $0 - 1 } ?? batch.last
        askAnchor(.readingHead, .register(.head))
    }

    /// Takes in a record that goes on from what the snapshot is to be of, and makes the snapshot one of what that leads to.
    private mutating func takeIn(_ record: LogRecord, at place: UInt64, _ count: Int) -> Bool {
        // What lies behind what opens its epoch came too late.
        guard !isLeading, let current = anchoring, place < current.openingAt ?? .max,
            var next = chain, next.position == current.base, !isOwn(record.position)
        else { return false }
        guard case .extended(let update) = next.take(record) else { return false }
        anchoring?.chain = next
        anchoring?.base = next.position
        // Nobody who has this takes in what was to open the epoch.
        anchoring?.opening = nil
        anchoring?.openingAt = nil
        position = place
        extend(to: next, by: update, count)
        // What it reads beside this, it reads again from there.
        if case .pausing = reading { return true }
        pause()
        return true
    }

    /// Opens the epoch of who is about to lead, behind what the snapshot is of.
    private mutating func announce(_ current: Anchoring) {
        guard let term = office.term else { return anchoring = nil }
        guard chain?.position == current.base else {
            // It has found something else meanwhile.
            anchoring = nil
            anchorIfNeeded()
            return openIfNeeded()
        }
        guard let opening = current.opening ?? sealedOpening(of: term, behind: current.chain) else {
            return
        }
        anchoring?.opening = opening
        let position = current.logPosition
        askAnchor(.announcing, .append(opening.bytes, id: opening.id, after: position))
    }

    /// Whether nothing that others led on to can be had any more: nobody has mended it for so long.
    private var isHopeless: Bool {
        let since = [stuckSince, orphanedSince, aheadSince].compactMap { $0 }.min()
        return since.map { now - $0 >= configuration.rollbackPatience } ?? false
    }

    /// What was measured, or put, is not begun anew because the next part of it failed.
    private mutating func tryAgainLater(_ current: Anchoring) {
        guard current.failures + 1 < Self.attempts else { return anchorLater() }
        let ticket = wait(.anchoring, configuration.retryInterval)
        anchoring?.failures += 1
        anchoring?.ticket = ticket
    }

    mutating func anchoringElapsed() {
        guard let current = anchoring else { return }
        if case .waiting = current.step { return beginAnchoring() }
        askAnchor(current.step, current.request)
    }

    private mutating func anchorLater() {
        guard let current = anchoring else { return }
        guard current.isJump else { return anchoring = nil }
        let ticket = wait(.anchoring, configuration.retryInterval)
        anchoring?.step = .waiting
        anchoring?.failures = 0
        anchoring?.ticket = ticket
    }

    private mutating func take(head value: LogRegisterValue?, _ current: Anchoring) {
        let head = head(in: value)
        if let head, let term = office.term {
            let place = head.snapshot.position
            let isRival = place.epoch == term.epoch && place.writer != term.writer
            see(head.latestEpoch)
            if head.latestEpoch > term.epoch || isRival { return leave(.overwritten) }
            // What it has not gone over to yet may be had, and is more.
            if isFurther(place, than: current.chain.position), head.snapshot.name != triedSnapshot {
                anchoring = nil
                notify(.recovering(.doubt))
                return load(head)
            }
            // Another has begun meanwhile: what is there already is not begun anew.
            let isBeginning = current.chain.position.sequence == 0
            if isBeginning, place.handle != current.chain.position.handle, !isStuck {
                anchoring = nil
                return recover(.doubt)
            }
        }
        if current.isJump, !isLeading, current.openingAt == nil { return announce(current) }
        // Positions of another log than this are no use.
        anchoring?.previous = current.isJump ? nil : head?.snapshot
        let ticket = ticket(.anchoring)
        // Those of later leaderships come later in the order of names, and so do the later ones of one leadership.
        let numbers = [office.epoch ?? 0, current.chain.position.sequence, ticket.number]
        let nonce = UInt64.random(in: .min ... .max, using: &random)
        // All sixteen digits of each, as a handle is written.
        anchoring?.name = (numbers + [nonce]).map { HistoryHandle(rawValue: $0).description }
            .joined(separator: "-")
        anchoring?.step = .encoding(revision: value?.revision)
        anchoring?.ticket = ticket
        effects.append(.encode(snapshot(of: current.chain), ticket))
    }

    /// Whether a snapshot is of something that others have led on to.
    func isFurther(_ place: ChainPosition, than own: ChainPosition) -> Bool {
        place.handle == own.handle && place.sequence > own.sequence && place.epoch >= own.epoch
    }

    mutating func encoded(_ bytes: [UInt8], _ ticket: LogTicket) {
        guard let current = anchoring, ticket == current.ticket,
            case .encoding(let revision) = current.step
        else { return }
        anchoring?.byteCount = bytes.count
        put(bytes, 0, revision)
    }

    private mutating func put(_ bytes: [UInt8], _ index: Int, _ revision: UInt64?) {
        guard let current = anchoring else { return }
        let size = max(1, configuration.chunkByteCount)
        let start = index * size
        if start < bytes.count {
            let chunk = Array(bytes[start..<min(bytes.count, start + size)])
            return askAnchor(
                .putting(bytes, next: index + 1, revision: revision),
                .put(chunk, index: index, snapshot: current.name)
            )
        }
        let head = LogHead(
            snapshot: LogHead.Snapshot(
                name: current.name,
                chunks: index,
                bytes: bytes.count,
                position: current.chain.position,
                logPosition: current.logPosition
            ),
            previous: current.previous,
            epoch: office.epoch ?? 0,
            writer: office.writer ?? 0
        )
        anchoring?.head = head
        askAnchor(
            .setting,
            .set(head.encoded(key: configuration.key), .head, expecting: revision)
        )
    }
}
