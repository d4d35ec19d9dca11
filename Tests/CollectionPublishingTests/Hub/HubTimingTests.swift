import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import PipelineTesting
import Testing

/// The times of a hub's messages, on a clock that advances only when no other work is left.
@Suite("Times of a hub", .endsHangs)
struct HubTimingTests {
    /// A hub with the lane and timers of a simulation.
    private final class Stage {
        let simulation = Simulation(seed: 1)
        let hub: UpdateHub
        let controller: DataController<TextBoard>
        let received = Journal<String>()
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
            let reader = try hub.addReader { [received, simulation] message in
                received.append("\(name) \(message.words) at \(simulation.now / .seconds(1))")
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

        /// Runs until no work or timer is left, and returns the messages.
        func run() -> [String] {
            #expect(simulation.run(atMost: 10_000), "the simulation does not end")
            defer { received.removeAll() }
            return received.values
        }
    }

    @Test func announcementsAreAtLeastTheIntervalApart() throws {
        let stage = Stage { $0.minimumInterval = .seconds(2) }
        try stage.addReader("a")
        // The first becomes the load and is announced immediately; the others after the interval.
        stage.append(5)
        let first = stage.run()
        #expect(first.count == 3 && first.first == "a reset 0 joined at 0.0")
        #expect(first.last?.hasSuffix(" 5 at 2.0") == true, "\(first)")
        // The next interval starts at the last announcement.
        stage.append(1)
        #expect(stage.run() == ["a update 5 6 at 4.0"])
        stage.simulation.advanceClock(by: .seconds(9))
        stage.append(1)
        #expect(stage.run() == ["a update 6 7 at 13.0"])
    }

    @Test func oneHeartbeatTimerServesAllReaders() throws {
        let stage = Stage { $0.heartbeat = .seconds(5) }
        try stage.addReader("a")
        try stage.addReader("b")
        while stage.received.count < 6 { #expect(stage.simulation.step()) }
        var received: [String] = []
        for time in ["5.0", "10.0"] {
            received += ["a", "b"].map { "\($0) upToDate 0 at \(time)" }
        }
        #expect(stage.received.values.dropFirst(2).sorted() == received.sorted())
        stage.removeReaders()
        stage.received.removeAll()
        #expect(stage.run() == [], "no reader is notified, and the timer ends")
        try stage.addReader("c")
        while stage.received.count < 2 { #expect(stage.simulation.step()) }
        #expect(stage.received.values.last?.hasPrefix("c upToDate 0") == true)
        stage.removeReaders()
    }
}
