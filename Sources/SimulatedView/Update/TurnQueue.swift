import CollectionPipeline

/// The state machine of a view's turns: the queue of updates, the scheduled turn, and the outcome
/// of the current update.
///
/// The queue is a value that receives events and returns decisions. It belongs to the view's main
/// lane.
///
/// | state | ends when | next state |
/// |---|---|---|
/// | `unattached`: the view has no lane for turns | the view gets its lane | `idle` |
/// | `idle`: no turn is scheduled | there is work to do | `scheduled` |
/// | `scheduled`: one turn is scheduled, so no second one | the turn begins | `running` |
/// | `running`: the turn lays out what is invalid | the layout is done | `deploying` if the turn applies an update |
/// | | the turn ends | `scheduled` if work remains, otherwise `idle` |
/// | `deploying`: an update is shown or rejected | it is shown, rejected or dropped | `running` |
///
/// A turn applies at most one update, and none while the view is busy. The view may be busy for
/// several reasons at the same time.
struct TurnQueue<Update> {
    /// The work that remains in a turn after the layout is done.
    enum Work {
        case nothing
        /// Wait, because the view is busy; `waiting` is the number of waiting updates.
        case postpone(waiting: Int)
        case deploy(Update)
    }

    /// The outcome of an update.
    enum Outcome: Equatable {
        case shown
        case rejected(ViewRefusal)
        /// The pipeline dropped the update before it was deployed.
        case dropped
    }

    private enum State {
        case unattached
        case idle
        case scheduled
        case running
        case deploying(rejection: ViewRefusal?)
    }

    private var state = State.unattached
    private var waiting = FIFO<Update>()
    private var busyDepth = 0

    /// The number of waiting updates.
    var count: Int { waiting.count }

    var isBusy: Bool { busyDepth > 0 }

    /// Whether a turn can apply an update; those that wait for the view to become idle cannot.
    var canDeploy: Bool { !waiting.isEmpty && !isBusy }

    // MARK: Before the turn

    /// Records that the view has a lane. The caller schedules a turn if there is work.
    mutating func attached() {
        if case .unattached = state { state = .idle }
    }

    /// Records that there is work for a turn.
    ///
    /// - Returns: Whether to enqueue a turn; `false` if a turn is already scheduled or running. A
    ///   running turn checks for remaining work when it ends.
    mutating func needsTurn() -> Bool {
        guard case .idle = state else { return false }
        state = .scheduled
        return true
    }

    mutating func received(_ update: Update) { waiting.append(update) }

    /// Drops all waiting updates.
    ///
    /// - Returns: The number of dropped updates.
    mutating func dropAll() -> Int { exchange(&waiting, with: FIFO()).count }

    mutating func busyBegan() { busyDepth += 1 }

    mutating func busyEnded() { busyDepth -= 1 }

    // MARK: The turn

    mutating func turnBegan() { state = .running }

    /// Records that everything is laid out, and returns the next work of the turn.
    mutating func laidOut() -> Work {
        if isBusy { return waiting.isEmpty ? .nothing : .postpone(waiting: waiting.count) }
        guard let update = waiting.popFirst() else { return .nothing }
        state = .deploying(rejection: nil)
        return .deploy(update)
    }

    /// Records that the view refused the update that is being deployed.
    mutating func rejected(_ rejection: ViewRefusal) { state = .deploying(rejection: rejection) }

    /// - Parameter isDeployed: Whether the pipeline let the view apply the update.
    mutating func deployed(_ isDeployed: Bool) -> Outcome {
        defer { state = .running }
        if case .deploying(let rejection?) = state { return .rejected(rejection) }
        return isDeployed ? .shown : .dropped
    }

    mutating func turnEnded() { state = .idle }
}
