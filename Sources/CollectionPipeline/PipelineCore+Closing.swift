import CollectionElements
import Synchronization

// The end: every outstanding completion runs before the callback of the close, which is the last.

extension PipelineCore {
    func close(
        draining: Bool,
        deadlineNanoseconds: UInt64?,
        _ completion: (@Sendable () -> Void)?
    ) {
        if let completion { whenClosed(completion) }
        if phase == .open {
            phase = .closing
            observe(.closing, nil, nil) { $0.backlog = ledger.backlog }
            cancelWaiting()
        }
        if !draining {
            cancelAccepted()
        } else if let deadlineNanoseconds, !ledger.isEmpty {
            environment.schedule(afterNanoseconds: deadlineNanoseconds, on: lane) { [weak self] in
                // Gone long before a generous deadline; where it is done nothing is left to cancel.
                guard let self else { return }
                cancelAccepted()
                finishClosingIfDone()
            }
        }
        finishClosingIfDone()
    }

    func requireNotClosed() {
        require(phase != .closed, "Controller '\(configuration.name)' was used after it was closed")
    }

    /// The controller was dropped without closing.
    func abandon() {
        // One that is being closed ends as its closer wants it to.
        guard phase == .open, !isActive(.forgetsWhenDropped) else { return }
        close(draining: false, deadlineNanoseconds: nil, nil)
    }

    /// What has not been accepted yet never will be.
    private func cancelWaiting() {
        for entry in suspended.removeAll() where !isActive(.forgetsSuspended) {
            entry.cancellation.forget()
            complete([entry.completion], makeSubmissionID(), .cancelled, context: entry.context)
        }
        if let batch {
            // Its end will not come, or will find nothing.
            batch.isOpen = false
            self.batch = nil
            complete(batch.completions, batch.id, .cancelled, context: batch.context)
        }
        // They find the controller closing.
        for work in deferred.removeAll() { work() }
    }

    private func cancelAccepted() {
        isCancelled.store(true, ordering: .releasing)
        for entry in ledger.removeAll() {
            if isActive(.completesTwice) { complete([entry]) }
            complete(
                entry.submission.completions,
                entry.submission.id,
                entry.phase >= .deployed ? entry.outcome : .cancelled,
                context: entry.submission.context
            )
        }
        recovery = nil
        // Nothing is handed over any more that could tell them.
        if !isActive(.forgetsWaiters) { notifyHandOverWaiters() }
        notifyIfProcessed()
    }

    func finishClosingIfDone() {
        guard phase == .closing, ledger.isEmpty, !isFinishingClose else { return }
        isFinishingClose = true
        if isActive(.closesEarly) { return finishClosing() }
        lane.enqueue { [self] in finishClosing() }
    }

    /// Waits, turn by turn, until every completion and callback has run; then calls those of the
    /// close. Until then the controller is closing, so that what a completion submits is refused. Whoever
    /// waits for an end has been told by then: each completion looks whether it was the last, and each
    /// hand-over, or the cancelling of what is left, whether anything is to be handed over.
    private func finishClosing() {
        guard scheduledCallbacks == 0 || isActive(.closesEarly) else {
            lane.enqueue { [self] in finishClosing() }
            return
        }
        phase = .closed
        observe(.closed, nil, nil)
        isQuiet.store(true, ordering: .releasing)
        let callbacks = closeCallbacks
        closeCallbacks = []
        hasCalledCloseCallbacks = true
        for callback in callbacks { callback() }
    }
}
