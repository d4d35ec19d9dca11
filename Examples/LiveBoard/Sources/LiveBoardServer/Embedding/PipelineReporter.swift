import CollectionPublishing
import Logging
import Metrics
import Synchronization
import Tracing

/// An observer that reports pipeline events to swift-log, swift-metrics and
/// swift-distributed-tracing.
///
/// It logs the events that an operator should see, such as rejections and stalls, and records
/// metrics. Main lanes and workers call it, so it does no slow work.
struct PipelineReporter: PipelineObserver {
    let logger: Logger

    func observe(_ event: PipelineEvent) {
        (event.callerContext as? SubmissionTrace)?.observe(event)
        let dimensions = [("pipeline", event.pipeline), ("step", event.kind.rawValue)]
        switch event.kind {
        case .rejected, .elementFailed, .stalled, .viewGone:
            Counter(label: "pipeline_events_total", dimensions: dimensions).increment()
            log(.warning, event)
        case .stallEnded: log(.notice, event)
        case .closed: log(.info, event)
        case .accepted, .measuringFinished, .deployed:
            if let duration = event.duration {
                Timer(label: "pipeline_seconds", dimensions: dimensions).record(duration: duration)
            }
        default: break
        }
        if let backlog = event.backlog {
            Gauge(label: "pipeline_backlog", dimensions: [dimensions[0]]).record(backlog)
        }
    }

    private func log(_ level: Logger.Level, _ event: PipelineEvent) {
        logger.log(level: level, "\(event)", metadata: ["pipeline": "\(event.pipeline)"])
    }
}

/// The span of a submission, from its request to its deployment.
///
/// Task-local values do not cross the pipeline's lanes, so the submission's context carries the
/// span. The parent is the current span of the submitting task, such as the span of a request.
struct SubmissionTrace: Sendable {
    let span: any Span

    init(_ name: String) { span = startSpan(name, ofKind: .internal) }

    /// Adds a pipeline step to the span, and ends the span with the submission.
    fileprivate func observe(_ event: PipelineEvent) {
        switch event.kind {
        case .accepted:
            span.attributes["pipeline.name"] = event.pipeline
            span.attributes["pipeline.edits"] = event.editCount
        case .rejected, .viewRefused:
            span.setStatus(SpanStatus(code: .error, message: event.error.map { "\($0)" }))
        case .completed: return span.end()
        default: break
        }
        span.addEvent(SpanEvent(name: event.kind.rawValue))
    }
}

/// A log for faults that may repeat often. It writes the first fault, and then at most one fault in
/// each interval, with the number of omitted ones.
final class FaultLog: Sendable {
    private let logger: Logger
    private let interval: Duration
    private let state = Mutex((next: ContinuousClock.Instant?.none, omitted: 0))

    init(_ logger: Logger, interval: Duration = .seconds(60)) {
        self.logger = logger
        self.interval = interval
    }

    func log(
        _ level: Logger.Level,
        at now: ContinuousClock.Instant = .now,
        _ message: @autoclosure () -> String
    ) {
        let omitted = state.withLock { state -> Int? in
            if let next = state.next, now < next {
                state.omitted += 1
                return nil
            }
            defer { state = (now + interval, 0) }
            return state.omitted
        }
        guard let omitted else { return }
        let more = omitted > 0 ? " (and \(omitted) more since the last such line)" : ""
        logger.log(level: level, "\(message())\(more)")
    }
}
