import CollectionChanges
import CollectionPublishing

// MARK: - Opening an epoch

extension Member {
    /// Opens the member's epoch once the member has read to the end of the log.
    mutating func openIfNeeded() {
        guard case .opening(let term) = leadershipState, pending.isEmpty, isFollowing, isCurrent,
            publication == nil, let chain
        else { return }
        // Another member may have opened a later epoch.
        if chain.position.epoch >= term.epoch { return leave(.fenced) }
        guard term.hasFenced else { return fence() }
        guard let opening = sealedOpening(of: term, behind: chain) else { return }
        enqueue(opening)
        append()
    }

    /// Returns the record that opens an epoch. Returns `nil` if the epoch cannot be opened; the
    /// member has then left or claims a later epoch.
    mutating func sealedOpening(of term: LeadershipState.Term, behind chain: LogChain)
        -> PendingRecord?
    {
        let earlier = opening.flatMap { $0.chain.position.isOf(term) ? $0 : nil }
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
            self.opening = opening
            return opening
        } catch {
            notify(.unpublishable(error.message))
            wantsLeadership = false
            leave(.unpublishable)
            return nil
        }
    }

    /// Starts to lead: the opening record was read back.
    mutating func began(_ opening: PublishedUpdate, _ chain: LogChain, _ term: LeadershipState.Term)
    {
        leadershipState = .leading(term)
        sourceBase = nil
        seenRequest = nil
        unshown = FIFO()
        show(opening, chain, after: previousOfOpening(opening, chain))
        journaledThrough = 0
        if hasJournal { effects.append(.rebaseJournal(snapshot(of: chain))) }
        notify(.leading(epoch: term.epoch))
        let snapshot = PublishedSnapshot(
            version: chain.version,
            state: chain.contents.state,
            digest: chain.contents.value
        )
        effects.append(.began(snapshot))
    }

    private func previousOfOpening(
        _ opening: PublishedUpdate,
        _ chain: LogChain
    ) -> ChainPosition? {
        shown?.sequence == chain.position.sequence - 1 && shown?.version == opening.from.number
            ? shown : nil
    }
}

// MARK: - Fencing

// Before a member opens an epoch, it sets the head once more, with that epoch in it. No earlier
// leader can then place a snapshot after the opening record, and the new leader knows every
// snapshot before it.

extension Member {
    /// Reads the head, unless a read is in progress.
    private mutating func fence() {
        if fenceTicket == nil { fenceTicket = ask(.fencing, .register(.head)) }
    }

    /// Reads the head while the member leads, because no record of the log reveals a change of the
    /// head.
    mutating func monitorHead() { if isLeading { fence() } }

    /// Leaves if another member has started a later epoch with a snapshot. Sets the head again if
    /// the chain did not pass through the head's snapshot.
    private mutating func look(at head: LogHead) {
        see(head.latestEpoch)
        if head.latestEpoch > leadershipState.epoch ?? 0 { return leave(.overwritten) }
        guard isFollowing, let own = chain?.position, let tip else { return }
        let place = head.snapshot.position
        // An earlier leader set the head late, after the broker had forgotten newer values. From
        // that head no member reaches this chain.
        if place.handle == own.handle, !hasPassed(place) { anchor(tip) }
    }

    /// Records that the head contains the epoch of the member that is about to lead.
    mutating func hasFenced() {
        guard case .opening(var term) = leadershipState else { return }
        term.hasFenced = true
        leadershipState = .opening(term)
    }

    mutating func fenceAnswered(_ answer: LogAnswer) {
        fenceTicket = nil
        if isLeading, case .register(let value) = answer, let head = head(in: value) {
            look(at: head)
        }
        guard case .opening(let term) = leadershipState, isFollowing, let chain else { return }
        switch answer {
        case .register(let value):
            guard var head = head(in: value) else {
                return recover(.unverifiedPosition, isLate: true)
            }
            let place = head.snapshot.position
            see(head.latestEpoch)
            if head.latestEpoch > term.epoch { return leave(.overwritten) }
            guard place.handle == chain.position.handle, hasPassed(place) else {
                return recover(.unverifiedPosition)
            }
            headPosition = head.snapshot.logPosition
            (head.epoch, head.writer) = (term.epoch, term.writer)
            // With a lapsed lease, the member tries again after the next read.
            if hasLapsed { return }
            let bytes = head.encoded(key: configuration.key)
            fenceTicket = ask(.fencing, .set(bytes, .head, expecting: value?.revision))
        case .revision:
            hasFenced()
            openIfNeeded()
        case .failed(let error) where error.code == .conflict: fence()
        // After another failure, the member tries again after the next read.
        default: break
        }
    }
}

