import CollectionPipeline
import Synchronization

/// A number that any thread adds to.
final class Tally: Sendable {
    private let sum = Atomic(0)

    var count: Int { sum.load(ordering: .acquiring) }

    func add(_ number: Int) { sum.wrappingAdd(number, ordering: .acquiringAndReleasing) }
}

/// Counts the events of a pipeline, and hands them on.
final class EventTally: PipelineObserver {
    let events = Tally()
    private let next: (any PipelineObserver)?

    init(next: (any PipelineObserver)?) { self.next = next }

    func observe(_ event: PipelineEvent) {
        events.add(1)
        next?.observe(event)
    }
}
