import Synchronization

// The end of a controller: every outstanding completion runs before the callback of the close,
// which is the last one.

extension PipelineCore {
    func close(
        draining: Bool,
        timeout: Duration?,
        _ completion: (@Sendable () -> Void)?
    ) {
        if let completion { whenClosed(completion) }
        if shutdown.closeRequested() == .beginClose {
            observe(.closing, nil, nil) { $0.backlog = delivery.backlog }
            cancelWaiting()
            deferredMeasurements.removeAll()
        }
        if !draining {
            cancelAccepted()
        } else if let timeout, !delivery.isEmpty {
            environment.schedule(after: timeout, on: lane) { [weak self] in
                // The controller may be released long before a generous deadline. If it has closed
                // by then, nothing is left to cancel.
                guard let self else { return }
                cancelAccepted()
                proceed()
            }
        }
        proceed()
    }

    /// The error of submissions that were not accepted when a close began.
    var closingError: UpdateError {
        let state = shutdown.isClosed ? "closed" : "closing"
        return UpdateError(.closed, "Controller '\(configuration.name)' is \(state)")
    }

    /// Closes a controller that was dropped without being closed. A close that is in progress
    /// continues as its caller requested.
    func abandon() {
        if shutdown.isOpen { close(draining: false, timeout: nil, nil) }
    }

    /// Calls `callback` when the controller is closed, by any caller. Main lane.
    func whenClosed(_ callback: @escaping @Sendable () -> Void) {
        if shutdown.awaited(callback) == .callNow { lane.enqueue(callback) }
    }

    /// Rejects everything that has not been accepted yet.
    private func cancelWaiting() {
        // If the caller still ends the batch, it finds no open batch.
        if let batch = endBatch() {
            let error = located(closingError, batch.id)
            reject(error, completions: batch.completions, callerContext: batch.callerContext)
        }
        for incoming in admission.closed() {
            waitEnded(incoming)
            incoming.onRejection(.closing)
        }
        applier?.closed()
    }

    private func cancelAccepted() {
        isCancelled.store(true, ordering: .releasing)
        complete(delivery.cancelled())
    }

    /// A turn of the shutdown: ends the close, unless something new began after the turn was
    /// enqueued.
    func end() {
        // If another thread is sending an event, the end of that call enqueues this turn again.
        guard eventGate.shut() else { return }
        guard case .end(let callbacks) = shutdown.beginTurn() else { return proceed() }
        // No submission waits any longer, which is reported before the last event.
        watch()
        view?.controllerDidClose()
        observe(.closed, nil, nil)
        isQuiet = true
        for callback in callbacks { callback() }
    }
}