// MARK: - Sealing

extension Member {
    /// Seals an update of the source as a record.
    mutating func publish(_ change: SourceChange) {
        guard isLeading, let tip else { return }
        let base = sourceBase ?? tip.position.version + 1
        sourceBase = base
        let (version, overflows) = base.addingReportingOverflow(change.number)
        do throws(SealingError) {
            var record: PendingRecord
            switch change {
            case .everything(let state, _):
                record = try tip.sealed(state, version: overflows ? .max : version)
            case .update(let changeSet, let contents, _):
                record = try tip.sealed(changeSet, contents, version: overflows ? .max : version)
            }
            record.number = change.number
            seal(record)
        } catch {
            notify(.unpublishable(error.message))
            wantsLeadership = false
            leave(.unpublishable)
        }
    }

    private mutating func seal(_ record: PendingRecord) {
        enqueue(record)
        unshown.append(record)
        if hasJournal { effects.append(.journal(record)) }
        showPending()
        append()
        let isFull =
            pending.count >= configuration.pendingRecordLimit
            || pendingBytes >= configuration.pendingByteLimit
        guard isFull else { return }
        if configuration.visibility == .afterBroker {
            isSourcePaused = true
        } else {
            collapse()
        }
    }

    mutating func enqueue(_ record: PendingRecord) {
        pending.append(record)
        pendingBytes += record.bytes.count
        // The record that opens an epoch is small, and no member can lead without it.
        if isLeading, record.bytes.count > configuration.recordByteLimit {
            detours.insert(record.sequence)
        }
    }

    mutating func dropPending() {
        pending = FIFO()
        pendingBytes = 0
        detours = []
        forgetAppends()
        isSourcePaused = false
    }

    private mutating func forgetAppends() {
        outstanding = []
        outstandingBytes = 0
        appended = 0
        mustAppendAgain = false
        conflictPosition = 0
    }

    /// Replaces all pending records with a snapshot of the newest state, because too many wait for
    /// the broker.
    private mutating func collapse() {
        guard let last = pending.last else { return }
        pending = FIFO()
        pending.append(last)
        pendingBytes = last.bytes.count
        detours = [last.sequence]
        forgetAppends()
        append()
    }

    mutating func resumeSourceIfRoom() {
        guard isSourcePaused, pending.count <= configuration.pendingRecordLimit / 2,
            pendingBytes <= configuration.pendingByteLimit / 2
        else { return }
        isSourcePaused = false
        effects.append(.resumeSource)
    }
}

// MARK: - Appending

extension Member {
    /// Appends the pending records that may be appended now.
    mutating func append() {
        // If the lease has lapsed, appending continues after the next renewal.
        guard holdsLease, !hasLapsed, isFollowing, publication?.isJump != true else { return }
        if mustAppendAgain {
            guard outstanding.isEmpty else { return }
            // Records in the log that were not read yet may be the pending ones.
            guard position >= conflictPosition else { return waitToAppend() }
            (appended, mustAppendAgain, conflictPosition) = (0, false, 0)
        }
        if appended == 0 { nextPosition = position }
        while appended < pending.count,
            outstanding.count < max(1, configuration.inFlightRecordLimit),
            outstanding.isEmpty || outstandingBytes < configuration.inFlightByteLimit
        {
            let record = pending[appended]
            if detours.contains(record.sequence) {
                // All records before it must be confirmed first.
                if appended == 0 { anchor(record.chain) }
                return
            }
            guard isJournaled(record) else { return }
            let ticket = ask(
                .appending,
                .append(record.bytes, id: record.id, after: nextPosition)
            )
            outstanding.insert(ticket.number)
            outstandingBytes += record.bytes.count
            appended += 1
            nextPosition += 1
        }
    }

