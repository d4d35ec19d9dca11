import CollectionPipeline

/// Which updates wait, whether a turn of the lane is on its way to take one up, and what became of the one that
/// it took.
///
/// A value: it is told what happened and returns what is to be done. The view's main lane owns it.
///
/// | state | ends when | and becomes |
/// |---|---|---|
/// | `unattached`: there is no lane for a turn to come on | the view gets its lane | `idle` |
/// | `idle`: no turn is on its way | something is to be done | `scheduled` |
/// | `scheduled`: a turn is on its way, and so no second one | it comes | `running` |
/// | `running`: the turn lays out what is invalid | that is done | `deploying` where an update is taken up |
/// | | the turn ends | `scheduled` where something is left to be done, else `idle` |
/// | `deploying`: an update is being shown, or rejected | it is shown, rejected or dropped | `running` |
///
/// A turn takes up one update at most, and none while the view is busy, which it may be for several reasons at
/// once.
struct TurnQueue<Update> {
    /// What a turn does once everything is laid out.
    enum Work {
        case nothing
        /// Nothing, though so many updates wait, since the view is busy.
        case postpone(waiting: Int)
        case deploy(Update)
    }

    /// What became of an update.
    enum Outcome: Equatable {
        case shown
        case rejected(ViewRefusal)
        /// Another took its place before it was deployed.
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

    /// How many updates wait.
    var count: Int { waiting.count }

    var isBusy: Bool { busyDepth > 0 }

    // MARK: Before the turn

    /// The view has a lane; whoever gave it says if there is something to do.
    mutating func attached() {
        if case .unattached = state { state = .idle }
    }

    /// Something is to be done in a turn.
    ///
    /// - Returns: whether to enqueue one. Not where one is on its way, nor within a turn, whose end looks for
    ///   what is left.
    mutating func needsTurn() -> Bool {
        guard case .idle = state else { return false }
        state = .scheduled
        return true
    }

    mutating func received(_ update: Update) { waiting.append(update) }

    /// Nothing that waits is to be shown any more.
    ///
    /// - Returns: how many updates waited.
    mutating func dropAll() -> Int {
        defer { waiting = FIFO() }
        return waiting.count
    }

    /// - Returns: whether the view was not busy before.
    mutating func becameBusy() -> Bool {
        busyDepth += 1
        return busyDepth == 1
    }

    /// - Returns: whether that was the last reason to be busy.
    mutating func becameIdle() -> Bool {
        busyDepth -= 1
        return busyDepth == 0
    }

    // MARK: The turn

    mutating func turnBegan() { state = .running }

    /// Everything is laid out.
    mutating func laidOut() -> Work {
        if isBusy { return waiting.isEmpty ? .nothing : .postpone(waiting: waiting.count) }
        guard let update = waiting.popFirst() else { return .nothing }
        state = .deploying(rejection: nil)
        return .deploy(update)
    }

    /// The update that is being deployed is not as it should be.
    mutating func rejected(_ rejection: ViewRefusal) { state = .deploying(rejection: rejection) }

    /// - Parameter isDeployed: whether the pipeline let the view apply it.
    mutating func deployed(_ isDeployed: Bool) -> Outcome {
        defer { state = .running }
        if case .deploying(let rejection?) = state { return .rejected(rejection) }
        return isDeployed ? .shown : .dropped
    }

    /// - Parameter needsLayout: whether something became invalid that the turn no longer laid out.
    /// - Returns: whether to enqueue another turn. An update that waits for the view to be idle needs none.
    mutating func turnEnded(needsLayout: Bool) -> Bool {
        state = .idle
        return (needsLayout || (!waiting.isEmpty && !isBusy)) && needsTurn()
    }
}
