import CollectionElements

// Waiting for milestones: with callbacks that never run inline, and with the one call that blocks.

extension PipelineCore {
    /// Calls `callback` when `milestone` is reached, in a separate turn.
    func whenReached(_ milestone: Milestone, _ callback: @escaping @Sendable () -> Void) {
        switch milestone {
        case .deliveredToView:
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
                + " for itself; put the required values into the model"
        )
        let signal = environment.makeSignal()
        guard lane.isCurrent else {
            lane.enqueue { [self] in whenReached(milestone) { signal.signal() } }
            return signal.wait()
        }
        require(
            !sourceState.isCallingDataSource,
            "waitUntilReached(_:) must not be called from within the data source; use"
                + " 'await whenReached(_:)' elsewhere"
        )
        require(
            !delivery.isDeploying && !mainSerialQueue.isRunningBlock,
            "waitUntilReached(_:) must not be called while an update is deployed: it would wait for"
                + " itself; use 'await whenReached(_:)' elsewhere"
        )
        require(
            milestone == .deliveredToView,
            "waitUntilReached(.completed) must not be called on the main lane, where completions run;"
                + " use whenReached(_:_:)"
        )
        guard let last = delivery.ledger.last?.generation else { return }
        delivery.hasten()
        proceed()
        mainSerialQueue.drain(until: { delivery.isHandedOver(through: last) }, signal: signal)
    }
}

/// The callbacks that wait for points in the life of submissions.
///
/// A value that returns the callbacks that can be called, and forgets them. The main lane owns it.
struct Milestones {
    typealias Callback = @Sendable () -> Void

    private var completed: [Callback] = []
    /// Whether a turn will take the callbacks of `completed`.
    private var isTurnScheduled = false
    private var handedOver: [(generation: Int?, callback: Callback)] = []

    var isEmpty: Bool { completed.isEmpty && handedOver.isEmpty }

    /// Adds a callback for the time when every submission has completed.
    mutating func awaitCompletion(_ callback: @escaping Callback) { completed.append(callback) }

    /// Adds a callback for the time when everything up to `generation` was handed over; `nil` if it
    /// already was.
    mutating func awaitHandOver(through generation: Int?, _ callback: @escaping Callback) {
        handedOver.append((generation, callback))
    }

    /// Returns the callbacks whose hand-overs have happened, in the order in which they were added.
    mutating func takeHandedOver(_ isHandedOver: (Int) -> Bool) -> [Callback] {
        func isDue(_ generation: Int?) -> Bool { generation.map(isHandedOver) ?? true }
        defer { handedOver.removeAll { isDue($0.generation) } }
        return handedOver.filter { isDue($0.generation) }.map(\.callback)
    }

    /// Returns whether a turn must be scheduled, after all submissions have completed, that takes
    /// the callbacks.
    mutating func needsCompletionTurn() -> Bool {
        if completed.isEmpty || isTurnScheduled { return false }
        isTurnScheduled = true
        return true
    }

    /// Returns the callbacks that waited for all submissions to complete, in the order in which
    /// they were added. If a new submission has begun before this turn, they wait again.
    mutating func takeCompleted(unless hasBegun: Bool) -> [Callback] {
        isTurnScheduled = false
        return hasBegun ? [] : exchange(&completed, with: [])
    }
}
