import Testing

@testable import git_timelapse

@Suite struct ArgumentsTests {
    @Test func withoutWordsTheDefaultsHold() throws {
        #expect(try Arguments(parsing: []) == Arguments())
        let arguments = Arguments()
        #expect(arguments.repository == ".")
        #expect(!arguments.isVerifying && !arguments.isDiffing && !arguments.isQuiet)
        #expect(!arguments.isJSON && !arguments.isHelp && !arguments.isRanging)
        #expect(arguments.lastRevision == nil && arguments.width == nil && arguments.height == nil)
    }

    @Test func everyOptionIsReadInBothForms() throws {
        var expected = Arguments()
        expected.repository = "there"
        expected.isVerifying = true
        expected.isDiffing = true
        expected.lastRevision = "v1=x"
        expected.isRanging = true
        expected.width = 16
        expected.height = 1
        expected.isQuiet = true
        expected.isJSON = true
        expected.tracePath = "t=x"
        let separate =
            "--verify --diff --until v1=x --width 16 there --height 1 --quiet --json --range --trace t=x"
        let joined =
            "--trace=t=x --range --until=v1=x --width=16 --height=1 --json --quiet --diff --verify -- there"
        for words in [separate, joined] {
            #expect(
                try Arguments(parsing: words.split(separator: " ").map(String.init)) == expected
            )
        }
        #expect(try Arguments(parsing: ["--help"]).isHelp)
        #expect(try Arguments(parsing: ["-h"]).isHelp)
    }

    @Test func valuesMayLookLikeOptions() throws {
        #expect(try Arguments(parsing: ["--until", "-x"]).lastRevision == "-x")
        #expect(try Arguments(parsing: ["--", "--verify"]).repository == "--verify")
        #expect(try Arguments(parsing: ["-"]).repository == "-")
        #expect(try Arguments(parsing: ["--width=3", "--width", "4"]).width == 4)
    }

    @Test(arguments: [
        (["--verfy"], "unknown option --verfy"), (["-v\u{1B}"], "unknown option -v\\u{1b}"),
        (["--until"], "--until needs a value"), (["--until="], "--until needs a revision"),
        (["--verify=yes"], "--verify takes no value"), (["--diff=a"], "--diff takes no value"),
        (["--width", "1"], "--width must be a number from 2 to 1000, not '1'"),
        (["--width", "x"], "--width must be a number from 2 to 1000, not 'x'"),
        (["--width", "1001"], "--width must be a number from 2 to 1000, not '1001'"),
        (["--width", "-5"], "--width must be a number from 2 to 1000, not '-5'"),
        (["--height=0"], "--height must be a number from 1 to 1000, not '0'"),
        (
            ["--height", "99999999999999999999"],
            "--height must be a number from 1 to 1000, not '99999999999999999999'"
        ),
        (["--trace"], "--trace needs a value"), (["--trace="], "--trace needs a file"),
        (["--range=no"], "--range takes no value"),
        (["--range", "--width=15"], "--range needs a --width of at least 16, not 15"),
        (["--width=2", "--range"], "--range needs a --width of at least 16, not 2"),
        (["a", "b"], "expected one repository, but found 2"),
        ([""], "the repository's path is empty"),
    ])
    func badUsageIsSaidInOneLine(words: [String], message: String) {
        #expect(throws: UsageError(message)) { try Arguments(parsing: words) }
    }

    @Test func helpNamesEveryOption() {
        for option in [
            "--verify", "--diff", "--until REV", "--width N", "--height N", "--quiet", "--json",
            "--range", "--trace FILE", "--help",
        ] {
            #expect(Arguments.help.contains("  \(option)"))
        }
        #expect(Arguments.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
