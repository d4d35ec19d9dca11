import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Stalls", .endsHangs)
struct StallTests {
    private func scene(
        _ substrate: Substrate,
        _ view: RecordingView = RecordingView(),
        backlogLimit: Int = 64
    ) -> Scene {
        Scene(substrate, [["a"]], view: view, workerCount: 1) {
            $0.stallTimeout = .milliseconds(50)
            $0.backlogLimit = backlogLimit
        }
    }

    /// The first stall of that kind; on a slow machine there may be others.
    private func stall(_ wait: PipelineWait, _ scene: Scene) async -> PipelineEvent? {
        func find() -> PipelineEvent? {
            scene.events.events(.stalled).first { $0.stall?.wait == wait }
        }
        while find() == nil { await Task.yield() }
        return find()
    }

    /// Ends when that stall has been told as ended, and checks that each was told once.
    private func expectEnd(_ stall: Stall?, _ scene: Scene) async {
        func ends() -> [PipelineEvent] {
            scene.events.events(.stallEnded).filter { $0.stall == stall }
        }
        while ends().isEmpty { await Task.yield() }
        await scene.close()
        #expect(ends().count == 1)
        #expect(scene.events.events(.stalled).count { $0.stall == stall } == 1)
        #expect((ends().first?.duration ?? .zero) >= .milliseconds(50))
    }

    @Test(arguments: Substrate.allCases)
    func aViewThatDoesNotDeployIsTold(_ substrate: Substrate) async throws {
        let scene = scene(substrate, RecordingView(.onDemand))
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        let event = await stall(.deploying, scene)
        #expect(event?.submission?.rawValue == 1 && event?.stall?.submission?.rawValue == 1)
        #expect(
            event?.stall?.description
                == "#1 waits for the view to deploy it: look for a perform(_:) that keeps its update"
                + " and never calls deploy(_:)"
        )
        await scene.onMain { _ in scene.view.catchUp() }
        await expectEnd(event?.stall, scene)
    }

    @Test(arguments: Substrate.allCases)
    func aViewThatDoesNotFinishIsTold(_ substrate: Substrate) async throws {
        let scene = scene(substrate, RecordingView(.onDemand))
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in _ = scene.view.deployNext(finishing: false) }
        let event = await stall(.finishing, scene)
        #expect(event?.submission?.rawValue == 1)
        await scene.onMain { _ in scene.view.finishNext() }
        await expectEnd(event?.stall, scene)
    }

    @Test(arguments: Substrate.allCases)
    func aBatchThatIsNotEndedIsTold(_ substrate: Substrate) async throws {
        let scene = scene(substrate)
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        let event = await stall(.batchEnd, scene)
        #expect(event?.submission?.rawValue == 1)
        try await scene.onMain { try $0.assumeIsolated().endUpdates(completion: nil) }
        await expectEnd(event?.stall, scene)
    }

    @Test(arguments: Substrate.allCases)
    func aSubmissionThatWaitsForRoomIsTold(_ substrate: Substrate) async throws {
        let scene = scene(substrate, RecordingView(.onDemand), backlogLimit: 1)
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        let event = await stall(.room, scene)
        #expect(event?.submission?.rawValue == 2)
        await scene.onMain { _ in scene.view.catchUp() }
        await expectEnd(event?.stall, scene)
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func aNodeProviderThatBlocksIsTold(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = scene(substrate)
        scene.nodes.onMake { _ in gate.pass() }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        let event = await stall(.measuring, scene)
        #expect(event?.submission?.rawValue == 1)
        gate.open()
        await expectEnd(event?.stall, scene)
    }

    /// From the timer's lane, while the main lane cannot say so.
    @Test(arguments: Substrate.threaded)
    func aMainLaneThatDoesNotGoOnIsTold(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = scene(substrate)
        scene.stage.lane.enqueue { gate.pass() }
        await gate.reached()
        scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        let event = await stall(.mainLane, scene)
        #expect(event?.submission == nil)
        #expect(event?.stall?.description.hasPrefix("The controller waits for a turn") == true)
        gate.open()
        await expectEnd(event?.stall, scene)
    }

    /// Once everything has been told, and once there is nothing to tell.
    @Test func timersComeToRest() async throws {
        let stage = Substrate.simulated.makeStage()
        let environment = TimedEnvironment(base: stage.environment)
        let view = RecordingView(.onDemand)
        let events = EventRecorder()
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            view: view,
            lane: stage.lane,
            environment: environment,
            observer: events
        )
        try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await events.wait(for: .stalled)
        await onMain(controller) { _ in view.catchUp() }
        await controller.settle()
        try await controller.reloadData()
        for _ in 0..<50 { await onMain(controller) { _ in } }
        let count = environment.delays.count
        for _ in 0..<50 { await onMain(controller) { _ in } }
        #expect(environment.delays.count == count)
        // How many there are depends on how long this thread takes with a submission: virtual time does not wait.
        #expect(count >= 5)
        #expect(Set(environment.delays.values) == [.milliseconds(2_500)])
        await controller.close()
    }

    @Test(arguments: [true, false])
    func whereNobodyWouldBeToldThereAreNoTimers(_ hasObserver: Bool) async throws {
        let environment = TimedEnvironment(base: DispatchEnvironment(workerCount: 1))
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            configuration: hasObserver ? .unwatched : PipelineConfiguration(),
            environment: environment,
            observer: hasObserver ? EventRecorder() : nil
        )
        try await controller.reloadData()
        await controller.close()
        #expect(environment.delays.count == 0)
    }

    @Test func aTimerKeepsNothingOfADroppedController() async throws {
        final class EndingSource: CollectionDataSource {
            let ended: Journal<Void>
            init(_ ended: Journal<Void>) { self.ended = ended }
            func numberOfItems(inSection section: Int) -> Int { 1 }
            func nodeProvider(forItemAt path: ItemPath) -> NodeProvider { { LetterNode("a") } }
            deinit { ended.append(()) }
        }
        let ended = Journal<Void>()
        var configuration = PipelineConfiguration()
        configuration.stallTimeout = .seconds(3600)
        let view = RecordingView(.onDemand)
        do {
            let controller = DataController(
                dataSource: EndingSource(ended),
                view: view,
                configuration: configuration,
                environment: DispatchEnvironment(workerCount: 1),
                observer: EventRecorder()
            )
            try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
            await view.received.values(count: 1)
            await onMain(controller) { _ in view.dropAll() }
        }
        await ended.values(count: 1)
    }
}
