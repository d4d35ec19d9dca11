import CollectionElements

@testable import CollectionPipeline
@testable import PipelineTesting

/// The board of a run, what its view was shown, and what is behind it, to tamper with.
final class ShownBoard: @unchecked Sendable {  // one thread
    let run: SimulatedRun
    let board: SimulatedBoard
    let view: FaultyView
    let controller: DataController<SnapshotDataSource<SimulatedBoardState>>
    private let check: (ViewUpdate) -> Void
    /// In the order in which they were shown.
    private(set) var updates: [ViewUpdate] = []

    init(seed: UInt64 = 1, faults: [RunPlan.Fault] = []) {
        var plan = RunPlan(seed: 1)
        (plan.seed, plan.strategy, plan.faults, plan.onlyFault) = (seed, .inOrder, faults, nil)
        (plan.clients, plan.view, plan.measuring, plan.backlogLimit) = ([], nil, nil, 5)
        (plan.mergesWhenFull, plan.rejectsWhenFull, plan.reloadsOnRejection) = (false, false, false)
        run = SimulatedRun(plan, keepsTrace: false)
        board = run.makeBoard()
        (view, controller) = (board.view, board.controller)
        check = view.willShow
        view.willShow = { [unowned self] update in
            updates.append(update)
            check(update)
        }
    }

    /// Has the board be shown an update once more, or one that is forged.
    func show(_ update: ViewUpdate) { onMain { $0.check(update) } }

    /// Applies a state, and waits for its end.
    func apply(_ seed: UInt64) {
        Task(executorPreference: LaneTaskExecutor(run.lane)) { [board] in
            _ = try? await board.apply(seed)
        }
        run.simulation.run()
    }

    /// On the main lane of the run.
    func onMain(_ body: @escaping (ShownBoard) -> Void) {
        nonisolated(unsafe) let body = body
        run.lane.enqueue { [self] in body(self) }
        run.simulation.run()
    }

    /// What was noted since it was asked last.
    var noted: [String] {
        defer { run.violations = [] }
        return run.violations.map(\.description)
    }

    /// Closes it, and looks at it for the last time.
    func finish() {
        board.close(draining: true)
        run.simulation.run()
        board.checkClosed()
        run.simulation.run()
        run.board = nil
    }

    static func contents(of map: ElementMap) -> [[Int]] {
        var contents = Array(repeating: [Int](), count: map.numberOfSections)
        for item in map.items {
            contents[item.path.section].append(item.content.model as? Int ?? -1)
        }
        return contents
    }

    /// An update of the same submission that nobody would send, from another map.
    func forged(_ update: ViewUpdate, from oldMap: ElementMap) -> ViewUpdate {
        let submission = Submission(
            id: update.submission,
            latched: Latched(update: update.changeSet, map: update.newMap, nextSectionID: 0),
            oldMap: oldMap,
            request: SubmissionRequest(id: update.submission),
            traitsGeneration: 0
        )
        return ViewUpdate(submission, core: controller.core)
    }
}
