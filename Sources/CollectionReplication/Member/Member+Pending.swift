import CollectionChanges
import CollectionPublishing

extension Member {
    // MARK: Sealing

    /// Makes a record of what the source published.
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
            wantsOffice = false
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
            pending.count >= configuration.pendingRecords
            || pendingBytes >= configuration.pendingBytes
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
        // What opens an epoch is small, and nobody leads without it.
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

    /// Too much waits for the broker: a snapshot of the newest will stand for all of it.
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
        guard isSourcePaused, pending.count <= configuration.pendingRecords / 2,
            pendingBytes <= configuration.pendingBytes / 2
        else { return }
        isSourcePaused = false
        effects.append(.resumeSource)
    }

    // MARK: Appending

    /// Appends what may be appended by now.
    mutating func append() {
        // With the next renewal it goes on.
        guard holdsLease, !hasLapsed, isFollowing, anchoring?.isJump != true else { return }
        if mustAppendAgain {
            guard outstanding.isEmpty else { return }
            // What the log has beyond what was read may be what was to be appended.
            guard position >= conflictPosition else { return waitToAppend() }
            (appended, mustAppendAgain, conflictPosition) = (0, false, 0)
        }
        if appended == 0 { nextPosition = position }
        while appended < pending.count, outstanding.count < max(1, configuration.inFlightRecords),
            outstanding.isEmpty || outstandingBytes < configuration.inFlightBytes
        {
            let record = pending[appended]
            if detours.contains(record.sequence) {
                // Everything before it is confirmed first.
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

    /// An opening is nothing that could be lost.
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
        // What it says of the position is not believed: it is read back.
        append()
    }

    private mutating func waitToAppend() {
        guard !isWaitingToAppend else { return }
        isWaitingToAppend = true
        wait(.appending, configuration.retryInterval)
    }
}
