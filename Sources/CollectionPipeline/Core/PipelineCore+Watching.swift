import CollectionElements

// Nothing hangs in silence: who waits for what, and an event where that takes too long.

/// What watches a controller that has an observer. From any thread.
final class SharedStallWatch: Sendable {
    let state: Lock<StallWatch>
    /// Where timers come: also while the main lane does not go on.
    let lane: LazyLane

    init(timeout: Duration, _ lane: LazyLane) {
        state = Lock(StallWatch(timeout: timeout))
        self.lane = lane
    }
}

extension PipelineCore {
    /// The start of something that an event will give the duration of; no clock read without an
    /// observer.
    func startTime() -> Duration { observer == nil ? .zero : environment.now }

    /// Who waits for what now, the oldest of each kind. Main lane.
    var waits: [Stall] {
        var waits: [Stall] = []
        if let batch = admission.batch {
            waits.append(Stall(wait: .batchEnd, submission: batch.id, since: batch.start))
        }
        if let visitor = admission.firstSuspended {
            waits.append(Stall(wait: .room, submission: visitor.id, since: visitor.arrival))
        }
        if let comparison = applier?.comparison { waits.append(comparison) }
        for (wait, submission) in delivery.waits {
            waits.append(Stall(wait: wait, submission: submission.id, since: submission.arrival))
        }
        return waits
    }

    /// Looks whether somebody waits whom nobody watches, or nobody waits any longer who was told of; and tells the
    /// view whether anything is on its way to it. Main lane.
    func watch() {
        tellView()
        guard let stallWatch, stallWatch.state.withLock({ $0.needsAnswer }) else { return }
        answer()
    }

    private func tellView() {
        // While a close is under way nothing that the view asks for would get in.
        let areInFlight =
            admission.batch != nil || !admission.isEmpty || delivery.backlog > 0
            || applier?.isEmpty == false || !shutdown.isOpen
        guard areInFlight != isViewExpecting else { return }
        isViewExpecting = areInFlight
        view?.updatesInFlightDidChange(areInFlight)
    }

    /// A submission is on its way to the main lane; from any thread.
    func watchArrival() {
        if stallWatch?.state.withLock({ $0.sent() }) == true { startTimer() }
    }

    /// It has come. Main lane.
    func watchArrived() { stallWatch?.state.withLock { $0.received() } }

    private func startTimer() {
        guard let stallWatch else { return }
        let interval = stallWatch.state.withLock { $0.interval }
        environment.schedule(after: interval, on: stallWatch.lane.lane) { [weak self] in
            self?.timerCame()
        }
    }

    /// On a lane of its own, so that it comes where the main lane does not go on.
    private func timerCame() {
        let now = environment.now
        switch stallWatch?.state.withLock({ $0.timerCame(at: now) }) {
        case .rest, nil: break
        case .wait: startTimer()
        case .ask:
            lane.enqueue { [weak self] in self?.answer() }
            startTimer()
        case .tell(let stall): tell(stall)
        }
    }

    /// The main lane has stalled. It may go on at any time, but does not tell of that before this is told.
    private func tell(_ stall: Stall) {
        guard let observer else { return }
        // One telling, so that a close finds both the stall and the question, or neither.
        whileTelling {
            let now = environment.now
            tell(observer, .stalled, nil, nil, since: nil, at: now) { $0.stall = stall }
            guard stallWatch?.state.withLock({ $0.mainLaneTold() }) == true else { return }
            lane.enqueue { [weak self] in self?.answer() }
        }
    }

    private func answer() {
        guard let stallWatch else { return }
        let (waits, isCallingBack) = (waits, !shutdown.hasCompleted)
        let now = environment.now
        let outcome = stallWatch.state.withLock {
            $0.answered(waits, isCallingBack: isCallingBack, at: now)
        }
        if outcome.startsTimer { startTimer() }
        for stall in outcome.ended {
            observe(.stallEnded, stall.submission, nil, since: stall.since) { $0.stall = stall }
        }
        for stall in outcome.stalled {
            observe(.stalled, stall.submission, nil) { $0.stall = stall }
        }
    }
}
