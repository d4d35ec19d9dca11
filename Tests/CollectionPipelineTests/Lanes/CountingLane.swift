import CollectionPipeline
import PipelineTestSupport

/// A main lane that counts its turns.
final class CountingLane: Lane {
    private let base = EmulatedMainLane(label: "test.main")
    let turns = Journal<Void>()

    var label: String { base.label }
    var isCurrent: Bool { base.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        turns.append(())
        base.enqueue(work)
    }
}
