import CollectionChanges
import CollectionPublishing

/// The progress of publishing a snapshot.
struct SnapshotPublication: Sendable {
    enum Step: Sendable {
        case waiting
        case creating
        case measuring
        case announcing
        case readingHead
        case encoding(revision: UInt64?)
        case putting([UInt8], next: Int, revision: UInt64?)
        case setting
        case purging
        case removing
    }

    var chain: LogChain
    /// Whether the log lacks the records that lead to the snapshot, and must continue from the
    /// snapshot itself.
    let isJump: Bool
    /// The last record that the member has applied, including records that were applied as part of
    /// the snapshot.
    var base: ChainPosition?
    /// The position after which the log continues the snapshot.
    var logPosition: UInt64
    /// The record that opens the epoch of a member that is about to lead. It is in the log before
    /// the head refers to the snapshot, so that no record of an earlier epoch can come between
    /// them.
    var opening: PendingRecord?
    /// The log position at which the opening record was found.
    var openingAt: UInt64?
    var name = ""
    var step = Step.waiting
    /// The last request.
    var request = LogRequest.create
    /// The number of consecutive failures of the current step.
    var failures = 0
    var head: LogHead?
    var previous: LogHead.Snapshot?
    var byteCount = 0

    /// Includes a record that led to `chain`.
    mutating func include(_ chain: LogChain) {
        (self.chain, base) = (chain, chain.position)
        // No member that has applied this record can apply the earlier opening record.
        (opening, openingAt) = (nil, nil)
    }
}

/// The reasons for the next snapshot: the records since the leader's last one, and requests.
struct SnapshotSchedule {
    private var recordCount = 0
    private var byteCount = 0
    private var snapshotByteCount = 0
    /// The time of the member's last request for a snapshot.
    fileprivate var requestedAt: Duration?
    /// The revision of the last request that a leader has seen.
    private var seenRequest: UInt64?

    mutating func applied(_ byteCount: Int) {
        recordCount += 1
        self.byteCount += byteCount
    }

    fileprivate mutating func published(_ bytes: Int) {
        (recordCount, byteCount, snapshotByteCount) = (0, 0, bytes)
    }

    fileprivate func isDue(_ interval: Int) -> Bool {
        recordCount >= max(1, interval) && byteCount >= snapshotByteCount
    }

    /// Forgets the requests to earlier leaders.
    mutating func beginLeading() { seenRequest = nil }

    /// Records a request. Returns whether it has been made since the leader read the previous one.
    fileprivate mutating func isNew(_ revision: UInt64) -> Bool {
        exchange(&seenRequest, with: revision).map { $0 != revision } ?? false
    }
}

extension Member {
    /// Publishes a snapshot from which the log continues, because the log lacks the records that
    /// lead to the chain's state.
    mutating func anchor(_ chain: LogChain) {
        if publication?.isJump == true { return }
        let base = self.chain?.position
        begin(SnapshotPublication(chain: chain, isJump: true, base: base, logPosition: 0))
    }

    /// Whether the state of the log requires that a member restarts it.
    var requiresRestart: Bool { obstacles.requireRestart(at: now) }

    /// Restarts the log from the member's own state, if the log requires it and the member holds
    /// the lease.
    mutating func restartLogIfNeeded() {
        guard holdsLease, requiresRestart, publication?.isJump != true else { return }
        // The member opens its epoch with a new record, after the snapshot.
        if !isLeading { pending.removeAll() }
        if let tip { return anchor(tip) }
        let chain = LogChain(
            beginning: HistoryID(rawValue: .random(in: .min ... .max, using: &random)),
            // Not 0, which is the version of readers that have received nothing.
            at: .random(in: 1..<1 << 31, using: &random),
            key: configuration.key,
            limits: configuration.limits
        )
        anchor(chain)
    }

    /// Publishes a snapshot of the confirmed state at regular intervals.
    mutating func takeSnapshotIfDue() {
        guard isLeading, publication == nil, let chain,
            schedule.isDue(configuration.snapshotInterval)
        else { return }
        let (base, place) = (chain.position, cursor.position)
        begin(SnapshotPublication(chain: chain, isJump: false, base: base, logPosition: place))
    }

