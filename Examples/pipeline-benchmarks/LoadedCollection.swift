import CollectionPipeline
import Dispatch

/// A controller over a metered main lane, loaded and idle.
final class LoadedCollection {
    /// How large it was when it was loaded.
    let outline: Outline
    let lane = MeteredLane()
    let controller: DataController<CountsSource>
    /// What the main lane was busy with while it was loaded.
    let loading: LaneTimes
    /// Left when the collection is gone.
    let ended: DispatchGroup

    private let view = ImmediateView()
    private var random = SplitMix64(seed: 7)

    struct Outline: Equatable {
        let sections: Int
        let itemsPerSection: Int

        init(_ sections: Int, _ itemsPerSection: Int) {
            self.sections = sections
            self.itemsPerSection = itemsPerSection
        }

        var counts: [Int] { Array(repeating: itemsPerSection, count: sections) }

        var numberOfItems: Int { sections * itemsPerSection }
    }

    init(_ outline: Outline) throws {
        self.outline = outline
        let ended = DispatchGroup()
        self.ended = ended
        controller = DataController(
            dataSource: CountsSource(outline.counts, lifetime: ended),
            view: view,
            lane: lane
        )
        let outcome = AwaitedOutcome()
        lane.enqueue { [controller] in
            outcome.ignore { try controller.reloadData(completion: outcome.note) }
        }
        try outcome.waitUntilDeployed()
        loading = lane.takeTimes()
        guard controller.visibleMap.numberOfItems == outline.numberOfItems else {
            throw Failure("the view shows \(controller.visibleMap.shape) after loading")
        }
    }

    /// What the view shows.
    var map: ElementMap { controller.visibleMap }

    var counts: [Int] { controller.pendingMap.shape.itemCounts }

    /// A plan that is valid now.
    func plan(deletions: Int, insertions: Int) -> EditPlan {
        .random(in: counts, deletions: deletions, insertions: insertions, using: &random)
    }

    /// Submits one change set on the main lane, and returns what that kept the lane busy with, from
    /// the block that submits to the one that completes.
    func deploy(_ plan: EditPlan) throws -> LaneTimes {
        try deploy { source, changes in source.apply(plan, &changes) }
    }

    /// As above, with updates of any kind.
    func deploy(
        _ updates: @escaping @Sendable (CountsSource, inout BatchRecorder) -> Void
    ) throws -> LaneTimes {
        let outcome = AwaitedOutcome()
        lane.enqueue { [controller] in
            outcome.ignore {
                try controller.performBatchUpdates(updates, completion: outcome.note)
            }
        }
        try outcome.waitUntilDeployed()
        return lane.takeTimes()
    }
}
