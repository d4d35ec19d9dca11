import PipelineTestSupport
import PipelineTesting
import Testing

/// The records of a run: its steps as a text, and the events of pipelines.
@Suite("Timelines and recorded events", .endsHangs) struct RecordingTests {
    private static func timeline(_ simulation: Simulation) -> String {
        "\(Timeline(simulation.trace, laneLabels: simulation.laneLabels))"
    }

    @Test func eachStepIsALineAndEachLaneAColumn() {
        let simulation = Simulation(seed: 0, strategy: .choices([]))
        let main = simulation.makeLane(label: "main")
        _ = simulation.makeLane(label: "idle")
        let other = simulation.makeLane(label: "a long name")
        main.enqueue { simulation.annotate("nobody keeps this") }
        simulation.run()
        #expect(Self.timeline(simulation) == "step")
        simulation.keepTrace()
        main.enqueue {
            simulation.annotate("begins")
            other.enqueue { simulation.annotate("other") }
            simulation.annotate("pauses")
            simulation.yield()
            simulation.annotate("ends")
        }
        simulation.environment.fork(parts: 2, joinOn: main, body: { _ in }, join: {})
        simulation.environment.schedule(after: .nanoseconds(1), on: main) {}
        simulation.run()
        #expect(
            Self.timeline(simulation) == """
                step   main   a long name  workers  timers
                2      #1     ·            ·        ·       begins; pauses
                3      ·      ·            #2       ·
                4      …1     ·            ·        ·       ends
                5      ·      ·            #2       ·
                6      ·      #4           ·        ·       other
                7      #5     ·            ·        ·
                8      ·      ·            ·        #3
                9      #6     ·            ·        ·
                """
        )
    }

    @Test func lanesWithEqualLabelsHaveTheirOwnColumns() {
        let simulation = Simulation(seed: 0, strategy: .inOrder)
        simulation.keepTrace()
        for _ in 0..<3 { simulation.makeLane(label: "main").enqueue {} }
        simulation.run()
        #expect(simulation.laneLabels == ["main", "main 1", "main 2"])
        #expect(Self.timeline(simulation).hasSuffix("3      ·      ·       #2"))
    }

    /// A note stays in its line up to 80 columns; otherwise it fills its own lines.
    @Test func noLineOfANoteIsWiderThan80Columns() {
        var faults: [String] = []
        for length in 1...100 {
            let simulation = Simulation(seed: 0)
            simulation.keepTrace()
            let word = String(repeating: "x", count: length)
            let note = Array(repeating: word, count: length > 66 ? 1 : 12).joined(separator: " ")
            simulation.makeLane(label: "main").enqueue { simulation.annotate(note) }
            simulation.run()
            let lines = Self.timeline(simulation).split(separator: "\n").dropFirst()
            let words = lines.joined(separator: " ").split(separator: " ").dropFirst(2)
            let isInLine = 14 + note.count <= 80
            if words.joined(separator: " ") != note || (lines.count == 1) != isInLine
                || length <= 66 && lines.contains(where: { $0.count > 80 })
            {
                faults.append("\(length): \(lines)")
            }
        }
        #expect(faults == [])
    }

    /// Records all events of some updates, and the same events up to a capacity.
    private final class FullAndBoundedRecorder: PipelineObserver {
        let whole = EventRecorder()
        let bounded: EventRecorder

        init(_ capacity: Int) { bounded = EventRecorder(capacity: capacity) }

        func observe(_ event: PipelineEvent) {
            whole.observe(event)
            bounded.observe(event)
        }
    }

    @Test(arguments: [0, 1, 7, 20, 1 << 16, -5, Int.max])
    func theOldestEventsAreKeptAndAllAreCounted(_ capacity: Int) async throws {
        func lines(_ events: [PipelineEvent]) -> [String] {
            events.map { "\($0.kind.rawValue) \($0.submission as Any) \($0.timestamp)" }
        }
        let both = FullAndBoundedRecorder(capacity)
        let controller = Substrate.simulated.makeStage()
            .makeController(TextDataSource([["a"]]), observer: both)
        try await controller.reloadData()
        for text in ["b", "c"] {
            try await controller.performBatchUpdates { source, changes in
                source.append(text, &changes)
            }
        }
        await controller.close()
        let (whole, bounded) = (both.whole, both.bounded)
        let kept = bounded.events
        #expect(whole.count > 20 && whole.events.count == whole.count)
        #expect(bounded.count == whole.count)
        #expect(lines(kept) == Array(lines(whole.events).prefix(max(0, capacity))))
        for event in kept {
            let found = lines(bounded.events(event.kind))
            let own = kept.filter { $0.submission == event.submission }.map(\.kind.rawValue)
            let isRight =
                found == lines(kept.filter { $0.kind == event.kind })
                && bounded.kinds(of: event.submission) == own
            #expect(isRight, "\(event.kind)")
        }
    }
}
