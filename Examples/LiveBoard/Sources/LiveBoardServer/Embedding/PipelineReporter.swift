import CollectionPublishing
import Logging
import Metrics
import Tracing

/// Reports the events of pipelines to swift-log, swift-metrics and swift-distributed-tracing.
///
/// It logs what a person should see, rejections and stalls, and counts the rest. It is called on main lanes and
/// workers, so it does nothing that takes long.
struct PipelineReporter: PipelineObserver {
    let logger: Logger

    func observe(_ event: PipelineEvent) {
        (event.context as? SubmissionTrace)?.observe(event)
        let dimensions = [("pipeline", event.pipeline), ("step", event.kind.rawValue)]
        switch event.kind {
        case .rejected:
            Counter(label: "pipeline_events_total", dimensions: dimensions).increment()
            // A withdrawn edit was refused to its editor, and is nobody's mistake.
            let isWithdrawal = (event.error as? UpdateError)?.code == .withdrawn
            log(isWithdrawal ? .debug : .warning, event)
        case .elementFailed, .stalled, .viewGone:
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

/// The span of a submission, from the request that made it to its deployment.
///
/// Task-local values do not cross the pipeline's hops, so the span travels as the submission's context. Its parent is
/// the span of the task that made it, such as the request's.
struct SubmissionTrace: Sendable {
    let span: any Span

    init(_ name: String) { span = startSpan(name, ofKind: .internal) }

    /// Notes a step of the pipeline, and ends the span with the submission.
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
