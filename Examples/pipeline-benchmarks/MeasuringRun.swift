import CollectionPipeline
import Synchronization

/// One load of slow nodes, and how long step 3 of it took.
struct MeasuringRun {
    let nanoseconds: Double

    init(nodes: Int, _ load: SpinLoad, workers: Int) throws {
        let observer = Observer()
        let controller = DataController(
            dataSource: SpinningSource(count: nodes, load),
            environment: DispatchEnvironment(workerCount: workers),
            observer: observer
        )
        let outcome = AwaitedOutcome()
        controller.lane.enqueue {
            outcome.ignore { try controller.assumeIsolated().reloadData(completion: outcome.note) }
        }
        try outcome.waitUntilDeployed()
        nanoseconds = observer.duration.load(ordering: .acquiring) / .nanoseconds(1)
        let measured = observer.elements.load(ordering: .acquiring)
        guard nanoseconds > 0, measured == nodes else {
            throw Failure("\(measured) of \(nodes) nodes were measured")
        }
    }

    private final class Observer: PipelineObserver {
        let duration = Atomic<Duration>(.zero)
        let elements = Atomic<Int>(0)

        func observe(_ event: PipelineEvent) {
            guard event.kind == .measuringFinished else { return }
            duration.store(event.duration ?? .zero, ordering: .releasing)
            elements.store(event.elementCount ?? 0, ordering: .releasing)
        }
    }
}
