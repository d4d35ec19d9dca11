import CollectionChanges
import CollectionPublishing

extension Member {
    /// Opens its epoch, once it has read to the end of the log.
    mutating func openIfNeeded() {
        guard case .opening(let term) = office, pending.isEmpty, isFollowing, isCurrent,
            anchoring == nil, let chain
        else { return }
        // Another may have opened a later one.
        if chain.position.epoch >= term.epoch { return leave(.fenced) }
        guard term.hasFenced else { return fence() }
        guard let opening = sealedOpening(of: term, behind: chain) else { return }
        enqueue(opening)
        append()
    }

    /// What opens an epoch; nil where that cannot be, and it has left, or stands for a later one.
    mutating func sealedOpening(of term: Office.Term, behind chain: LogChain) -> PendingRecord? {
        let earlier = opening.flatMap { $0.chain.position.isOf(term) ? $0 : nil }
        if let earlier, earlier.update.from == chain.version { return earlier }
        // What it has sealed may be in the log, and others have taken it in: an epoch is opened once.
        if earlier != nil || chain.position.epoch >= term.epoch {
            claimLaterEpoch(term)
            return nil
        }
        // So far that no epoch, of which members had more than is left of it, reaches what comes after it.
        let jump = 1 << 32 + Int.random(in: 0..<1 << 31, using: &random)
        do throws(SealingError) {
            let opening = try chain.opening(epoch: term.epoch, writer: term.writer, jump: jump)
            self.opening = opening
            return opening
        } catch {
            notify(.unpublishable(error.message))
            wantsOffice = false
            leave(.unpublishable)
            return nil
        }
    }

    /// Its epoch is open.
    mutating func began(_ opening: PublishedUpdate, _ chain: LogChain, _ term: Office.Term) {
        office = .leading(term)
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

    /// Does not lead, or try to, any more; stands again where it wants to lead.
    mutating func leave(_ reason: ResignationReason) {
        let wasLeading = isLeading
        // Who puts a snapshot beside the log reads on from there, which it will not come to.
        if anchoring?.isJump == true { isFollowing = false }
        // What readers were shown stays what it has, until the log goes on from something else.
        if reason != .fenced, wasLeading, let last = shownPending() {
            chain = last.chain
            remember(last.chain.position)
            isFollowing = false
        }
        dropPending()
        unshown = FIFO()
        anchoring = nil
        office = wantsOffice ? .standing(nil) : .none
        if wantsOffice { waitForLease(configuration.leaseDuration / 4) }
        if wasLeading {
            notify(.resigned(reason))
            effects.append(.ended(reason))
        }
        // Found out by the lease: where it is in the log is to be found out as well.
        if !isFollowing, case .following = reading { recover(wasLeading ? nil : .doubt) }
    }

    /// The last pending record that readers were shown.
    private func shownPending() -> PendingRecord? {
        guard configuration.visibility != .afterBroker else { return nil }
        return (0..<pending.count).reversed().lazy.map { pending[$0] }
            .first { $0.chain.position == shown }
    }
}
