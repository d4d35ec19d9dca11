import CollectionPublishing
import CoreMetrics
import Logging
import Metrics
import Synchronization

/// Tells swift-log, swift-metrics and swift-distributed-tracing what happens in pipelines; one for any number of them.
///
/// What needs somebody is logged: rejections and stalls; what is only counted is not. It is called on main lanes and
/// workers, so it does nothing that takes long.
final class PipelineReporter: PipelineObserver {
    private let logger: Logger
    private let meters = Mutex<[String: PipelineMeters]>([:])

    init(logger: Logger) { self.logger = logger }

    func observe(_ event: PipelineEvent) {
        meters(of: event.pipeline).observe(event)
        (event.context as? SubmissionTrace)?.observe(event)
        switch event.kind {
        case .rejected:
            // Somebody was told that it is gone: no fault of anybody.
            let isWithdrawal = (event.error as? UpdateError)?.code == .withdrawn
            log(isWithdrawal ? .debug : .warning, "rejected", event)
        case .elementFailed: log(.warning, "an element failed", event)
        case .stalled: log(.warning, "stalled", event)
        case .stallEnded: log(.notice, "a stall has ended", event)
        case .closed: log(.info, "closed", event)
        default: break
        }
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ event: PipelineEvent) {
        var metadata: Logger.Metadata = ["pipeline": "\(event.pipeline)"]
        if let submission = event.submission { metadata["submission"] = "\(submission)" }
        if let error = event.error { metadata["error"] = "\(error)" }
        if let stall = event.stall { metadata["waits"] = "\(stall.wait)" }
        if let duration = event.duration { metadata["duration"] = "\(duration)" }
        logger.log(level: level, message, metadata: metadata)
    }

    private func meters(of pipeline: String) -> PipelineMeters {
        meters.withLock { meters in
            if let found = meters[pipeline] { return found }
            let made = PipelineMeters(pipeline)
            meters[pipeline] = made
            return made
        }
    }
}

/// The numbers of one pipeline.
private struct PipelineMeters: Sendable {
    private let deployed: Counter
    private let rejected: Counter
    private let failedElements: Counter
    private let edits: Counter
    private let stalls: Counter
    private let backlog: Meter
    private let latching: Timer
    private let measuring: Timer
    private let deploying: Timer

    init(_ pipeline: String) {
        let dimensions = [("pipeline", pipeline)]
        deployed = Counter(label: "pipeline_deployed_total", dimensions: dimensions)
        rejected = Counter(label: "pipeline_rejected_total", dimensions: dimensions)
        failedElements = Counter(label: "pipeline_failed_elements_total", dimensions: dimensions)
        edits = Counter(label: "pipeline_edits_total", dimensions: dimensions)
        stalls = Counter(label: "pipeline_stalls_total", dimensions: dimensions)
        backlog = Meter(label: "pipeline_backlog", dimensions: dimensions)
        latching = Timer(label: "pipeline_latching_seconds", dimensions: dimensions)
        measuring = Timer(label: "pipeline_measuring_seconds", dimensions: dimensions)
        deploying = Timer(label: "pipeline_deploying_seconds", dimensions: dimensions)
    }

    func observe(_ event: PipelineEvent) {
        if let backlog = event.backlog { self.backlog.set(backlog) }
        switch event.kind {
        case .accepted:
            if let count = event.editCount { edits.increment(by: count) }
            record(event, latching)
        case .measuringFinished: record(event, measuring)
        case .deployed:
            deployed.increment()
            record(event, deploying)
        case .rejected: rejected.increment()
        case .elementFailed: failedElements.increment()
        case .stalled: stalls.increment()
        default: break
        }
    }

    private func record(_ event: PipelineEvent, _ timer: Timer) {
        if let duration = event.duration { timer.record(duration: duration) }
    }
}
