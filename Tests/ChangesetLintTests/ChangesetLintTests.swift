import Foundation
import Testing

@testable import changeset_lint

/// The program as a whole, in memory.
@Suite struct ChangesetLintTests {
    private static let good = #"{"oldCounts":[1],"newCounts":[1],"ops":[]}"#
    private static let answer =
        #"{"valid":true,"error":null,"empty":true,"deleteSections":[],"deleteItems":[],"#
        + #""insertSections":[],"insertItems":[],"sectionMapping":[0],"#
        + #""reverseSectionMapping":[0],"itemMapping":[[0]],"reverseItemMapping":[[0]],"#
        + #""asks":[],"sections":["s0"],"map":[["o0.0"]]}"#

    @Test func aScenarioIsAnsweredOnOneLine() async {
        let run = await LintRun(input: Self.good)
        #expect(run.exitCode == .success)
        #expect(run.output == [Self.answer])
        #expect(run.errors == [])
    }

    @Test func anInvalidScenarioIsAnAnswer() async {
        let run = await LintRun(
            input: #"{"oldCounts":[1],"newCounts":[1],"ops":[{"op":"deleteItems","at":[[0,3]]}]}"#
        )
        #expect(run.exitCode == .success)
        #expect(
            run.output == [
                #"{"valid":false,"code":"deleteItemRange","error":"attempt to delete item 3 from"#
                    + #" section 0 which only contains 1 items before the update","opIndex":0,"#
                    + #""path":[0,3],"section":0}"#
            ]
        )
    }

    @Test func movesAndUpdatesInPlaceAreListed() async {
        let run = await LintRun(
            input: """
                {"oldCounts":[1,0],"newCounts":[1,0],"ops":[{"op":"moveSection","from":0,"to":1,\
                "anim":1},{"op":"moveItem","from":[0,0],"to":[0,0]}]}
                {"oldCounts":[1],"newCounts":[1],"ops":[{"op":"reconfigureSections","at":[0]},\
                {"op":"reloadSupplementaries","kind":"header","at":[0],"anim":2}]}
                """
        )
        #expect(run.output.count == 2)
        #expect(
            run.output[0].contains(
                #""moveSections":[{"from":0,"to":1,"anim":1}],"#
                    + #""moveItems":[{"from":[0,0],"to":[0,0],"anim":0}],"sectionMapping":[1,0]"#
            )
        )
        #expect(run.output[0].hasSuffix(#""sections":["s1","s0"],"map":[["o0.0"],[]]}"#))
        #expect(
            run.output[1].hasSuffix(
                #""asks":[],"sections":["s0"],"map":[["o0.0"]],"#
                    + #""reconfigureItems":[{"from":[0,0],"to":[0,0],"anim":0}],"#
                    + #""reloadSupplementaries":[{"kind":"header","section":0,"anim":2}]}"#
            )
        )
    }

    @Test func misuseIsUnsupported() async {
        let line = #"{"oldCounts":[],"newCounts":[],"ops":[{"op":"complete"}]}"#
        #expect(await LintRun(input: line).output == [#"{"unsupported":"complete"}"#])
        #expect(
            await LintRun("--explain", input: line).output == [
                "line 1: 'complete' cannot be written here: recording and result are values of two"
                    + " types, so the misuse cannot be written"
            ]
        )
    }

    @Test func aMalformedLineIsReportedAndTheRestGoesOn() async {
        let run = await LintRun(input: "\(Self.good)\n\n  \r\n{\n[]\n\(Self.good)")
        #expect(run.exitCode == .badInput)
        #expect(run.output == [Self.answer, Self.answer])
        #expect(
            run.errors == [
                "changeset-lint: line 4: invalid JSON in column 2: expected a key in quotes",
                "changeset-lint: line 5: a scenario must be an object, found an array",
            ]
        )
    }

    @Test func aCheckNeedsAResult() async {
        let run = await LintRun(
            "--check",
            input: """
                \(Self.good)
                {"oldCounts":[],"newCounts":[],"ops":[],"result":3}
                {"oldCounts":[],"newCounts":[],"ops":[],"result":{"valid":1}}
                {"oldCounts":[],"newCounts":[],"ops":[],"result":{"valid":true}}
                """
        )
        #expect(run.exitCode == .badInput)
        #expect(
            run.output == ["1 checked, 1 agree", "0 differ for a reason", "0 failures"]
        )
        #expect(
            run.errors == [
                "changeset-lint: line 1: missing field 'result', which --check compares with",
                "changeset-lint: line 2: result must be an object, found an integer",
                "changeset-lint: line 3: result.valid must be true or false, found an integer",
            ]
        )
    }

    @Test func helpAndBadUsageAreOneTextAndOneLine() async {
        let help = await LintRun("--help")
        #expect(help.exitCode == .success)
        #expect(
            help.output.first
                == "Usage: changeset-lint [--profile NAME] [--check | --explain] [FILE]"
        )
        let usage = await LintRun("--nonsense")
        #expect(usage.exitCode == .badInput)
        #expect(usage.errors == ["changeset-lint: unknown option '--nonsense'; --help says more"])
        #expect(usage.output == [])
    }

    @Test func aFileThatCannotBeReadIsNamed() async {
        let missing = await LintRun("/no/such/file")
        #expect(missing.exitCode == .badInput)
        #expect(
            missing.errors == [
                "changeset-lint: cannot read '/no/such/file': No such file or directory"
            ]
        )
        let directory = await LintRun("/")
        #expect(directory.exitCode == .badInput)
        #expect(directory.errors == ["changeset-lint: cannot read '/': Is a directory"])
        let broken = await LintRun(
            [],
            input: MemorySource(Self.good + "\n", fault: FileFault(errorNumber: EIO))
        )
        #expect(broken.exitCode == .badInput)
        #expect(broken.output == [Self.answer])
        #expect(broken.errors == ["changeset-lint: cannot read standard input: Input/output error"])
    }

    @Test func aReaderThatGoesAwayIsACleanEndAndAFullDiskIsNot() async {
        let gone = await LintRun(
            [],
            input: MemorySource(Self.good),
            output: MemorySink(fault: FileFault(errorNumber: EPIPE))
        )
        #expect(gone.exitCode == .success)
        #expect(gone.errors == [])
        let full = await LintRun(
            [],
            input: MemorySource(Self.good),
            output: MemorySink(fault: FileFault(errorNumber: ENOSPC))
        )
        #expect(full.exitCode == .badInput)
        #expect(
            full.errors == ["changeset-lint: cannot write the output: No space left on device"]
        )
    }

    /// Somebody may wait for an answer before writing the next line.
    @Test func answersAreWrittenBeforeMoreIsRead() async {
        let output = MemorySink()
        let line = Self.good + "\n"
        let isInTime = MemorySink()
        let source = MemorySource(line + line, chunkSize: line.utf8.count) {
            try? isInTime.write(Array("\(output.lines.count)\n".utf8))
        }
        _ = await LintRun([], input: source, output: output)
        #expect(isInTime.lines == ["0", "1", "2"])
    }

    @Test func theProgressBarShowsTheShareThatIsRead() {
        #expect(ProgressBar.text(scenarios: 3, bytes: 10, of: nil) == "3 scenarios")
        #expect(
            ProgressBar.text(scenarios: 3, bytes: 5, of: 10)
                == "[\(String(repeating: "#", count: 15))\(String(repeating: ".", count: 15))]"
                + " 50 %  3 scenarios"
        )
        // A file may grow while it is read.
        #expect(ProgressBar.text(scenarios: 3, bytes: 20, of: 10).contains("100 %"))
    }
}
