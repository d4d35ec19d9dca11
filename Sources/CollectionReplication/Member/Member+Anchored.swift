import CollectionChanges
import CollectionPublishing

// The head says that the log goes on from a snapshot.

extension Member {
    mutating func anchored(_ current: Anchoring) {
        snapshotBytes = current.byteCount
        headPosition = current.logPosition
        hasFenced()
        (recordsSinceSnapshot, bytesSinceSnapshot) = (0, 0)
        notify(.snapshotTaken(current.chain.version, bytes: current.byteCount))
        if current.isJump {
            anchoring = nil
            // Somebody else's record was taken in meanwhile, so the head says too little.
            if isOutdated(current), let tip { return anchor(tip) }
            goOn(from: current)
        } else if let previous = current.previous, previous.logPosition <= current.logPosition {
            return askAnchor(.purging, .purge(through: previous.logPosition))
        }
        anchoring = nil
        if current.isJump { openIfNeeded() }
        append()
    }

    private func isOutdated(_ anchoring: Anchoring) -> Bool {
        guard let own = chain?.position, own != anchoring.base else { return false }
        return !isOwn(own) || own.sequence > anchoring.chain.position.sequence
    }

    /// The log goes on from a snapshot of what it did not have.
    private mutating func goOn(from current: Anchoring) {
        let chain = current.chain
        while let first = pending.first, first.sequence <= chain.position.sequence {
            _ = pending.popFirst()
            pendingBytes -= first.bytes.count
            detours.remove(first.sequence)
        }
        self.chain = chain
        remember(chain.position)
        (position, acceptedAt, checked) = (current.logPosition, nil, nil)
        (isOrphaned, aheadSince) = (false, nil)
        (fruitlessRecoveries, stuckSince) = (0, nil)
        outstanding = []
        (outstandingBytes, appended, mustAppendAgain) = (0, 0, false)
        if shown == nil { jump(to: chain) }
        if let opening = current.opening, case .opening = office {
            enqueue(opening)
            appended = 1
        }
        showPending()
        resumeSourceIfRoom()
        isCurrent = false
        follow()
        // Who reads along learns of it by the next record, which does not follow on what they have.
        if isLeading, pending.isEmpty { mark() }
    }

    private mutating func mark() {
        guard let tip else { return }
        sourceBase = sourceBase.map { $0 + 1 }
        let shape = tip.contents.state.shape
        let version = tip.position.version + 1
        do throws(SealingError) {
            let mark = try tip.sealed(.unchanged(shape), PublishedContents(), version: version)
            enqueue(mark)
            // It is small; and a snapshot in its place would have a mark of its own.
            detours.remove(mark.sequence)
            unshown.append(mark)
            if hasJournal { effects.append(.journal(mark)) }
            showPending()
        } catch {
            notify(.unpublishable(error.message))
        }
    }
}
