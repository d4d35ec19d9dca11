import CollectionPublishing

// MARK: - Opening an epoch

extension Member {
    /// Opens the member's epoch once the member has read to the end of the log.
    mutating func openIfNeeded() {
        guard case .opening(let term) = leadership.state, pending.records.isEmpty,
            cursor.isFollowing, cursor.isCurrent, publication == nil, let chain
        else { return }
        // Another member may have opened a later epoch.
        if chain.position.epoch >= term.epoch { return leave(.fenced) }
        guard term.hasFenced else { return fence() }
        guard let opening = sealedOpening(of: term, behind: chain) else { return }
        // The record is small, and no member can lead without it.
        pending.append(opening)
        append()
    }

    /// Returns the record that opens an epoch. Returns `nil` if the epoch cannot be opened; the
    /// member has then left or claims a later epoch.
    mutating func sealedOpening(of term: LeadershipState.Term, behind chain: LogChain)
        -> PendingRecord?
    {
        let earlier = leadership.opening.flatMap { $0.chain.position.isOf(term) ? $0 : nil }
        if let earlier, earlier.update.from == chain.version { return earlier }
        // The earlier record may be in the log, and other members may have applied it: an epoch is
        // opened only once.
        if earlier != nil || chain.position.epoch >= term.epoch {
            claimLaterEpoch(term)
            return nil
        }
        // Larger than the number of versions of any epoch. Members may have versions of the last
        // epoch that the log has lost, and these numbers must not be reused.
        let jump = 1 << 32 + Int.random(in: 0..<1 << 31, using: &random)
        do throws(SealingError) {
            let opening = try chain.opening(epoch: term.epoch, writer: term.writer, jump: jump)
            leadership.opening = opening
            return opening
        } catch {
            cannotSeal(error)
            return nil
        }
    }

    /// Starts to lead: the opening record was read back.
    mutating func began(_ opening: PublishedUpdate, _ chain: LogChain, _ term: LeadershipState.Term)
    {
        leadership.began(term)
        pending.beginSource()
        schedule.beginLeading()
        visibility.reset()
        let shown = visibility.shown
        let isNext =
            shown?.sequence == chain.position.sequence - 1 && shown?.version == opening.from.number
        show(opening, chain, after: isNext ? shown : nil)
        if visibility.hasJournal {
            effects.append(.rebaseJournal(history.snapshot(of: chain)))
        }
        effects.notify(.leading(epoch: term.epoch))
        let snapshot = PublishedSnapshot(
            version: chain.version,
            state: chain.contents.state,
            digest: chain.contents.value
        )
        effects.append(.began(snapshot))
    }
}

// MARK: - Fencing

// Before a member opens an epoch, it sets the head once more, with that epoch in it. No earlier
// leader can then place a snapshot after the opening record, and the new leader knows every
// snapshot before it.

/// A member's record of the head that it last read or set.
struct KnownHead {
    /// The log position from which the log continues the head's snapshot. If the broker rolls back,
    /// one of the member's own records may end up at or before this position, where members that
    /// join later do not read it.
    var logPosition: UInt64?
    /// An epoch in the head that is later than the member's, and whether the member has recovered
    /// because of it.
    private var laterEpoch: (epoch: UInt64, isReported: Bool)?

    /// Returns whether the log continues the head's snapshot only after a record that was applied
    /// at a position. Returns `true` once, because the head is then set again.
    mutating func isAhead(of position: UInt64) -> Bool {
        guard let logPosition, position <= logPosition else { return false }
        self.logPosition = nil
        return true
    }

    /// Returns whether the head also named this later epoch at the previous check, and no record of
    /// the epoch has arrived since. Returns `true` once per epoch: a member that opens an epoch
    /// sets the head first, and may stop before it appends the record.
    mutating func isUnreached(_ epoch: UInt64, by own: UInt64) -> Bool {
        guard epoch > own else { return false }
        let last = laterEpoch
        laterEpoch = (epoch, isReported: last?.epoch == epoch)
        return last?.epoch == epoch && last?.isReported == false
    }
}

extension Member {
    /// Reads the head, unless a read is in progress.
    mutating func fence() {
        if !effects.isAwaiting(.fencing) { effects.ask(.fencing, .register(.head)) }
    }

    /// Leaves if another member has started a later epoch with a snapshot. Sets the head again if
    /// the chain did not pass through the head's snapshot.
    private mutating func look(at head: LogHead) {
        leadership.see(head.latestEpoch)
        if head.latestEpoch > leadership.state.epoch ?? 0 { return leave(.overwritten) }
        guard cursor.isFollowing, let own = chain?.position, let tip else { return }
        let place = head.snapshot.position
        // An earlier leader set the head late, after the broker had forgotten newer values. From
        // that head no member reaches this chain.
        if place.handle == own.handle, !history.hasPassed(place) { anchor(tip) }
    }

