import CollectionElements
import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import PipelineTesting
import Testing

/// When a hub tells what, on a clock that stands still until nothing else is left to do.
@Suite("Times of a hub", .endsHangs)
struct HubTimingTests {
    /// A hub whose lane and timers are a simulation's.
    private final class Stage {
        let simulation = Simulation(seed: 1)
        let hub: UpdateHub
        let controller: DataController<TextBoard>
        let told = Journal<String>()
        private var readers: [HubReader] = []

        init(_ configure: (inout HubConfiguration) -> Void) {
            var configuration = HubConfiguration()
            configure(&configuration)
            hub = UpdateHub(configuration: configuration, environment: simulation.environment)
            controller = DataController(
                dataSource: TextBoard([[]]),
                view: hub,
                in: simulation,
                configuration: .unwatched
            )
        }

        func addReader(_ name: String) throws {
            let reader = try hub.addReader { [told, simulation] message in
                told.append("\(name) \(message.words) at \(simulation.now / .seconds(1))")
                return .more
            }
            readers.append(reader)
        }

        func removeReaders() { readers = [] }

        func append(_ count: Int) {
            for number in 0..<count {
                controller.enqueueBatchUpdates { board, changes in
                    changes.insertItems(at: [ItemPath(0, 0)])
                    board.sections[0].items.insert("\(number)", at: 0)
                } completion: { _ in
                }
            }
        }

        /// Runs until nothing is left to do, timers included.
        func run() -> [String] {
            #expect(simulation.run(atMost: 10_000), "it goes on for ever")
            defer { told.removeAll() }
            return told.values
        }
    }

    @Test func announcementsAreAtLeastTheIntervalApart() throws {
        let stage = Stage { $0.minimumInterval = .seconds(2) }
        try stage.addReader("a")
        // The first becomes the load, and is announced at once; the others when their time has come.
        stage.append(5)
        let first = stage.run()
        #expect(first.count == 3 && first.first == "a reset 0 joined at 0.0")
        #expect(first.last?.hasSuffix(" 5 at 2.0") == true, "\(first)")
        // The time of the next begins with the one before.
        stage.append(1)
        #expect(stage.run() == ["a update 5 6 at 4.0"])
        stage.simulation.advanceClock(by: .seconds(9))
        stage.append(1)
        #expect(stage.run() == ["a update 6 7 at 13.0"])
    }

    @Test func oneTimerBeatsForAllReadersAslongAsThereAreAny() throws {
        let stage = Stage { $0.heartbeat = .seconds(5) }
        try stage.addReader("a")
        try stage.addReader("b")
        while stage.told.count < 6 { #expect(stage.simulation.step()) }
        var told: [String] = []
        for time in ["5.0", "10.0"] { told += ["a", "b"].map { "\($0) upToDate 0 at \(time)" } }
        #expect(stage.told.values.dropFirst(2).sorted() == told.sorted())
        stage.removeReaders()
        stage.told.removeAll()
        #expect(stage.run() == [], "nobody is told, and the timer ends")
        try stage.addReader("c")
        while stage.told.count < 2 { #expect(stage.simulation.step()) }
        #expect(stage.told.values.last?.hasPrefix("c upToDate 0") == true)
        stage.removeReaders()
    }
}
