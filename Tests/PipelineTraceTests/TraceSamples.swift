import PipelineTrace
import SimulatedView

/// An event at so many microseconds.
func event(
    _ kind: PipelineEvent.Kind,
    _ submission: Int?,
    at microseconds: Int64,
    took duration: Int64? = nil,
    in pipeline: String = "feed",
    _ change: (inout TraceEntry.Event) -> Void = { _ in }
) -> TraceEntry {
    var event = TraceEntry.Event(
        kind,
        in: pipeline,
        of: submission,
        at: .microseconds(microseconds)
    )
    event.duration = duration.map { .microseconds($0) }
    change(&event)
    return .event(event)
}

/// A change set that takes every step: from submission at 10 to completion at 100.
func wholeLife(_ submission: Int = 1, in pipeline: String = "feed") -> [TraceEntry] {
    func event(
        _ kind: PipelineEvent.Kind,
        _ time: Int64,
        took duration: Int64? = nil,
        _ change: (inout TraceEntry.Event) -> Void = { _ in }
    ) -> TraceEntry {
        PipelineTraceTests.event(
            kind,
            submission,
            at: time,
            took: duration,
            in: pipeline,
            change
        )
    }
    return [
        event(.suspended, 10) { $0.remark = "waits for room in the backlog" },
        event(.resumed, 18, took: 8),
        event(.recordingStarted, 19), event(.recordingFinished, 22, took: 3),
        event(.layoutContextAsked, 27, took: 2),
        event(.accepted, 30, took: 7) {
            ($0.backlog, $0.editCount, $0.elementCount) = (1, 2, 3)
        },
        event(.measuringStarted, 33) { $0.elementCount = 3 },
        event(.measuringFinished, 50, took: 17) { $0.elementCount = 3 },
        event(.handingOverStarted, 55), event(.handedOver, 60, took: 5),
        event(.deployingStarted, 70),
        event(.deployed, 80, took: 10) { $0.backlog = 0 }, event(.completed, 100),
    ]
}
