import CollectionPipeline
import Testing

@testable import changeset_lint

@Suite struct OptionOrderTests {
    @Test(
        arguments: [
            ["--check", "--explain"], ["--explain", "--check"],
            ["--check", "--check", "--explain"], ["--explain", "file", "--check", "--explain"],
        ]
    )
    func whatExcludesEachOtherIsNamedInTheOrderGiven(arguments: [String]) {
        let other = arguments[0] == "--check" ? "--explain" : "--check"
        #expect(
            throws: LintOptions.UsageError(
                message: "\(arguments[0]) and \(other) exclude each other"
            )
        ) {
            try LintOptions(arguments)
        }
    }

    @Test func anOptionMayBeRepeated() throws {
        #expect(try LintOptions(["--check", "--check"]).output == .check)
        #expect(try LintOptions(["--explain", "--explain"]).output == .explanations)
        #expect(try LintOptions(["--profile=strict", "--profile", "strict"]).profile == .strict)
    }

    @Test func helpNeedsNeitherSenseNorFilesButKnownOptions() throws {
        #expect(try LintOptions(["--check", "--explain", "-h", "a", "b"]).output == .help)
        #expect(throws: LintOptions.UsageError(message: "unknown option '-q'")) {
            try LintOptions(["-h", "-q"])
        }
    }

    @Test func aFileIsReadAndTwoAreTooMany() throws {
        #expect(try LintOptions(["a"]).file == "a")
        #expect(try LintOptions(["--", "-"]).file == nil)
        #expect(throws: LintOptions.UsageError(message: "expected one file, found 3")) {
            try LintOptions(["a", "-", "--", "b"])
        }
    }
}
