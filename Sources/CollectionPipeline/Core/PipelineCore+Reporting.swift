import CollectionElements

// What a controller says of itself when it is asked, also where its main lane does not go on.

extension PipelineCore {
    /// How long the main lane is waited for: longer than any turn that somebody would wait out.
    static let reportPatience = Duration.seconds(1)

    /// Calls `receive` once, with what the main lane says, or else with what is known without it; from any
    /// thread.
    func report(_ receive: @escaping @Sendable (PipelineReport) -> Void) {
        let receiver = ReportReceiver(receive)
        lane.enqueue { [self] in receiver.receive(report(reportDetails)) }
        environment.schedule(after: Self.reportPatience, on: watchingLane.lane) { [weak self] in
            if let self { receiver.receive(report(nil)) }
        }
    }

    /// Whichever comes first is handed on.
    private final class ReportReceiver: Sendable {
        private let state: Lock<(@Sendable (PipelineReport) -> Void)?>

        init(_ receive: @escaping @Sendable (PipelineReport) -> Void) { state = Lock(receive) }

        func receive(_ report: @autoclosure () -> PipelineReport) {
            let receive = state.withLock { receive in
                defer { receive = nil }
                return receive
            }
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

    /// Main lane.
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
            suspendedForRoom: suspended,
            suspendedForBatch: deferred,
            view: view.map { "\(type(of: $0))" }
                ?? (hasHadView ? "gone; the application must keep it" : nil),
            lastError: lastError
        )
    }
}
