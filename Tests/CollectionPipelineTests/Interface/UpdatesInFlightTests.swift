import CollectionPipeline
import PipelineTestSupport
import Testing

/// What a view is told of updates that are on their way to it.
@Suite("Updates in flight", .endsHangs)
struct UpdatesInFlightTests {
    @Test(arguments: Substrate.allCases)
    func aViewIsToldWhenTheFirstComesAndWhenTheLastIsDeployed(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        #expect(scene.view.inFlight.values == [])
        try await scene.onMain { controller in
            for _ in 0..<2 {
                try controller.assumeIsolated().performBatchUpdates()
                #expect(scene.view.inFlight.values == [true])
            }
        }
        await scene.view.received.values(count: 2)
        await scene.onMain { _ in
            scene.view.deployNext(finishing: false)
            #expect(scene.view.inFlight.values == [true])
            scene.view.deployNext(finishing: false)
            #expect(scene.view.inFlight.values == [true, false], "animations are not waited for")
            scene.view.catchUp()
        }
        await scene.settle()
        #expect(scene.view.inFlight.values == [true, false])
        await scene.close()
        #expect(scene.view.inFlight.values == [true, false, true], "nothing gets in any more")
    }

    @Test(arguments: Substrate.allCases)
    func anOpenBatchIsOnItsWayAlsoIfNothingComesOfIt(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        #expect(scene.view.inFlight.values == [true, false])
        await scene.onMain { controller in
            let list = controller.assumeIsolated()
            #expect(throws: UpdateError.self) {
                try list.performBatchUpdates { _, changes in
                    #expect(scene.view.inFlight.values == [true, false, true])
                    changes.deleteItems(at: [ItemPath(9, 9)])
                }
            }
            #expect(scene.view.inFlight.values == [true, false, true, false])
        }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutIsOnItsWayAsSoonAsItIsAccepted(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)])
            #expect(scene.view.inFlight.values == [true, false, true])
        }
        await scene.settle()
        #expect(scene.view.inFlight.values == [true, false, true, false])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whoWaitsForRoomIsOnTheWay(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = 1
        }
        try await scene.onMain { try $0.assumeIsolated().performBatchUpdates() }
        await scene.view.received.values(count: 1)
        scene.controller.enqueueBatchUpdates(
            { source, changes in
                // In the turn in which it gets in, which the other's deployment made possible.
                #expect(scene.view.inFlight.values == [true])
                source.append("b", &changes)
            },
            completion: scene.completion("b")
        )
        await scene.onMain { _ in }
        await scene.onMain { _ in
            scene.view.deployNext()
            #expect(scene.view.inFlight.values == [true], "the second waits for the first")
        }
        await scene.view.received.values(count: 2)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.outcomes.values(count: 1)
        #expect(scene.view.inFlight.values == [true, false])
        await scene.close()
    }

    /// Looks at what the view was told when a set is accepted.
    private final class Looking: PipelineObserver {
        let view: RecordingView
        let found = Journal<[Bool]>()

        init(_ view: RecordingView) { self.view = view }

        func observe(_ event: PipelineEvent) {
            if event.kind == .accepted { found.append(view.inFlight.values) }
        }
    }

    private struct Row: Identifiable, Equatable { let id: Int }

    @Test(arguments: Substrate.allCases)
    func aStateThatIsComparedIsOnItsWay(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let view = RecordingView()
        let looking = Looking(view)
        let board = DataController<SnapshotDataSource<SectionedRows<String, Row>>>(
            states: SectionedRows<String, Row>.self,
            view: view,
            configuration: .unwatched,
            lane: stage.lane,
            environment: stage.environment,
            observer: looking
        )
        try await board.apply(SectionedRows([("a", [Row(id: 1)])]))
        try await board.apply(SectionedRows([("a", [Row(id: 2)])]))
        #expect(looking.found.values == [[true], [true, false, true]])
        #expect(view.inFlight.values == [true, false, true, false])
        await board.close()
    }
}
