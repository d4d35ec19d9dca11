import Testing

@testable import PipelineTesting

/// Notes with breaks, which must not break the lines of a timeline.
@Suite("Breaks in the notes of a timeline") struct TimelineBreakTests {
    private static func lines(_ notes: String...) -> [String] {
        var step = SimulatedStep(
            step: 1,
            number: 0,
            place: "main",
            timestamp: .zero,
            isResumed: false
        )
        step.notes = notes
        return "\(Timeline([step], laneLabels: ["main"]))".split(separator: "\n").map(String.init)
    }

    /// However short it is; its words stand in one line where they fit.
    @Test func aNoteWithABreakStandsBelowItsStep() {
        for note in ["a\nb", "a\n\n b", "\na b", "a b\n"] {
            #expect(Self.lines(note) == ["step   main", "1      #0", "         a b"])
        }
    }

    @Test func severalNotesAreOneText() {
        #expect(Self.lines("a", "b") == ["step   main", "1      #0     a; b"])
        #expect(Self.lines("a", "b\nc") == ["step   main", "1      #0", "         a; b c"])
    }
}