    private mutating func begin(_ publication: SnapshotPublication) {
        self.publication = publication
        // Responses to an earlier publication are ignored.
        _ = effects.ticket(.publication)
        publicationElapsed()
    }

    private mutating func proceed(to step: SnapshotPublication.Step, _ request: LogRequest) {
        // A member with a lapsed lease makes no changes; it sends the request after a delay.
        if hasLapsed, request.isChange {
            effects.wait(.publication, configuration.retryInterval)
        } else {
            effects.ask(.publication, request)
        }
        publication?.step = step
        publication?.request = request
    }

    mutating func publicationAnswered(_ answer: LogAnswer) {
        guard let current = publication else { return }
        if !answer.isFailure { publication?.failures = 0 }
        switch (current.step, answer) {
        case (.creating, .done): measure(from: cursor.isFollowing ? cursor.position + 1 : 1)
        case (.measuring, .batch(let batch)): measure(batch, current)
        case (.announcing, .position), (.announcing, .failed):
            // The response is not trusted: the record is read back.
            if case .failed(let error) = answer, error.code != .conflict {
                return retryPublication()
            }
            measure(from: current.logPosition + 1)
        case (.readingHead, .register(let value)): take(head: value, current)
        case (.putting(let bytes, let next, let revision), .done): put(bytes, next, revision)
        case (.setting, .revision): didPublishSnapshot(current)
        case (.setting, .failed(let error)) where error.code == .conflict:
            // Another member has set the head; the new value shows which one.
            proceed(to: .readingHead, .register(.head))
        case (.purging, _):
            // Late members may still be loading the previous snapshot.
            let names = [current.name, current.head?.previous?.name].compactMap { $0 }
            proceed(to: .removing, .removeSnapshots(before: names.min() ?? current.name))
        case (.removing, _): publication = nil
        case (.measuring, .failed(let error)) where error.code != .missing,
            (.putting, .failed(let error)) where error.code != .missing:
            tryAgainLater(current)
        default: retryPublication()
        }
    }

    private mutating func measure(from position: UInt64) {
        proceed(to: .measuring, .read(from: position, configuration.readLimit, wait: .zero))
    }

    /// Examines the log up to its end. A snapshot must not discard records of other members that
    /// continue its state, or records that this member could have applied.
    private mutating func measure(_ batch: LogBatch, _ current: SnapshotPublication) {
        var place = current.chain.position
        guard let term = leadership.state.term else { return publication = nil }
        if let bytes = current.opening?.bytes, current.openingAt == nil,
            let index = batch.records.firstIndex(of: bytes)
        {
            publication?.openingAt = batch.start + UInt64(index)
        }
        for (index, bytes) in batch.records.enumerated() {
            guard let record = record(in: bytes),
                record.position.handle == place.handle || place.sequence == 0
            else { continue }
            let found = record.position
            leadership.see(found.epoch)
            let isOwn = found.isOf(term)
            // This includes another writer with the same epoch, which is possible if the broker
            // forgot that the epoch was claimed.
            if found.epoch >= term.epoch, !isOwn { return leave(.overwritten) }
            if include(record, at: batch.start + UInt64(index), bytes.count) {
                place = found
                continue
            }
            let isLater = found.epoch > place.epoch && !isOwn
            if isLater, obstacles.delaySnapshot(for: found.epoch, at: now) {
                publication = nil
                return recover(.unverifiedPosition, isLate: true)
            }
        }
        let next = batch.start + UInt64(batch.records.count)
        if !batch.records.isEmpty, next <= batch.last { return measure(from: next) }
        let openingAt = publication?.openingAt
        publication?.logPosition = openingAt.map { $0 - 1 } ?? batch.last
        proceed(to: .readingHead, .register(.head))
    }

