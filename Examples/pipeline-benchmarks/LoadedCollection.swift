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
    private var random = SplitMix64()

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

    init(_ outline: Outline, observer: (any PipelineObserver)? = nil) throws {
        self.outline = outline
        let ended = DispatchGroup()
        self.ended = ended
        controller = DataController(
            dataSource: CountsSource(outline.counts, lifetime: ended),
            view: view,
            lane: lane,
            observer: observer
        )
        let outcome = AwaitedOutcome()
        lane.enqueue { [controller] in
            outcome.ignore { try controller.assumeIsolated().reloadData(completion: outcome.note) }
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

    /// Five deletes and five inserts that are valid now.
    func planOfTen() -> EditPlan { .randomTen(in: counts, using: &random) }

    /// How long such a change set keeps the main lane busy.
    ///
    /// - Parameter naming: whether the data source names the sections that changed.
    func nanosecondsOfTenEdits(namingSections naming: Bool = false) throws -> Double {
        let plan = planOfTen()
        let times = try deploy { source, changes in
            source.namesChangedSections = naming
            source.apply(plan, &changes)
        }
        return Double(times.nanoseconds)
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
                try controller.assumeIsolated().performBatchUpdates(
                    updates,
                    completion: outcome.note
                )
            }
        }
        try outcome.waitUntilDeployed()
        return lane.takeTimes()
    }

    /// How many questions such a change set asks the data source.
    func asksOfTenEdits() throws -> Int {
        let plan = planOfTen()
        let asks = Tally()
        _ = try deploy { source, changes in
            source.asks = 0
            source.apply(plan, &changes)
        }
        lane.enqueue { [controller] in asks.add(controller.assumeIsolated().dataSource.asks) }
        // Returns when that has run.
        _ = lane.takeTimes()
        return asks.count
    }

    /// Inserts or deletes one item and reconfigures two others, and returns how long a thread waits for that.
    func wallNanosecondsOfSmallSet(inserting: Bool) throws -> Double {
        let paths = plan(deletions: 3, insertions: 0).oldPaths
        let edits = inserting ? plan(deletions: 0, insertions: 1) : EditPlan(deleting: paths[0])
        let start = Stopwatch.wallNanoseconds
        _ = try deploy { source, changes in
            source.apply(edits, &changes)
            changes.reconfigureItems(at: Array(paths.dropFirst()))
        }
        return Double(Stopwatch.wallNanoseconds - start)
    }
}
