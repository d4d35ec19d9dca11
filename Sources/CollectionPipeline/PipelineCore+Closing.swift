import CollectionElements
import Synchronization

// The end: every outstanding completion runs before the callback of the close, which is the last.

extension PipelineCore {
    func close(
        draining: Bool,
        deadlineNanoseconds: UInt64?,
        _ completion: (@Sendable () -> Void)?
    ) {
        if phase == .closed {
            if let completion { lane.enqueue(completion) }
            return
        }
        if let completion { closeCallbacks.append(completion) }
        if phase == .open {
            phase = .closing
            observe(.closing, nil, nil) { $0.backlog = ledger.backlog }
            cancelWaiting()
        }
        if !draining {
            cancelAccepted()
        } else if let deadlineNanoseconds, !ledger.isEmpty {
            environment.schedule(afterNanoseconds: deadlineNanoseconds, on: lane) { [self] in
                if phase == .closing {
                    cancelAccepted()
                    finishClosingIfDone()
                }
            }
        }
        finishClosingIfDone()
    }

    /// The controller was dropped without closing.
    func abandon() {
        close(draining: false, deadlineNanoseconds: nil, nil)
    }

    /// What has not been accepted yet never will be.
    private func cancelWaiting() {
        for entry in suspended {
            complete(
                entry.completion.map { [$0] } ?? [],
                entry.id,
                .cancelled,
                context: entry.context
            )
        }
        suspended = []
        if let batch {
            // Its end will not come, or will find nothing.
            batch.isOpen = false
            self.batch = nil
            complete(batch.completions, batch.id, .cancelled, context: batch.context)
        }
        // They find the controller closing.
        let waiting = deferred
        deferred = []
        for work in waiting { work() }
    }

    private func cancelAccepted() {
        isCancelled.store(true, ordering: .releasing)
        for entry in ledger.removeAll() {
            complete(
                entry.submission.completions,
                entry.submission.id,
                entry.phase >= .deployed ? entry.outcome : .cancelled,
                context: entry.submission.context
            )
        }
        recovery = nil
        notifyHandOverWaiters()
    }

    func finishClosingIfDone() {
        guard phase == .closing, ledger.isEmpty else { return }
        phase = .closed
        notifyHandOverWaiters()
        notifyIfProcessed()
        // Behind every completion, which were enqueued before.
        lane.enqueue { [self] in
            notifyIfSynchronized()
            lane.enqueue { [self] in
                observe(.closed, nil, nil)
                let callbacks = closeCallbacks
                closeCallbacks = []
                for callback in callbacks { callback() }
            }
        }
    }
}
