import CollectionPipeline
import Testing

@testable import changeset_lint

@Suite struct LintOptionsTests {
    @Test func noArgumentsMeanStandardAnswersFromStandardInput() throws {
        let options = try LintOptions([])
        #expect(options.file == nil)
        #expect(options.profile == .standard)
        #expect(options.output == .answers)
    }

    @Test func optionsAndFileMayComeInAnyOrder() throws {
        let options = try LintOptions(["file", "--check", "--profile", "texture"])
        #expect(options.file == "file")
        #expect(options.profile == .texture)
        #expect(options.output == .check)
        #expect(try LintOptions(["--profile=texture", "--check", "file"]) == options)
    }

    @Test func aDashIsStandardInputAndTwoEndTheOptions() throws {
        #expect(try LintOptions(["-"]).file == nil)
        #expect(try LintOptions(["--", "--check"]).file == "--check")
        #expect(try LintOptions(["--", "--check"]).output == .answers)
    }

    @Test(arguments: [["-h"], ["--help"], ["--check", "--help"], ["--help", "file"]])
    func helpGoesBeforeAllElse(arguments: [String]) throws {
        #expect(try LintOptions(arguments).output == .help)
        #expect(LintOptions.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test(
        arguments: [
            (["--profile"], "--profile needs a value: standard, strict, texture"),
            (["--profile", "x"], "unknown profile 'x', expected standard, strict, texture"),
            (["--profile="], "unknown profile '', expected standard, strict, texture"),
            (["--profile=strict", "--profile", "texture"], "--profile is there twice"),
            (["--check", "--explain"], "--check and --explain exclude each other"),
            (["--verbose"], "unknown option '--verbose'"),
            (["-x"], "unknown option '-x'"),
            (["a", "b"], "expected one file, found 2"),
            (["a", "--", "-b"], "expected one file, found 2"),
        ]
    )
    func badUsageIsNamed(arguments: [String], message: String) {
        #expect(throws: LintOptions.UsageError(message: message)) { try LintOptions(arguments) }
    }
}
