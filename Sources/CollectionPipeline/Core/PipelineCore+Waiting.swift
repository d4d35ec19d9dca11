import CollectionElements

// Knowing when things are done: with callbacks that never run inline, and with the one call that
// blocks.

extension PipelineCore {
    func onDidFinishProcessingUpdates(_ callback: @escaping @Sendable () -> Void) {
        milestones.awaitProcessed(callback)
        proceedInATurn()
    }

    func onDidFinishSynchronizing(_ callback: @escaping @Sendable () -> Void) {
        milestones.awaitSynchronized(callback)
        proceedInATurn()
    }

    /// What is due already is called in a later turn, and what is submitted until then counts.
    private func proceedInATurn() { enqueue(.others) {} }

    /// Calls `resume` once everything accepted so far was handed over. Main lane.
    func whenHandedOver(_ resume: @escaping @Sendable () -> Void) {
        guard let generation = delivery.lastToHandOver else { return resume() }
        milestones.awaitHandOver(through: generation, resume)
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
            !sourceState.isAsking,
            "waitUntilAllUpdatesAreProcessed() must not be called by a data source while it is asked"
        )
        require(
            !delivery.isDeploying && !mainSerialQueue.isRunningBlock,
            "waitUntilAllUpdatesAreProcessed() must not be called while an update is deployed: it"
                + " would wait for itself"
        )
        guard let last = delivery.ledger.last?.generation else { return }
        mainSerialQueue.drain(
            until: { delivery.ledger.isHandedOver(through: last) },
            signal: signal
        )
    }
}