    mutating func fenceAnswered(_ answer: LogAnswer) {
        effects.forget(.fencing)
        if isLeading, case .register(let value) = answer, let head = head(in: value) {
            look(at: head)
        }
        guard case .opening(let term) = leadership.state, cursor.isFollowing, let chain
        else { return }
        switch answer {
        case .register(let value):
            guard var head = head(in: value) else {
                return recover(.unverifiedPosition, isLate: true)
            }
            let place = head.snapshot.position
            leadership.see(head.latestEpoch)
            if head.latestEpoch > term.epoch { return leave(.overwritten) }
            guard place.handle == chain.position.handle, history.hasPassed(place) else {
                return recover(.unverifiedPosition)
            }
            knownHead.logPosition = head.snapshot.logPosition
            (head.epoch, head.writer) = (term.epoch, term.writer)
            // With a lapsed lease, the member tries again after the next read.
            if hasLapsed { return }
            let bytes = head.encoded(key: configuration.key)
            effects.ask(.fencing, .set(bytes, .head, expecting: value?.revision))
        case .revision:
            leadership.fenced()
            openIfNeeded()
        case .failed(let error) where error.code == .conflict: fence()
        // After another failure, the member tries again after the next read.
        default: break
        }
    }

    // MARK: Sealing

    /// Seals an update of the source as a record.
    mutating func publish(_ change: SourceChange) {
        guard isLeading, let tip else { return }
        let version = pending.version(of: change.number, after: tip.position.version)
        do throws(SealingError) {
            var record: PendingRecord
            switch change {
            case .everything(let state, _): record = try tip.sealed(state, version: version)
            case .update(let changeSet, let contents, _):
                record = try tip.sealed(changeSet, contents, version: version)
            }
            record.number = change.number
            let isDetour = record.bytes.count > configuration.recordByteLimit
            pending.append(record, isDetour: isDetour)
            showSealed(record)
            append()
        } catch {
            return cannotSeal(error)
        }
        if configuration.visibility == .afterBroker {
            if pending.isBusy(configuration) { pending.pauseSource() }
        } else if pending.isFull(configuration) {
            // A snapshot of the newest state replaces the records, because too many wait.
            pending.collapse()
            append()
        }
    }

    private mutating func cannotSeal(_ error: SealingError) {
        effects.notify(.unpublishable(error.message))
        leave(.unpublishable)
    }
}

// MARK: - Showing

/// The records that readers of the member's own hub see. Sealed records become visible in order.
struct Visibility {
    let hasJournal: Bool
    /// The sequence number of the last record that the journal contains.
    private(set) var journaledThrough: UInt64 = 0
    /// The records that were sealed and are not visible yet.
    fileprivate(set) var unshown = FIFO<PendingRecord>()
    /// The last position that was shown to readers.
    fileprivate(set) var shown: ChainPosition?

    mutating func journaled(through sequence: UInt64) {
        journaledThrough = max(journaledThrough, sequence)
    }

    /// Returns whether the journal, if there is one, contains a record.
    func isJournaled(_ record: PendingRecord) -> Bool {
        !hasJournal || record.sequence <= journaledThrough
    }

    /// Forgets the records of a leadership.
    mutating func reset() { (unshown, journaledThrough) = (FIFO(), 0) }
}

extension Member {
    /// Shows the update of a record, or the resulting state if readers have another state.
    mutating func show(_ update: PublishedUpdate, _ chain: LogChain, after previous: ChainPosition?)
    {
        guard let shown = visibility.shown, shown == previous else { return jump(to: chain) }
        visibility.shown = chain.position
        effects.append(.show(update, chain.contents))
    }

    mutating func jump(to chain: LogChain) {
        if visibility.shown == chain.position { return }
        visibility.shown = chain.position
        effects.append(.jump(chain.contents, chain.version))
    }

    /// Adds a sealed record to the journal, and shows it if it may be visible now.
    mutating func showSealed(_ record: PendingRecord) {
        visibility.unshown.append(record)
        if visibility.hasJournal { effects.append(.journal(record)) }
        showPending()
    }

    /// Shows the sealed records that may be visible now.
    mutating func showPending() {
        while let next = visibility.unshown.first, mayShow(next) {
            _ = visibility.unshown.popFirst()
            show(next.update, next.chain, after: visibility.shown)
            if let number = next.number {
                effects.append(.shown(source: number, next.chain.version))
            }
        }
    }

    private func mayShow(_ record: PendingRecord) -> Bool {
        switch configuration.visibility {
        case .immediately: true
        case .afterLocalSync: visibility.isJournaled(record)
        case .afterBroker: record.sequence <= chain?.position.sequence ?? 0
        }
    }
}
