import CollectionElements
import Synchronization

// The end: every outstanding completion runs before the callback of the close, which is the last.

extension PipelineCore {
    func close(
        draining: Bool,
        timeout: Duration?,
        _ completion: (@Sendable () -> Void)?
    ) {
        if let completion { whenClosed(completion) }
        if shutdown.closeRequested() {
            observe(.closing, nil, nil) { $0.backlog = delivery.backlog }
            cancelWaiting()
            putOffWork.removeAll()
        }
        if !draining {
            cancelAccepted()
        } else if let timeout, !delivery.isEmpty {
            environment.schedule(after: timeout, on: lane) { [weak self] in
                // Gone long before a generous deadline; where it is done nothing is left to cancel.
                guard let self else { return }
                cancelAccepted()
                proceed()
            }
        }
        proceed()
    }

    /// Why what was not accepted when a close began never is.
    var closingError: UpdateError {
        let state = shutdown.isClosed ? "closed" : "closing"
        return UpdateError(.closed, "Controller '\(configuration.name)' is \(state)")
    }

    /// The controller was dropped without closing.
    func abandon() {
        if shutdown.isClosedByAbandoning() {
            close(draining: false, timeout: nil, nil)
        }
    }

    /// Calls `callback` when the controller is closed, by whomever. Main lane.
    func whenClosed(_ callback: @escaping @Sendable () -> Void) {
        if !shutdown.awaited(callback) { lane.enqueue(callback) }
    }

    /// What has not been accepted yet never will be.
    private func cancelWaiting() {
        // Its end will not come, or will find nothing.
        if let batch = endBatch() {
            let error = located(closingError, batch.id)
            reject(error, completions: batch.completions, context: batch.context)
        }
        for visitor in admission.closed() {
            leaves(visitor)
            visitor.sendAway(.closing)
        }
        applier?.closed()
    }

    private func cancelAccepted() {
        isCancelled.store(true, ordering: .releasing)
        complete(delivery.cancelled())
    }

    /// A turn of the shutdown: the end, where nothing has come up since it was enqueued.
    func end() {
        // Where another thread is telling the observer something, its end enqueues this again.
        guard eventGate.shut() else { return }
        guard let callbacks = shutdown.turnCame() else { return proceed() }
        // Nobody waits any longer, which is told before the last event.
        watch()
        view?.controllerDidClose()
        observe(.closed, nil, nil)
        isQuiet = true
        for callback in callbacks { callback() }
    }
}

// Submissions that ask the data source for nothing: an empty collection.

extension PipelineCore {
    /// Replaces everything by nothing, without asking the data source; what comes next is a first
    /// load again.
    @discardableResult
    func clear(_ request: SubmissionRequest) throws(UpdateError) -> SubmissionID {
        try admit(request)
        let id = try submit(request) { () throws(UpdateError) in
            Latched(
                update: .reloadingData(from: pendingMap.shape, to: .empty),
                map: pendingMap.emptied(generation: pendingMap.generation + 1),
                nextSectionID: sourceState.nextSectionID,
                accountsForCounts: true
            )
        }
        sourceState.hasLoaded = false
        return id
    }

    /// What a batch checks when it begins, but for its place: whoever calls from there has checked that.
    func admit(_ request: SubmissionRequest) throws(UpdateError) {
        if let reason = reasonToReject(request.backlogEffect) { throw rejected(reason, request) }
    }
}
