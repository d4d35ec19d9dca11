import CollectionPipeline
import Dispatch

/// Empty change sets through a controller whose lane nobody meters.
final class EmptySets: RoundTrips {
    private let view = ImmediateView()
    private let controller: DataController<CountsSource>

    init(
        _ outline: LoadedCollection.Outline,
        observer: (any PipelineObserver)? = nil
    ) throws {
        controller = DataController(
            dataSource: CountsSource(outline.counts, lifetime: DispatchGroup()),
            view: view,
            observer: observer
        )
        let outcome = AwaitedOutcome()
        controller.lane.enqueue { [controller] in
            outcome.ignore { try controller.assumeIsolated().reloadData(completion: outcome.note) }
        }
        try outcome.waitUntilDeployed()
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) { controller.lane.enqueue(work) }

    func depart(_ arrived: @escaping @Sendable () -> Void) {
        do {
            let list = controller.assumeIsolated()
            try list.performBatchUpdates(completion: { result in
                guard case .deployed = result.outcome else {
                    fatalError("an empty change set ended as \(result.outcome)")
                }
                arrived()
            })
        } catch {
            fatalError("an empty change set was refused: \(error)")
        }
    }
}
