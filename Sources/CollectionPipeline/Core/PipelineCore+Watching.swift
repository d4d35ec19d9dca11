import CollectionElements

// Detection of stalls: a wait that takes too long is reported in an event.

/// The stall watch of a controller that has an observer. It may be used from any thread.
final class SharedStallWatch: Sendable {
    let state: Lock<StallWatch>
    /// The lane of timers, which run even while the main lane is blocked.
    let lane: LazyLane

    init(timeout: Duration, _ lane: LazyLane) {
        state = Lock(StallWatch(timeout: timeout))
        self.lane = lane
    }
}

extension PipelineCore {
    /// Returns the start time of an operation whose duration an event will report. Without an
    /// observer the clock is not read.
    func startTime() -> Duration { observer == nil ? .zero : environment.now }

    /// The current waits, the oldest of each kind. Main lane.
    var waits: [Stall] {
        var waits: [Stall] = []
        if let batch = admission.batch {
            waits.append(Stall(wait: .batchEnd, submission: batch.id, since: batch.start))
        }
        if let incoming = admission.firstSuspended {
            waits.append(
                Stall(wait: .backlogCapacity, submission: incoming.id, since: incoming.arrival)
            )
        }
        if let comparison = applier?.comparison { waits.append(comparison) }
        for (wait, submission) in delivery.waits {
            waits.append(Stall(wait: wait, submission: submission.id, since: submission.arrival))
        }
        return waits
    }

    /// Checks whether a wait must be watched or a reported wait has ended, and notifies the view
    /// whether updates are pending. Main lane.
    func watch() {
        notifyView()
        guard let stallWatch, stallWatch.state.withLock({ $0.needsResponse }) else { return }
        answer()
    }

    private func notifyView() {
        // During a close, a request of the view would not be accepted.
        let areInFlight =
            delivery.backlog > 0 || admission.batch != nil || !admission.isEmpty
            || applier?.isEmpty == false || !shutdown.isOpen
        guard areInFlight != isViewExpecting else { return }
        isViewExpecting = areInFlight
        view?.updatesInFlightDidChange(areInFlight)
    }

    /// Records that a submission is on its way to the main lane. May be called from any thread.
    func watchArrival() {
        perform(stallWatch?.state.withLock { $0.sent() })
    }

    /// Records that the submission has arrived. Main lane.
    func watchArrived() { stallWatch?.state.withLock { $0.received() } }

    private func perform(_ action: StallWatch.Action?) {
        switch action {
        case .rest, nil: break
        case .startTimer: startTimer()
        case .query: queryMainLane()
        case .queryAndStartTimer:
            queryMainLane()
            startTimer()
        case .report(let stall): report(stall)
        }
    }

    private func queryMainLane() { lane.enqueue { [weak self] in self?.answer() } }

    private func startTimer() {
        guard let stallWatch else { return }
        let interval = stallWatch.state.withLock { $0.interval }
        environment.schedule(after: interval, on: stallWatch.lane.lane) { [weak self] in
            self?.timerFired()
        }
    }

    /// Handles a timer on a separate lane, so that it runs even while the main lane is blocked.
    private func timerFired() {
        let now = environment.now
        perform(stallWatch?.state.withLock { $0.timerFired(at: now) })
    }

    /// Reports a stall of the main lane. The main lane may continue at any time, but does not
    /// report the end of the stall before this report.
    private func report(_ stall: Stall) {
        guard let observer else { return }
        // Both happen within one pass of the gate, so that a close finds both the report and the
        // query, or neither.
        whileNotifying {
            let now = environment.now
            tell(observer, .stalled, nil, nil, since: nil, at: now) { $0.stall = stall }
            perform(stallWatch?.state.withLock { $0.mainLaneStallReported() })
        }
    }

    private func answer() {
        guard let stallWatch else { return }
        let (waits, isCallingBack) = (waits, !shutdown.hasCompleted)
        let now = environment.now
        let outcome = stallWatch.state.withLock {
            $0.answered(waits, isCallingBack: isCallingBack, at: now)
        }
        perform(outcome.action)
        for stall in outcome.ended {
            observe(.stallEnded, stall.submission, nil, since: stall.since) { $0.stall = stall }
        }
        for stall in outcome.stalled {
            observe(.stalled, stall.submission, nil) { $0.stall = stall }
        }
    }
}

// MARK: - Reports
//
// Reports are available even while the main lane is blocked.

extension PipelineCore {
    /// The time that a report waits for the main lane, which is longer than any acceptable turn.
    private static let reportPatience = Duration.seconds(1)

    /// Calls `receive` once, with the details of the main lane or, if it does not respond in time,
    /// without them. May be called from any thread.
    func report(_ receive: @escaping @Sendable (PipelineReport) -> Void) {
        let receiver = ReportReceiver(receive)
        lane.enqueue { [self] in receiver.receive(report(reportDetails)) }
        environment.schedule(after: Self.reportPatience, on: watchingLane.lane) { [weak self] in
            if let self { receiver.receive(report(nil)) }
        }
    }

    /// A receiver that passes on the first of two reports.
    private final class ReportReceiver: Sendable {
        private let state: Lock<(@Sendable (PipelineReport) -> Void)?>

        init(_ receive: @escaping @Sendable (PipelineReport) -> Void) { state = Lock(receive) }

        func receive(_ report: @autoclosure () -> PipelineReport) {
            let receive = state.withLock { $0.take() }
            receive?(report())
        }
    }

    private func report(_ details: PipelineReport.Details?) -> PipelineReport {
        let (generations, divergence) = published.withLock {
            (($0.pendingMap.generation, $0.visibleMap.generation), $0.divergence)
        }
        return PipelineReport(
            pipeline: configuration.name,
            generations: generations,
            divergence: divergence,
            details: details,
            patience: Self.reportPatience
        )
    }

    /// The details of a report. Main lane.
    private var reportDetails: PipelineReport.Details {
        let now = startTime()
        func waiting(_ id: SubmissionID, _ wait: PipelineWait, _ since: Duration)
            -> PipelineReport.Waiting
        {
            let duration = observer == nil || since > now ? nil : now - since
            return PipelineReport.Waiting(submission: id, wait: wait, duration: duration)
        }
        let batch = admission.batch.map { waiting($0.id, .batchEnd, $0.start) }
        let accepted = delivery.allWaits.map { wait, submission in
            waiting(submission.id, wait, submission.arrival)
        }
        let compared = applier?.comparisons.compactMap { comparison in
            comparison.submission.map { waiting($0, comparison.wait, comparison.since) }
        }
        let (deferred, suspended) = admission.waiting
        return PipelineReport.Details(
            phase: shutdown.isOpen ? .open : shutdown.isClosed ? .closed : .closing,
            backlog: delivery.backlog,
            backlogLimit: admission.backlogLimit,
            waiting: (batch.map { [$0] } ?? []) + accepted + (compared ?? []),
            suspendedForCapacity: suspended,
            suspendedForBatch: deferred,
            view: view.map { "\(type(of: $0))" }
                ?? (hasHadView ? "gone; the application must keep it" : nil),
            lastError: lastError
        )
    }
}
