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

    @Test func whatIsCalculatedHasItsFiles() throws {
        let options = try LintOptions(["old", "--explain", "--diff", "--sections", "new"])
        #expect(options.calculation == .diff && options.hasSections)
        #expect(options.files == ["old", "new"] && options.output == .explanations)
        for calculation in [Calculation.invert, .compose, .rebase] {
            let options = try LintOptions([calculation.option, "a", "-", "b"])
            #expect(options.calculation == calculation && options.files == ["a", "-", "b"])
            #expect(try LintOptions([calculation.option]).files.isEmpty)
        }
        #expect(try LintOptions([]).calculation == nil)
        #expect(Calculation(option: "diff") == nil && Calculation(option: "--check") == nil)
    }

    @Test func helpNamesEveryOption() {
        for option in [
            "--profile NAME", "--explain", "--check", "--help", "--diff", "--sections", "--invert",
            "--compose", "--rebase",
        ] {
            #expect(LintOptions.help.contains(option))
        }
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
            (["--diff"], "--diff needs two files, found 0"),
            (["--diff", "a"], "--diff needs two files, found 1"),
            (["--diff", "a", "b", "c"], "--diff needs two files, found 3"),
            (["--diff", "-", "-"], "standard input cannot be read twice"),
            (["--compose", "-", "a", "-"], "standard input cannot be read twice"),
            (["--diff", "--invert"], "--diff and --invert exclude each other"),
            (["--diff", "--explain", "--check"], "--diff and --check exclude each other"),
            (["--compose", "--rebase"], "--compose and --rebase exclude each other"),
            (["--explain", "--invert"], "--explain and --invert exclude each other"),
            (["--sections"], "--sections needs --diff"),
            (["--sections", "--compose"], "--sections needs --diff"),
        ]
    )
    func badUsageIsNamed(arguments: [String], message: String) {
        #expect(throws: LintOptions.UsageError(message: message)) { try LintOptions(arguments) }
    }
}
