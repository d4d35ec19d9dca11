import CollectionPublishing
import Tracing

/// The span of a submission, from the request that made it to its deployment.
///
/// Task-local values do not cross the pipeline's hops, so the span travels as the submission's context value: give it to
/// a submitting call, and an observer that finds it in events calls ``observe(_:)``. Its parent is the span of the task that
/// made it, such as the request's.
struct SubmissionTrace: Sendable {
    let span: any Span

    init(_ name: String) {
        span = startSpan(name, ofKind: .internal)
    }

    /// Notes a step of the pipeline; ends the span with the submission.
    func observe(_ event: PipelineEvent) {
        switch event.kind {
        case .accepted:
            span.attributes["pipeline.name"] = event.pipeline
            span.attributes["pipeline.submission"] = event.submission?.rawValue
            span.attributes["pipeline.edits"] = event.editCount
        case .rejected, .viewRefused:
            span.setStatus(SpanStatus(code: .error, message: event.error.map { "\($0)" }))
        case .completed: return span.end()
        default: break
        }
        span.addEvent(SpanEvent(name: event.kind.rawValue))
    }
}
