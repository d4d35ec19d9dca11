import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Events", .endsHangs)
struct EventTests {
    private static let life = [
        "accepted", "measuringStarted", "measuringFinished", "handedOver", "deployed", "completed",
    ]

    @Test(arguments: Substrate.allCases)
    func anUpdateIsTraceableThroughAllItsSteps(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]], view: RecordingView(.onDemand)) {
            $0.name = "feed"
        }
        try await scene.onMain { controller in
            try controller.performBatchUpdates(context: "mine", completion: nil)
        }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        let events = scene.events.events
        #expect(events.map(\.kind.rawValue) == Self.life)
        #expect(Set(events.map(\.pipeline)) == ["feed"])
        #expect(events.allSatisfy { $0.context as? String == "mine" })
        #expect(events.allSatisfy { $0.submission?.rawValue == 1 })
        let ascend = zip(events, events.dropFirst()).allSatisfy {
            $0.timestampNanoseconds <= $1.timestampNanoseconds
        }
        #expect(ascend)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func eventsCarryCountsAndDurations(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["x", "b", "c"]
            changes.reloadItems(at: [ItemPath(0, 0)])
            changes.insertItems(at: [ItemPath(0, 2)])
        }
        let events = scene.events.events.filter { $0.submission?.rawValue == 2 }
        let accepted = try #require(events.first { $0.kind == .accepted })
        #expect(accepted.editCount == 3, "a reload counts as two")
        #expect(accepted.elementCount == 2)
        #expect(accepted.backlog == 1)
        let deployed = try #require(events.first { $0.kind == .deployed })
        #expect(deployed.backlog == 0)
        let kinds: [PipelineEvent.Kind] = [.accepted, .measuringFinished, .deployed, .handedOver]
        let timed = kinds.map { kind in
            events.first { $0.kind == kind }?.durationNanoseconds != nil
        }
        #expect(timed == [true, true, true, true])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRefusalIsAnEventWithItsError(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates(context: 7) { $1.deleteSections([3]) }
        }
        await scene.settle()
        #expect(
            scene.events.kinds(of: SubmissionID(rawValue: 2)) == ["rejected", "completed"]
        )
        let rejected = scene.events.events(.rejected).first
        #expect((rejected?.error as? UpdateError)?.code == .invalidUpdate)
        #expect(rejected?.context as? Int == 7)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func closingIsReportedLast(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await scene.close()
        #expect(scene.events.kinds(of: nil) == ["closing", "closed"])
        #expect(scene.events.events.last?.kind == .closed)
    }

    @Test
    func withoutAnObserverTheClockIsNotRead() async throws {
        let environment = NotingEnvironment(DispatchEnvironment(workerCount: 1))
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            environment: environment
        )
        try await controller.reloadData()
        try await controller.performBatchUpdates { $1.reloadItems(at: [ItemPath(0, 0)]) }
        await #expect(throws: UpdateError.self) {
            try await controller.performBatchUpdates { $1.deleteSections([3]) }
        }
        await controller.close()
        #expect(environment.clockReads.count == 0)
    }
}