    /// Applies a record and includes it in the snapshot, if it continues the snapshot's state.
    /// Returns whether the record was included.
    private mutating func include(_ record: LogRecord, at place: UInt64, _ count: Int) -> Bool {
        // A record after the member's own opening record arrived too late.
        guard !isLeading, let current = publication, place < current.openingAt ?? .max,
            var next = chain, next.position == current.base, !isOwn(record.position),
            case .extended(let update) = next.take(record)
        else { return false }
        publication?.include(next)
        cursor.advance(to: place)
        extend(to: next, by: update, count)
        // A read in progress must restart after this record.
        if case .pausing = reading.phase { return true }
        pause()
        return true
    }

    /// Appends the record that opens the member's epoch after the snapshot's state.
    private mutating func announce(_ current: SnapshotPublication) {
        guard let term = leadership.state.term else { return publication = nil }
        guard chain?.position == current.base else {
            // The member has applied other records since.
            publication = nil
            restartLogIfNeeded()
            return openIfNeeded()
        }
        guard let opening = current.opening ?? sealedOpening(of: term, behind: current.chain) else {
            return
        }
        publication?.opening = opening
        let position = current.logPosition
        proceed(to: .announcing, .append(opening.bytes, id: opening.id, after: position))
    }

    /// Retries the current step after a delay. The completed steps are not repeated.
    private mutating func tryAgainLater(_ current: SnapshotPublication) {
        guard current.failures + 1 < Self.attempts else { return retryPublication() }
        effects.wait(.publication, configuration.retryInterval)
        publication?.failures += 1
    }

    mutating func publicationElapsed() {
        guard let current = publication else { return }
        switch current.step {
        case .waiting where current.isJump: proceed(to: .creating, .create)
        case .waiting: proceed(to: .readingHead, .register(.head))
        default: proceed(to: current.step, current.request)
        }
    }

    private mutating func retryPublication() {
        guard let current = publication else { return }
        guard current.isJump else { return publication = nil }
        effects.wait(.publication, configuration.retryInterval)
        publication?.step = .waiting
        publication?.failures = 0
    }

    private mutating func take(head value: LogRegisterValue?, _ current: SnapshotPublication) {
        let head = head(in: value)
        if let head, let term = leadership.state.term {
            let place = head.snapshot.position
            let isRival = place.epoch == term.epoch && place.writer != term.writer
            leadership.see(head.latestEpoch)
            if head.latestEpoch > term.epoch || isRival { return leave(.overwritten) }
            // The head's snapshot is further than this member's state, and may be loadable.
            if isFurther(place, than: current.chain.position),
                head.snapshot.name != obstacles.unloadableSnapshot
            {
                publication = nil
                effects.notify(.recovering(.unverifiedPosition))
                return load(head)
            }
            // Another member has started a history in the meantime, so this member does not start a
            // second one.
            let isBeginning = current.chain.position.sequence == 0
            let isOther = place.handle != current.chain.position.handle
            if isBeginning, isOther, !obstacles.areStuck(at: now) {
                publication = nil
                return recover(.unverifiedPosition)
            }
        }
        if current.isJump, !isLeading, current.openingAt == nil { return announce(current) }
        // After a jump, the previous snapshot's positions may belong to another log.
        publication?.previous = current.isJump ? nil : head?.snapshot
        let ticket = effects.ticket(.publication)
        // Names of later leaderships sort later, and so do later names of the same leadership.
        let epoch = leadership.state.epoch ?? 0
        let numbers = [epoch, current.chain.position.sequence, ticket.number]
        let nonce = UInt64.random(in: .min ... .max, using: &random)
        // Each number has all sixteen digits, in the form of a handle.
        publication?.name = (numbers + [nonce]).map { HistoryID(rawValue: $0).description }
            .joined(separator: "-")
        publication?.step = .encoding(revision: value?.revision)
        effects.append(.encode(history.snapshot(of: current.chain), ticket))
    }

    /// Returns whether a snapshot continues the member's own state, in the same or a later epoch.
    func isFurther(_ place: ChainPosition, than own: ChainPosition) -> Bool {
        place.handle == own.handle && place.sequence > own.sequence && place.epoch >= own.epoch
    }

    mutating func encoded(_ bytes: [UInt8], _ ticket: LogTicket) {
        guard effects.isNewest(ticket), case .encoding(let revision) = publication?.step
        else { return }
        publication?.byteCount = bytes.count
        put(bytes, 0, revision)
    }

