import CollectionPublishing
import PipelineTestSupport
import PipelineTrace
import SimulatedView
import Testing

@Suite("Traced environments", .endsHangs) struct TracedEnvironmentTests {
    private func work(_ recorder: TraceRecorder) -> [TraceEntry.Work] {
        recorder.entries.compactMap { if case .work(let work) = $0 { work } else { nil } }
    }

    /// A whole pipeline with a hub as its view.
    private func run(
        _ stage: Stage,
        _ recorder: TraceRecorder
    ) async throws -> (Int, PublishedSnapshot) {
        let traced = TracedEnvironment("feed", receiver: recorder, wrapping: stage.environment)
        var configuration = PipelineConfiguration.unwatched
        configuration.name = "feed"
        let hub = UpdateHub(environment: traced)
        let controller = DataController(
            dataSource: LettersSource(),
            view: hub,
            configuration: configuration,
            lane: traced.mainLane(stage.lane),
            environment: traced,
            observer: recorder
        )
        try await controller.reloadData()
        let reader = try hub.addReader { _ in .more }
        for letter in ["b", "c", "d"] {
            try await controller.performBatchUpdates { source, changes in
                source.letters.insert(letter, at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            }
            traced.count("readers", [.init("readers", hub.numberOfReaders)])
        }
        await controller.close()
        let snapshot = hub.snapshot
        withExtendedLifetime(reader) {}
        return (controller.visibleMap.numberOfItems, snapshot)
    }

    private final class LettersSource: CollectionDataSource {
        var letters = ["a"]
        func numberOfItems(inSection section: Int) -> Int { letters.count }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            let letter = letters[path.item]
            return { PayloadNode(PublishedPayload(letter)) }
        }
    }

    @Test(arguments: Substrate.allCases)
    func lanesWorkersAndReadersOfAHubAreInTheTrace(_ substrate: Substrate) async throws {
        let recorder = TraceRecorder()
        let (items, snapshot) = try await run(substrate.makeStage(), recorder)
        #expect(items == 4 && snapshot.state.shape == [4])
        let trace = try StrictTrace(ChromeTrace.json(of: recorder.entries))
        let threads = Set(trace.threadNames.values)
        #expect(
            threads.isSuperset(of: ["main lane", "editing lane", "worker 1", "hub", "feed.editing"])
        )
        #expect(trace.processNames == [1: "feed"])
        #expect(trace.spans.count == 4 && trace.flows.count == 4)
        let readers = try #require(trace.counters["feed: readers"])
        #expect(readers == Array(repeating: ["readers": 1], count: 3))
    }

    /// Also that nothing comes twice, or is lost, by being traced.
    @Test func partsRunOnceOnWorkersThatDoNotOverlap() async throws {
        let recorder = TraceRecorder()
        let traced = TracedEnvironment(
            "feed",
            receiver: recorder,
            wrapping: DispatchEnvironment(workerCount: 3)
        )
        let lane = traced.makeLane(label: "joining")
        let seen = Journal<Int>()
        await withCheckedContinuation { continuation in
            traced.fork(
                parts: 200,
                joinOn: lane,
                body: { seen.append($0) },
                join: { continuation.resume() }
            )
        }
        // The turn of the join is taken down after it.
        await lane.run {}
        #expect(seen.values.sorted() == Array(0..<200))
        let parts = work(recorder).filter { $0.name == "part" }
        #expect(parts.compactMap(\.part?.index).sorted() == Array(0..<200))
        #expect(parts.allSatisfy { $0.part?.count == 200 && $0.part?.lane == "joining" })
        let workers = Set(parts.map(\.place))
        #expect(workers.isSubset(of: (1...3).map { .worker($0) }))
        _ = try StrictTrace(ChromeTrace.json(of: recorder.entries))
    }

    @Test func itIsTheEnvironmentThatItWraps() {
        let base = DispatchEnvironment(workerCount: 3)
        let traced = TracedEnvironment("feed", receiver: TraceRecorder(), wrapping: base)
        #expect(traced.workerCount == 3 && !traced.isCurrentWorker)
        let (before, now, after) = (base.now, traced.now, base.now)
        #expect(before <= now && now <= after)
        let main = EmulatedMainLane(label: "mine")
        #expect(traced.mainLane(main).label == "mine" && !traced.mainLane(main).isCurrent)
    }

    /// Every interleaving with paused steps, stalls and refusals, with all lanes traced.
    @Test func whateverASimulationDoesTheTraceKeepsItsRules() throws {
        try Simulation.forEachSeed(0..<Effort.number(200, usually: 60)) { simulation in
            let recorder = TraceRecorder()
            let traced = TracedEnvironment(
                "feed",
                receiver: recorder,
                wrapping: simulation.environment
            )
            let hub = UpdateHub(environment: traced)
            let view = FaultyView(wrapping: hub, in: simulation)
            var configuration = PipelineConfiguration.unwatched
            configuration.name = "feed"
            let controller = DataController(
                dataSource: LettersSource(),
                view: view,
                configuration: configuration,
                lane: traced.mainLane(simulation.makeLane(label: "main")),
                environment: traced,
                observer: recorder
            )
            for letter in ["b", "c", "d", "e"] {
                controller.enqueueBatchUpdates { source, changes in
                    source.letters.insert(letter, at: 0)
                    changes.insertItems(at: [ItemPath(section: 0, item: 0)])
                } completion: { _ in
                }
            }
            try simulation.settle(controller, view)
            let trace = try StrictTrace(ChromeTrace.json(of: recorder.entries))
            #expect(trace.spans.count >= 5)
            #expect(trace.slices.contains { $0.name == "part" })
        }
    }

    @Test func rangesOfAViewAreCountedEachWithoutTheOneWithin() async throws {
        let recorder = TraceRecorder()
        let traced = TracedEnvironment("feed", receiver: recorder)
        let view = SimulatedCollectionView(size: Size(width: 40, height: 10))
        let controller = DataController(
            models: [(0..<100).map { $0 }],
            view: view
        )
        try await controller.reloadData()
        await controller.lane.run { traced.countRanges(of: view) }
        #expect(recorder.entries.isEmpty)
        let counts = await controller.lane.run { () -> [Int] in
            let ranges = RangeController()
            view.rangeController = ranges
            view.layoutIfNeeded()
            traced.countRanges(of: view)
            return [InterfaceState.visible, .display, .preload].map {
                ranges.elements(in: $0).count
            }
        }
        let trace = try StrictTrace(ChromeTrace.json(of: recorder.entries))
        let counted = try #require(trace.counters["feed: items in ranges"]?.first)
        #expect(counted["visible"] == counts[0] && counts[0] > 0)
        #expect(counted["display"] == counts[1] - counts[0])
        #expect(counted["preload"] == counts[2] - counts[1])
        await controller.close()
    }
}
