import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Animations of a data source adapter")
struct AdapterAnimationTests {
    private let bench: Bench<RowLayout>

    init() throws {
        bench = try Bench([texts(6)], height: 60)
        bench.load()
    }

    private func removeFirst(
        animated isAnimated: Bool,
        completion: @escaping () -> Void = {}
    ) throws {
        try bench.adapter.performBatchUpdates(
            animated: isAnimated,
            { changes in
                bench.source.sections[0].removeFirst()
                changes.deleteItems(at: [ItemPath(0, 0)])
            },
            completion: { _ in completion() }
        )
    }

    /// What goes on between two animations, in turns of its own.
    private enum Between: CaseIterable { case plain, refused, thrown, reload }

    @Test(arguments: Between.allCases)
    private func whatIsNotAnimatedEndsNoAnimation(_ between: Between) throws {
        struct Stop: Error {}
        if between != .reload { try removeFirst(animated: true) }
        var counts: [Int] = []
        let note = { counts.append(bench.log("didEnd").count) }
        switch between {
        case .plain: try removeFirst(animated: false, completion: note)
        case .refused:
            try? bench.adapter.performBatchUpdates(
                { $0.deleteItems(at: [ItemPath(0, 99)]) },
                completion: { _ in note() }
            )
        case .thrown:
            try? bench.adapter.performBatchUpdates(
                { _ in throw Stop() },
                completion: { _ in note() }
            )
        case .reload:
            try bench.adapter.performBatchUpdates(
                { $0.reloadData() },
                completion: { _ in note() }
            )
        }
        let before = bench.log("didEnd").count
        try removeFirst(animated: true, completion: note)
        bench.lane.run()
        let ofFirst = between == .reload ? 0 : 1
        #expect(counts == [before + ofFirst, before + ofFirst + 1])
        #expect(bench.log("finished").count == (between == .plain ? 3 : 2))
        bench.check()
    }

    @Test func withoutAnotherWordAnUpdateIsAnimated() throws {
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        #expect(!bench.view.transitions.isEmpty && bench.log("didEnd") == [])
        bench.lane.run()
        #expect(bench.log("didEnd") == ["didEndDisplaying 0 - 0"])
    }
}
