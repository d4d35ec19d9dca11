import CollectionPublishing
import PipelineTestSupport
import PipelineTrace
import SimulatedView
import Testing

@Suite("Traced environments", .endsHangs) struct TracedEnvironmentTests {
    private final class LettersSource: CollectionDataSource {
        var letters = ["a"]
        func numberOfItems(inSection section: Int) -> Int { letters.count }
        func model(forItemAt path: ItemPath) -> (any Sendable)? { letters[path.item] }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            let letter = letters[path.item]
            return { PayloadNode(PublishedPayload(utf8: letter)) }
        }
    }

    /// A whole pipeline with a hub as its view, streamed until its end.
    @Test(arguments: Substrate.allCases)
    func lanesWorkersAndReadersOfAHubAreInTheTrace(_ substrate: Substrate) async throws {
        let (chunks, stage) = (Journal<[UInt8]>(), substrate.makeStage())
        let stream = ChromeTraceStream(environment: stage.environment) { chunks.append($0) }
        let traced = TracedEnvironment("feed", receiver: stream, wrapping: stage.environment)
        let hub = UpdateHub(environment: traced)
        var configuration = PipelineConfiguration.unwatched
        configuration.name = "feed"
        let controller = DataController(
            dataSource: LettersSource(),
            view: hub,
            configuration: configuration,
            lane: traced.mainLane(stage.lane),
            environment: traced,
            observer: stream
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
        try await stream.finish()
        #expect(controller.visibleMap.numberOfItems == 4 && hub.snapshot.state.shape == [4])
        withExtendedLifetime(reader) {}
        let trace = try StrictTrace(chunks.values.flatMap { $0 })
        let threads = Set(trace.threadNames.values)
        #expect(
            threads.isSuperset(of: ["main lane", "editing lane", "worker 1", "hub", "feed.editing"])
        )
        #expect(trace.processNames == [1: "feed"])
        #expect(trace.spans.count == 4 && trace.flows.count == 4)
        let readers = try #require(trace.counters["feed: readers"])
        #expect(readers == Array(repeating: ["readers": 1], count: 3))
    }

    // MARK: Recorders

    private func times(_ recorder: TraceRecorder) -> [Duration] {
        recorder.entries.map(\.timestamp)
    }

    /// The limit is at least one.
    @Test(arguments: [1, 2, 5, 0, Int.min])
    func theNewestEntriesAreKeptInOrderAndOthersAreCounted(_ requested: Int) {
        let recorder = TraceRecorder(limit: requested)
        let limit = max(1, requested)
        for number in 0..<12 {
            #expect(recorder.droppedCount == max(0, number - limit))
            #expect(times(recorder) == (max(0, number - limit)..<number).map { .microseconds($0) })
            recorder.receive(event(.closed, nil, at: Int64(number)))
        }
    }
}
