import CollectionElements

// Knowing when things are done: with callbacks that never run inline, and with the one call that
// blocks.

extension PipelineCore {
    /// Calls `callback` when `milestone` is reached, in a turn of its own.
    func whenReached(_ milestone: Milestone, _ callback: @escaping @Sendable () -> Void) {
        switch milestone {
        case .handedOver:
            delivery.hasten()
            milestones.awaitHandOver(through: delivery.lastToHandOver, callback)
        case .completed: milestones.awaitCompletion(callback)
        }
        proceed()
    }

    /// Blocks until `milestone` is reached.
    func waitUntilReached(_ milestone: Milestone) {
        require(
            !environment.isCurrentWorker,
            "waitUntilReached(_:) must not be called by a node provider or measurement: it would wait"
                + " for itself; take what is needed along in the model"
        )
        let signal = environment.makeSignal()
        guard lane.isCurrent else {
            lane.enqueue { [self] in whenReached(milestone) { signal.signal() } }
            return signal.wait()
        }
        require(
            !sourceState.isAsking,
            "waitUntilReached(_:) must not be called by a data source while it is asked; use"
                + " 'await reached(_:)' elsewhere"
        )
        require(
            !delivery.isDeploying && !mainSerialQueue.isRunningBlock,
            "waitUntilReached(_:) must not be called while an update is deployed: it would wait for"
                + " itself; use 'await reached(_:)' elsewhere"
        )
        require(
            milestone == .handedOver,
            "waitUntilReached(.completed) must not be called on the main lane, where completions run;"
                + " use whenReached(_:_:)"
        )
        guard let last = delivery.ledger.last?.generation else { return }
        delivery.hasten()
        proceed()
        mainSerialQueue.drain(until: { delivery.isHandedOver(through: last) }, signal: signal)
    }
}