    /// Returns whether the journal contains a record that it must contain. An opening record
    /// contains nothing that could be lost.
    private func isJournaled(_ record: PendingRecord) -> Bool {
        !hasJournal || !isLeading || record.sequence <= journaledThrough
    }

    mutating func appendAnswered(_ ticket: LogTicket, _ answer: LogAnswer) {
        guard outstanding.remove(ticket.number) != nil else { return }
        if outstanding.isEmpty { outstandingBytes = 0 }
        if case .failed(let error) = answer {
            mustAppendAgain = true
            conflictPosition = max(conflictPosition, error.last ?? 0)
            if error.code == .rejected, isLeading, let first = pending.first {
                detours.insert(first.sequence)
            }
            if outstanding.isEmpty { waitToAppend() }
            return
        }
        // The reported position is not trusted: the record is read back.
        append()
    }

    private mutating func waitToAppend() {
        guard !isWaitingToAppend else { return }
        isWaitingToAppend = true
        wait(.appending, configuration.retryInterval)
    }
}

// MARK: - Showing

extension Member {
    /// Shows the update of a record, or the resulting state if readers have another state.
    mutating func show(_ update: PublishedUpdate, _ chain: LogChain, after previous: ChainPosition?)
    {
        guard shown == previous, shown != nil else { return jump(to: chain) }
        shown = chain.position
        effects.append(.show(update, chain.contents))
    }

    mutating func jump(to chain: LogChain) {
        if shown == chain.position { return }
        shown = chain.position
        effects.append(.jump(chain.contents, chain.version))
    }

    /// Shows the sealed records that may be visible now.
    mutating func showPending() {
        while let next = unshown.first, mayShow(next) {
            _ = unshown.popFirst()
            show(next.update, next.chain, after: shown)
            if let number = next.number {
                effects.append(.shown(source: number, next.chain.version))
            }
        }
    }

    private func mayShow(_ record: PendingRecord) -> Bool {
        switch configuration.visibility {
        case .immediately: true
        case .afterLocalSync:
            !hasJournal || record.sequence <= journaledThrough
        case .afterBroker:
            record.sequence <= chain?.position.sequence ?? 0
        }
    }
}

// MARK: - Resigning

extension Member {
    /// Resigns at the application's request. The member also releases the lease, so that other
    /// members need not wait for it to expire.
    mutating func stepDown() {
        wantsLeadership = false
        let term = leadershipState.term
        if holdsLease { leave(.requested) }
        leadershipState = .none
        leaseTicket = nil
        if let term, let revision = term.revision {
            var lease = LogLease(writer: 0, epoch: term.epoch)
            lease.renewal = term.renewal + 1
            let bytes = lease.encoded(key: configuration.key)
            ask(.leasing, .set(bytes, .lease, expecting: revision))
        }
    }

    /// Stops leading, or trying to lead. A member that wants to lead campaigns again.
    mutating func leave(_ reason: ResignationReason) {
        let wasLeading = isLeading
        // The member would have continued from the snapshot, which it no longer publishes.
        if publication?.isJump == true { isFollowing = false }
        // The member keeps the state that its readers saw until the log continues from another one.
        if reason != .fenced, wasLeading, let last = shownPending() {
            chain = last.chain
            remember(last.chain.position)
            isFollowing = false
        }
        dropPending()
        unshown = FIFO()
        publication = nil
        leadershipState = wantsLeadership ? .campaigning(nil) : .none
        if wantsLeadership { waitForLease(configuration.leaseDuration / 4) }
        if wasLeading {
            notify(.resigned(reason))
            effects.append(.ended(reason))
        }
        // The lease revealed the loss of leadership, so the member must still find its place in the
        // log.
        if !isFollowing, case .following = reading {
            recover(wasLeading ? nil : .unverifiedPosition)
        }
    }

    /// Returns the last pending record that readers saw.
    private func shownPending() -> PendingRecord? {
        guard configuration.visibility != .afterBroker else { return nil }
        return (0..<pending.count).reversed().lazy.map { pending[$0] }
            .first { $0.chain.position == shown }
    }
}
