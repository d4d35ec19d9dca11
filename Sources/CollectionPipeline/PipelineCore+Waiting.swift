import CollectionElements

// Knowing when things are done: with callbacks that never run inline, and with the one call that
// blocks.

extension PipelineCore {
    var isProcessingUpdates: Bool { ledger.preparing > 0 }

    var isSynchronized: Bool {
        ledger.isEmpty && scheduledCompletions == 0 && suspended.isEmpty && deferred.isEmpty
    }

    func onDidFinishProcessingUpdates(_ callback: @escaping @Sendable () -> Void) {
        processingCallbacks.append(callback)
        enqueueCallbacks { [self] in notifyIfProcessed() }
    }

    func onDidFinishSynchronizing(_ callback: @escaping @Sendable () -> Void) {
        synchronisationCallbacks.append(callback)
        enqueueCallbacks { [self] in notifyIfSynchronized() }
    }

    func notifyIfProcessed() {
        guard !processingCallbacks.isEmpty, !isProcessingUpdates else { return }
        // Each may submit again or add callbacks, so the list is taken first.
        let callbacks = processingCallbacks
        processingCallbacks = []
        enqueueCallbacks { for callback in callbacks { callback() } }
    }

    func notifyIfSynchronized() {
        guard !synchronisationCallbacks.isEmpty, isSynchronized else { return }
        let callbacks = synchronisationCallbacks
        synchronisationCallbacks = []
        enqueueCallbacks { for callback in callbacks { callback() } }
    }

    func notifyHandOverWaiters() {
        var remaining: [(generation: Int, resume: @Sendable () -> Void)] = []
        for waiter in handOverWaiters {
            if ledger.isHandedOver(through: waiter.generation) {
                waiter.resume()
            } else {
                remaining.append(waiter)
            }
        }
        handOverWaiters = remaining
    }

    /// Calls `resume` once everything accepted so far was handed over. Main lane.
    func whenHandedOver(_ resume: @escaping @Sendable () -> Void) {
        guard ledger.preparing > 0, let last = ledger.lastAccepted else { return resume() }
        let awaited = isActive(.waitsForNext) ? ledger.nextToDeploy ?? last : last
        handOverWaiters.append((awaited.generation, resume))
    }

    /// Blocks until everything accepted so far was handed over.
    func waitUntilAllUpdatesAreProcessed() {
        require(
            !environment.isCurrentWorker,
            "waitUntilAllUpdatesAreProcessed() must not be called by a node provider or measurement:"
                + " it would wait for itself"
        )
        let signal = environment.makeSignal()
        guard lane.isCurrent else {
            lane.enqueue { [self] in whenHandedOver { signal.signal() } }
            return signal.wait()
        }
        require(
            !isLatching,
            "waitUntilAllUpdatesAreProcessed() must not be called by a data source while it is asked"
        )
        require(
            !isDeploying && !mainSerialQueue.isRunningBlock,
            "waitUntilAllUpdatesAreProcessed() must not be called while an update is deployed: it"
                + " would wait for itself"
        )
        guard let last = ledger.lastAccepted?.generation else { return }
        mainSerialQueue.drain(until: { ledger.isHandedOver(through: last) }, signal: signal)
    }
}
