import CollectionPipeline
import Testing

@testable import changeset_lint

/// How the lines of an explanation are broken for a terminal.
@Suite struct ExplanationWrapTests {
    /// The lines of a rejection whose second line is a message.
    private func lines(_ message: String, width: Int?) -> [String] {
        let scenario = Scenario(id: nil, oldCounts: [1], newCounts: [1], steps: [], result: nil)
        let error = HierarchyUpdateError(.itemCount, message)
        let examination = Examination(profile: .strict, verdict: .refused(error), faults: [])
        return Explanation(scenario, examination).text(width: width)
            .split(separator: "\n").map(String.init)
    }

    @Test(
        arguments: [
            (12, ["  one two", "      three", "      four a", "      bc d e"]),
            (13, ["  one two", "      three", "      four a", "      bc d e"]),
            (14, ["  one two", "      three", "      four a", "      bc d e"]),
            (15, ["  one two three", "      four a bc", "      d e"]),
            (16, ["  one two three", "      four a bc", "      d e"]),
            (17, ["  one two three", "      four a bc d", "      e"]),
            (19, ["  one two three", "      four a bc d e"]),
            (20, ["  one two three four", "      a bc d e"]),
            (28, ["  one two three four a bc d", "      e"]),
            (29, ["  one two three four a bc d e"]),
        ]
    )
    func aLineTakesAsManyWordsAsFitAndGoesOnFurtherIn(width: Int, expected: [String]) {
        let lines = lines("one two three four a bc d e", width: width)
        let message = lines.drop { $0 != expected[0] }.prefix { !$0.hasPrefix("  before:") }
        #expect(Array(message) == expected)
    }

    @Test func whateverTheWidthNoLineIsBrokenEarlierThanItMustAndNoWordIsLost() {
        let message = "a quick brown fox jumps over the lazy dog and sleeps under a tree"
        let whole = lines(message, width: nil)
        for width in 1...90 {
            var joined: [String] = []
            var last = ""
            for line in lines(message, width: width) {
                let words = line.split(separator: " ")
                // A word that is too long for a line stands alone.
                #expect(line.count <= width || words.count == 1, "\(width): \(line)")
                if line.hasPrefix("    ") {
                    #expect(last.count + 1 + words[0].count > width, "\(width): \(line)")
                    joined[joined.count - 1] += " " + words.joined(separator: " ")
                } else {
                    joined.append(line)
                }
                last = line
            }
            // Of several blanks one is left.
            #expect(joined == whole.map { $0.replacing("after:  {", with: "after: {") }, "\(width)")
        }
    }
}
