import CollectionLayouts
import SimulatedView

@testable import PipelineTrace

/// Returns a cell with a text.
func cell(
    _ section: Int,
    _ item: Int,
    _ frame: Rect,
    _ lines: [String] = [],
    key: String? = nil
) -> PicturedElement {
    let place = LayoutPlace.cell(ItemPath(section: section, item: item))
    return PicturedElement(LayoutAttributes(place, frame: frame), key: key, lines: lines)
}

extension LayoutPicture {
    /// Returns rows of 30 with the full width, in a viewport of 200 × 100.
    static func rows(_ keys: [[String]]) -> LayoutPicture {
        var elements: [PicturedElement] = []
        var y = 0.0
        for (section, keys) in keys.enumerated() {
            for (item, key) in keys.enumerated() {
                let frame = Rect(x: 0, y: y, width: 200, height: 30)
                elements.append(cell(section, item, frame, [key], key: key))
                y += 30
            }
        }
        return LayoutPicture(
            bounds: Rect(x: 0, y: 0, width: 200, height: 100),
            contentSize: Size(width: 200, height: y),
            elements: elements
        )
    }
}

/// Returns an event at a time in microseconds.
func event(
    _ kind: PipelineEvent.Kind,
    _ submission: Int?,
    at microseconds: Int64,
    took duration: Int64? = nil,
    in pipeline: String = "feed",
    _ change: (inout TraceEntry.Event) -> Void = { _ in }
) -> TraceEntry {
    var event = TraceEntry.Event(
        kind: kind,
        pipeline: pipeline,
        submission: submission,
        timestamp: .microseconds(microseconds)
    )
    event.duration = duration.map { .microseconds($0) }
    change(&event)
    return .event(event)
}

/// Returns the events of a change set that takes every step, from its submission at 10 to its
/// completion at 100.
func wholeLife(_ submission: Int = 1) -> [TraceEntry] {
    func event(
        _ kind: PipelineEvent.Kind,
        _ time: Int64,
        took duration: Int64? = nil,
        _ change: (inout TraceEntry.Event) -> Void = { _ in }
    ) -> TraceEntry {
        PipelineTraceTests.event(kind, submission, at: time, took: duration, change)
    }
    return [
        event(.suspended, 10) { $0.remark = "waits for room in the backlog" },
        event(.resumed, 18, took: 8),
        event(.recordingStarted, 19), event(.recordingFinished, 22, took: 3),
        event(.layoutContextRequested, 27, took: 2),
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
