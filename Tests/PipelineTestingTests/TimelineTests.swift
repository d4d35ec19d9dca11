import PipelineTestSupport
import Testing

@testable import PipelineTesting

@Suite struct TimelineTests {
    @Test func aStepIsALineAndALaneAColumn() {
        let simulation = Simulation(seed: 0, strategy: .choices([]))
        simulation.keepTrace()
        let main = simulation.makeLane(label: "main")
        _ = simulation.makeLane(label: "idle")
        let other = simulation.makeLane(label: "a long name")
        main.enqueue { other.enqueue {} }
        simulation.environment.fork(parts: 2, joinOn: main, body: { _ in }, join: {})
        simulation.environment.schedule(after: .nanoseconds(1), on: main) {}
        simulation.run()
        let text = "\(Timeline(simulation.trace, laneLabels: simulation.laneLabels))"
        #expect(
            text == """
                step   main   a long name  workers  timers
                1      #0     ·            ·        ·
                2      ·      ·            #1       ·
                3      ·      ·            #1       ·
                4      ·      #3           ·        ·
                5      #4     ·            ·        ·
                6      ·      ·            ·        #2
                7      #5     ·            ·        ·
                """
        )
    }

    @Test func nothingIsAHeaderAlone() {
        #expect("\(Timeline([], laneLabels: ["main"]))" == "step")
    }

    @Test func theTraceBeginsWhereItIsAskedFor() {
        let simulation = Simulation(seed: 0)
        let main = simulation.makeLane(label: "main")
        main.enqueue {}
        simulation.run()
        #expect(simulation.trace.isEmpty)
        simulation.keepTrace()
        main.enqueue {}
        simulation.run()
        #expect(simulation.trace.map(\.step) == [2])
        #expect(simulation.trace.map(\.place) == ["main"])
    }

    @Test func aStepWithoutANoteIsOneLineHoweverManyLanesThereAre() {
        let simulation = Simulation(seed: 0)
        simulation.keepTrace()
        let lanes = (0..<12).map { simulation.makeLane(label: "conversation-\($0)") }
        for lane in lanes { lane.enqueue {} }
        simulation.run()
        let text = "\(Timeline(simulation.trace, laneLabels: simulation.laneLabels))"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { !$0.isEmpty })
        #expect(lines.contains { $0.count > 80 })
    }

    @Test func noLineOfANoteIsWiderThanATerminal() {
        let simulation = Simulation(seed: 0)
        simulation.keepTrace()
        let main = simulation.makeLane(label: "main")
        let note = Array(repeating: "several words", count: 20).joined(separator: "\n")
        main.enqueue { simulation.annotate(note) }
        main.enqueue { simulation.annotate("short") }
        simulation.run()
        let lines = "\(Timeline(simulation.trace, laneLabels: simulation.laneLabels))"
            .split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 } && lines.last == "2      #1     short")
        let words = lines[2..<(lines.count - 1)].flatMap { $0.split(separator: " ") }
        #expect(words == note.split(whereSeparator: \.isWhitespace))
    }

    private static func line(_ note: String) -> [String] {
        var step = SimulatedStep(
            step: 1,
            number: 0,
            place: "main",
            timestamp: .zero,
            isResumed: false
        )
        step.notes = [note]
        let text = "\(Timeline([step], laneLabels: ["main"]))"
        return text.split(separator: "\n").dropFirst().map(String.init)
    }

    /// The line of the step takes 14 columns before its note.
    @Test func aNoteStaysInItsLineUpToTheLastColumn() {
        for count in 1...200 {
            let note = String(repeating: "x", count: count)
            let lines = Self.line(note)
            let expected =
                14 + count <= 80
                ? ["1      #0     " + note] : ["1      #0", "         " + note]
            #expect(lines == expected, "\(count)")
        }
    }

    /// Each line takes as many words as fit 80 columns, the last of which counts.
    @Test func linesOfANoteAreFilledToTheLastColumn() {
        for length in 1...40 {
            let word = String(repeating: "x", count: length)
            let lines = Self.line(Array(repeating: word, count: 100).joined(separator: " "))
                .dropFirst()
            let most = (80 - 9 + 1) / (length + 1)
            let counts = lines.map { $0.split(separator: " ").count }
            #expect(counts.dropLast().allSatisfy { $0 == most }, "\(length)")
            #expect(counts.reduce(0, +) == 100)
            #expect(lines.allSatisfy { $0.hasPrefix("         x") && $0.count <= 80 })
        }
    }
}