    private mutating func put(_ bytes: [UInt8], _ index: Int, _ revision: UInt64?) {
        guard let current = publication else { return }
        let size = max(1, configuration.chunkByteCount)
        let start = index * size
        if start < bytes.count {
            let chunk = Array(bytes[start..<min(bytes.count, start + size)])
            return proceed(
                to: .putting(bytes, next: index + 1, revision: revision),
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
            epoch: leadership.state.epoch ?? 0,
            writer: leadership.state.term?.writer ?? 0
        )
        publication?.head = head
        let headBytes = head.encoded(key: configuration.key)
        proceed(to: .setting, .set(headBytes, .head, expecting: revision))
    }

    // MARK: Completion

    private mutating func didPublishSnapshot(_ current: SnapshotPublication) {
        schedule.published(current.byteCount)
        knownHead.logPosition = current.logPosition
        leadership.fenced()
        effects.notify(.snapshotTaken(current.chain.version, bytes: current.byteCount))
        if current.isJump {
            publication = nil
            // Another member's record was applied in the meantime, so the snapshot is out of date.
            if isOutdated(current), let tip { return anchor(tip) }
            continueFromSnapshot(of: current)
        } else if let previous = current.previous, previous.logPosition <= current.logPosition {
            return proceed(to: .purging, .purge(through: previous.logPosition))
        }
        publication = nil
        if current.isJump { openIfNeeded() }
        append()
    }

    private func isOutdated(_ publication: SnapshotPublication) -> Bool {
        guard let own = chain?.position, own != publication.base else { return false }
        return !isOwn(own) || own.sequence > publication.chain.position.sequence
    }

    /// Continues from the snapshot, which contains records that the log did not have.
    private mutating func continueFromSnapshot(of current: SnapshotPublication) {
        let chain = current.chain
        pending.removeAll(through: chain.position.sequence)
        history.advance(to: chain)
        cursor.move(to: current.logPosition, record: nil, isCurrent: false)
        obstacles.wereRemoved()
        obstacles.progressed()
        if visibility.shown == nil { jump(to: chain) }
        if let opening = current.opening, case .opening = leadership.state {
            pending.append(opening)
            pending.foundFirst()
        }
        showPending()
        resumeSourceIfRoom()
        follow()
        // Members that follow the log notice the snapshot when they read a record that does not
        // follow their last one.
        if isLeading, pending.records.isEmpty { sealMarker() }
    }

    private mutating func sealMarker() {
        guard let tip else { return }
        pending.skipVersion()
        let shape = tip.contents.state.shape
        let version = tip.position.version + 1
        do throws(SealingError) {
            let marker = try tip.sealed(.unchanged(shape), PublishedContents(), version: version)
            // The record is small, and a snapshot in its place would require another such record.
            pending.append(marker)
            showSealed(marker)
        } catch {
            effects.notify(.unpublishable(error.message))
        }
    }
}

// MARK: - Requests for a new snapshot

// If a record or a chunk of a snapshot is lost, the existing records and snapshots may not lead to
// the end of the log. A follower then requests a new snapshot in a register, at most once per lease
// duration, and the leader publishes one.

extension Member {
    mutating func requestSnapshot() {
        if let last = schedule.requestedAt, now - last < configuration.leaseDuration { return }
        guard !holdsLease else { return }
        schedule.requestedAt = now
        effects.ask(.helping, .register(.request))
    }

    mutating func helpAnswered(_ answer: LogAnswer) {
        effects.forget(.helping)
        guard case .register(let value) = answer else { return }
        if isLeading {
            let isNew = schedule.isNew(value?.revision ?? 0)
            if isNew, cursor.isFollowing, let tip { anchor(tip) }
            return
        }
        guard !holdsLease else { return }
        let sequence = chain?.position.sequence ?? 0
        let nonce = random.next()
        let bytes = RecordFrame.request.encode(key: configuration.key) { writer in
            writer.unsigned(sequence)
            writer.fixed(nonce)
        }.bytes
        effects.ask(.helping, .set(bytes, .request, expecting: value?.revision))
    }
}
