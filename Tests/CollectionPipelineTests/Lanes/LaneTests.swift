import CollectionPipeline
import PipelineTestSupport
import Testing

/// An application's own actor on the controller's lane: it calls synchronous members directly.
private actor Board {
    private let lane: EmulatedMainLane
    private let controller: DataController<TextDataSource>

    nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }

    init(lane: EmulatedMainLane, controller: DataController<TextDataSource>) {
        self.lane = lane
        self.controller = controller
    }

    func add(_ text: String) throws -> Bool {
        controller.assumeIsolated().dataSource.sections[0].items.append(text)
        let last = controller.assumeIsolated().dataSource.sections[0].items.count - 1
        try controller.assumeIsolated().insertItems(at: [ItemPath(0, last)])
        lane.assertIsolated()
        return lane.isCurrent
    }
}

@Suite("Lanes", .endsHangs)
struct LaneTests {
    @Test
    func anActorOnTheEmulatedMainLaneMayCallSynchronousMembers() async throws {
        let lane = EmulatedMainLane(label: "board")
        let controller = DataController(dataSource: TextDataSource([["a"]]), lane: lane)
        try await controller.reloadData()
        let board = Board(lane: lane, controller: controller)
        #expect(try await board.add("b"))
        #expect(try await board.add("c"))
        await controller.reached(.handedOver)
        await controller.settle()
        #expect(controller.visibleMap.texts == [["a", "b", "c"]])
        #expect(!lane.isCurrent)
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aLaneRunsItsWorkInOrderOneAfterTheOtherAndLater(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let lanes = [stage.lane, stage.environment.makeLane(label: "editing")]
        for lane in lanes {
            let journal = Journal<Int>()
            let during = await lane.run {
                lane.enqueue { journal.append(1) }
                lane.enqueue { journal.append(2) }
                return (lane.isCurrent, journal.count)
            }
            #expect(during == (true, 0))
            #expect(await journal.values(count: 2) == [1, 2])
            #expect(!lane.isCurrent)
        }
        #expect(await lanes[0].run { !lanes[1].isCurrent })
    }

    @Test(arguments: Substrate.allCases)
    func aForkRunsEveryPartOnceOnWorkersAndJoinsOnTheLane(_ substrate: Substrate) async {
        let stage = substrate.makeStage(workerCount: 3)
        for parts in [1, 2, 3, 7, 100] {
            let ran = Journal<(part: Int, isWorker: Bool)>()
            let joined = Journal<(count: Int, isOnLane: Bool)>()
            stage.environment.fork(
                parts: parts,
                joinOn: stage.lane,
                body: { ran.append(($0, stage.environment.isCurrentWorker)) },
                join: { joined.append((ran.count, stage.lane.isCurrent)) }
            )
            let join = await joined.values(count: 1)[0]
            #expect(join == (parts, true))
            #expect(ran.values.map(\.part).sorted() == Array(0..<parts))
            let areWorkers = ran.values.allSatisfy(\.isWorker)
            #expect(areWorkers)
        }
        #expect(!stage.environment.isCurrentWorker)
        #expect(stage.environment.workerCount == 3)
    }

    @Test(.holdsWorker)
    func aPoolRunsNoMorePartsAtOnceThanItHasWorkers() async {
        let environment = DispatchEnvironment(workerCount: 2)
        let lane = EmulatedMainLane()
        let gate = Gate()
        defer { gate.open() }
        let joined = Journal<Void>()
        for _ in 0..<3 {
            environment.fork(
                parts: 4,
                joinOn: lane,
                body: { _ in gate.pass() },
                join: { joined.append(()) }
            )
        }
        await gate.reached(by: 2)
        await lane.run {}
        #expect(gate.arrivalCount == 2)
        gate.open()
        await joined.values(count: 3)
        #expect(gate.arrivalCount == 12)
    }

    @Test
    func theMainQueueLaneIsTheMainQueue() async throws {
        let lane = MainQueueLane.shared
        #expect(lane.label == "main")
        let controller = DataController(dataSource: TextDataSource([["a"]]), lane: lane)
        try await controller.reloadData()
        let texts = await lane.run {
            MainActor.preconditionIsolated()
            return controller.assumeIsolated().dataSource.sections.map(\.items)
        }
        #expect(texts == [["a"]])
        await onMainActor(controller)
        await controller.close()
    }

    @MainActor
    private func onMainActor(_ controller: DataController<TextDataSource>) {
        #expect(MainQueueLane.shared.isCurrent)
        #expect(controller.assumeIsolated().isSynchronized)
    }

    @Test(arguments: Substrate.allCases)
    func aTimerRunsOnTheLane(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let fired = Journal<Bool>()
        let start = stage.environment.now
        stage.environment.schedule(after: .microseconds(1), on: stage.lane) {
            fired.append(stage.lane.isCurrent)
        }
        #expect(await fired.values(count: 1) == [true])
        #expect(stage.environment.now >= start + .microseconds(1))
    }
}
