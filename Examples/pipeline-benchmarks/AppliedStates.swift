import CollectionPipeline

/// A list that is told snapshots, over a metered main lane, loaded and idle.
final class AppliedStates {
    typealias State = CollectionSnapshot<Int, Int>

    let controller: DataController<SnapshotDataSource<State>>
    private let pair: SnapshotPair
    private let lane = MeteredLane()
    private let view = ImmediateView()

    init(_ outline: LoadedCollection.Outline, observer: (any PipelineObserver)? = nil) throws {
        pair = try SnapshotPair(outline)
        controller = DataController(
            states: State.self,
            view: view,
            lane: lane,
            observer: observer
        )
        _ = try apply(pair.old)
        guard controller.visibleMap.numberOfItems == outline.numberOfItems else {
            throw Failure("the view shows \(controller.visibleMap.shape) after loading")
        }
    }

    /// How long the main lane is busy with a state that five deletes and five inserts make of the one before.
    func nanosecondsOfTenEdits() throws -> Double {
        let time = try apply(pair.edited()).nanoseconds
        _ = try apply(pair.old)
        return Double(time)
    }

    private func apply(_ state: State) throws -> LaneTimes {
        let outcome = AwaitedOutcome()
        controller.apply(state, completion: outcome.note)
        try outcome.waitUntilDeployed()
        return lane.takeTimes()
    }
}
