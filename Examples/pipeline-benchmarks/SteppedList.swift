import CollectionPipeline
import CollectionPublishing
import Dispatch
import SimulatedView
import Synchronization

/// A list on the calling thread, so that the instructions and allocations of its change sets can be
/// counted by step.
final class SteppedList {
    private let lanes = SteppedLanes()
    private let controller: DataController<CountsSource>
    private let view: any CollectionView
    private var reader: HubReader?
    private var random = SplitMix64()

    /// The object that shows the list.
    enum Kind {
        /// A view that does nothing.
        case immediate
        /// A hub with one reader.
        case hub
        /// A view with a list layout and about fifty visible rows.
        case list
    }

    init(_ outline: Outline, _ kind: Kind) throws {
        switch kind {
        case .immediate: view = ImmediateView()
        case .hub: view = UpdateHub(environment: lanes)
        case .list:
            let layout = ListLayout()
            layout.estimatesHeights = true
            view = SimulatedCollectionView(
                size: Size(width: 80, height: 50),
                layout: layout,
                logCapacity: 0
            )
        }
        controller = DataController(
            dataSource: CountsSource(outline.counts, lifetime: DispatchGroup()),
            view: view,
            lane: lanes.makeMainLane(),
            environment: lanes
        )
        if let hub = view as? UpdateHub {
            reader = try hub.addReader { message in
                if case .update(let update) = message { BlackHole.consume(update.to.number) }
                return .more
            }
        }
        try deploy { _, changes in changes.reloadData() }
    }

    /// The allocations of each step so far.
    var allocations: [Int] { lanes.allocations }

    /// Deploys a change set with edits at random places.
    func deploy(deletions: Int, insertions: Int) throws {
        let plan = EditPlan(
            in: controller.pendingMap.shape.itemCounts,
            deletions: deletions,
            insertions: insertions,
            using: &random
        )
        try deploy { source, changes in source.apply(plan, &changes) }
    }

    private func deploy(
        _ updates: @escaping @Sendable (CountsSource, inout BatchRecorder) -> Void
    ) throws {
        let deployed = Tally()
        controller.lane.enqueue { [controller] in
            // The completion receives what the call throws.
            _ = try? controller.assumeIsolated().performBatchUpdates(updates) { result in
                if case .deployed = result.outcome { deployed.add(1) }
            }
        }
        lanes.run()
        if deployed.count != 1 { throw Failure("a change set was not deployed") }
    }
}
