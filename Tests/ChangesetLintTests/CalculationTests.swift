import CollectionPipeline
import Foundation
import TestSupport
import Testing

@testable import changeset_lint

/// `--invert`, `--compose` and `--rebase`.
@Suite struct CalculationTests {
    private static let insert =
        #"{"id":7,"oldCounts":[1],"newCounts":[2],"ops":[{"op":"insertItems","at":[[0,1]],"anim":2}]}"#
    private static let delete =
        #"{"id":"x","oldCounts":[2],"newCounts":[1],"ops":[{"op":"deleteItems","at":[[0,1]],"anim":2}]}"#
    private static let deleteFirst =
        #"{"oldCounts":[2],"newCounts":[1],"ops":[{"op":"deleteItems","at":[[0,0]],"anim":1}]}"#

    @Test func anInverseTakesBackAndKeepsTheName() async {
        let run = await LintRun("--invert", input: Self.insert + "\n\n" + Self.delete + "\n")
        #expect(run.exitCode == .success && run.errors.isEmpty)
        #expect(
            run.output == [
                Self.delete.replacingID("7"), Self.insert.replacingID(#""x""#),
            ]
        )
        #expect(await LintRun("--invert").output.isEmpty)
    }

    @Test func whatComesAndGoesComposesToNothing() async {
        let run = await LintRun("--compose", input: Self.insert + "\n" + Self.delete)
        #expect(run.exitCode == .success && run.errors.isEmpty)
        #expect(run.output == [#"{"oldCounts":[1],"newCounts":[1],"ops":[]}"#])
    }

    @Test func filesAreReadInTurn() async throws {
        let files = try ScratchFiles()
        defer { files.remove() }
        let paths = try [
            files.write(Self.insert, to: "a"), files.write("\n", to: "b"),
            files.write(Self.deleteFirst, to: "c"),
        ]
        let run = await LintRun(["--compose"] + paths, input: MemorySource(""))
        #expect(run.errors.isEmpty)
        let expected =
            #"{"oldCounts":[1],"newCounts":[1],"ops":[{"op":"deleteItems","at":[[0,0]],"anim":1},"#
            + #"{"op":"insertItems","at":[[0,0]],"anim":2}]}"#
        #expect(run.output == [expected])
        let mixed = await LintRun(
            ["--compose", paths[0], "-"],
            input: MemorySource(Self.deleteFirst)
        )
        #expect(mixed.output == [expected])
    }

    @Test func aRebasedScenarioStartsWhereTheFirstEnds() async {
        let mine =
            #"{"id":1,"oldCounts":[2],"newCounts":[3],"ops":[{"op":"insertItems","at":[[0,2]]}]}"#
        let run = await LintRun("--rebase", input: Self.deleteFirst + "\n" + mine)
        #expect(run.exitCode == .success && run.errors.isEmpty)
        #expect(
            run.output == [
                #"{"id":1,"oldCounts":[1],"newCounts":[2],"#
                    + #""ops":[{"op":"insertItems","at":[[0,1]],"anim":0}]}"#
            ]
        )
    }

    @Test func whatIsDroppedIsSaidOnStandardError() async {
        let run = await LintRun("--rebase", input: Self.delete + "\n" + Self.delete)
        #expect(run.exitCode == .success)
        #expect(
            run.errors == ["changeset-lint: dropped: remove item 0 - 1 (delete): removedAlready"]
        )
        #expect(run.output == [#"{"id":"x","oldCounts":[1],"newCounts":[1],"ops":[]}"#])
    }

    @Test(
        arguments: [
            ("--compose", [], "--compose needs at least one scenario, found none"),
            ("--rebase", [], "--rebase needs two scenarios, found 0"),
            ("--rebase", [insert], "--rebase needs two scenarios, found 1"),
            (
                "--rebase", [insert, insert, insert],
                "--rebase needs two scenarios, but line 3 has a third"
            ),
            (
                "--compose", [insert, insert],
                "line 2 does not start where the scenario before it ends: the update starts from"
                    + " 1 items in section 0, but 2 were given"
            ),
            (
                "--rebase", [insert, delete],
                "line 2 does not start where line 1 does: the update starts from 1 items in"
                    + " section 0, but 2 were given"
            ),
            ("--invert", ["{"], "line 1: invalid JSON in column 2: expected a key in quotes"),
            (
                "--compose", [#"{"oldCounts":[1],"newCounts":[1],"ops":[{"op":"complete"}]}"#],
                "line 1: 'complete' cannot be written here: "
                    + NamedDifference.modifyCompleted.reason
            ),
        ]
    )
    func whatCannotBeCalculatedIsSaidInOneLine(
        option: String,
        lines: [String],
        message: String
    ) async {
        let run = await LintRun(option, input: lines.joined(separator: "\n"))
        #expect(run.exitCode == .badInput)
        #expect(run.errors == ["changeset-lint: \(message)"])
        #expect(run.output.isEmpty)
    }

    @Test(arguments: ["--invert", "--compose", "--rebase"])
    func anInvalidScenarioEndsItWithItsCode(option: String) async throws {
        let invalid = #"{"oldCounts":[1],"newCounts":[2],"ops":[]}"#
        let run = await LintRun(option, input: Self.insert + "\n" + invalid + "\n" + Self.insert)
        #expect(run.exitCode == .badInput)
        #expect(run.errors.count == 1)
        #expect(run.errors[0].hasPrefix("changeset-lint: line 2: invalid in standard, itemCount: "))
        #expect(run.output.count == (option == "--invert" ? 1 : 0))

        let files = try ScratchFiles()
        defer { files.remove() }
        let path = try files.write(invalid, to: "bad")
        let named = await LintRun([option, path, path], input: MemorySource(""))
        #expect(named.errors[0].hasPrefix("changeset-lint: '\(path)' line 1: invalid in standard"))
        let missing = files.path("missing")
        let unread = await LintRun([option, missing], input: MemorySource(""))
        #expect(unread.exitCode == .badInput)
        #expect(
            unread.errors
                == ["changeset-lint: cannot read '\(missing)': No such file or directory"]
        )
        let fault = FileFault(errorNumber: 5)
        let broken = await LintRun([option], input: MemorySource("", fault: fault))
        #expect(
            broken.errors == ["changeset-lint: cannot read standard input: \(fault.message)"]
        )
    }

    @Test func scenariosAreValidInTheProfileThatIsAskedFor() async {
        // Texture counts what is deleted twice once.
        let twice =
            #"{"oldCounts":[2],"newCounts":[1],"ops":[{"op":"deleteItems","at":[[0,0],[0,0]]}]}"#
        #expect(await LintRun("--invert", input: twice).exitCode == .badInput)
        let texture = await LintRun("--invert", "--profile", "texture", input: twice)
        #expect(
            texture.output == [
                #"{"oldCounts":[1],"newCounts":[2],"#
                    + #""ops":[{"op":"insertItems","at":[[0,0]],"anim":0}]}"#
            ]
        )
    }

    @Test func everyOperationIsWrittenAsItIsRead() throws {
        let line =
            #"{"oldCounts":[9,9,9],"newCounts":[9,9,9],"ops":["#
            + [
                #"{"op":"deleteItems","at":[[0,1],[1,2]],"anim":3}"#,
                #"{"op":"insertItems","at":[[0,1]],"anim":0}"#,
                #"{"op":"reloadItems","at":[[0,2]],"anim":1}"#,
                #"{"op":"reconfigureItems","at":[[0,3]],"anim":2}"#,
                #"{"op":"moveItem","from":[0,4],"to":[1,5],"anim":1}"#,
                #"{"op":"deleteSections","at":[1,2],"anim":1}"#,
                #"{"op":"insertSections","at":[0],"anim":1}"#,
                #"{"op":"reloadSections","at":[0],"anim":1}"#,
                #"{"op":"reconfigureSections","at":[0],"anim":1}"#,
                #"{"op":"moveSection","from":0,"to":2,"anim":1}"#,
                #"{"op":"reloadSupplementaries","kind":"header","at":[0,1],"anim":1}"#,
                #"{"op":"reloadData"}"#, #"{"op":"complete"}"#,
            ].joined(separator: ",") + "]}"
        let scenario = try Scenario(line: Array(line.utf8))
        #expect(scenario.steps.count == 13)
        #expect(scenario.json.text == line)
    }

    @Test func vectorsAndTheirInversesAreTakenBackByEachOther() async throws {
        let lines = try String(contentsOf: Vectors.sample, encoding: .utf8).split(separator: "\n")
        var valid: [String] = []
        for line in lines.prefix(Effort.number(10_000, usually: 150)) {
            let scenario = try Scenario(line: Array(line.utf8))
            guard scenario.firstProbe == nil, !scenario.reloadsData else { continue }
            let update = try? HierarchyChangeSet(scenario.operations).validated(
                from: HierarchyShape(scenario.oldCounts),
                to: HierarchyShape(scenario.newCounts)
            )
            if update != nil { valid.append(String(line)) }
        }
        try #require(valid.count > 30)
        let inverses = await LintRun("--invert", input: valid.joined(separator: "\n"))
        #expect(inverses.exitCode == .success && inverses.output.count == valid.count)
        let again = await LintRun("--invert", input: inverses.output.joined(separator: "\n"))
        let third = await LintRun("--invert", input: again.output.joined(separator: "\n"))
        #expect(third.output == inverses.output)
        // And the program itself takes them.
        let answers = await LintRun(input: inverses.output.joined(separator: "\n"))
        #expect(answers.output.allSatisfy { $0.hasPrefix(#"{"valid":true"#) })
        for (line, inverse) in zip(valid, inverses.output).prefix(Effort.number(200, usually: 20)) {
            let sum = await LintRun("--compose", input: line + "\n" + inverse)
            let counts = try Scenario(line: Array(line.utf8)).oldCounts
            let scenario = try Scenario(line: Array(try #require(sum.output.first).utf8))
            #expect(scenario.oldCounts == counts && scenario.newCounts == counts)
        }
    }

    @Test func answersToLinesAtHandAreWrittenTogetherAndABrokenPipeIsACleanEnd() async {
        let input = String(repeating: Self.insert + "\n", count: 4)
        let output = MemorySink()
        #expect(
            await LintRun(["--invert"], input: MemorySource(input), output: output).exitCode
                == .success
        )
        #expect(output.lines.count == 4 && output.sizes == [output.text.utf8.count])
        let slow = MemorySink()
        let source = MemorySource(input, chunkSize: Self.insert.utf8.count + 1)
        _ = await LintRun(["--invert"], input: source, output: slow)
        #expect(slow.sizes.count == 4)
        for (number, code) in [(EPIPE, ChangesetLint.ExitCode.success), (5, .badInput)] {
            let fault = FileFault(errorNumber: number)
            let run = await LintRun(
                ["--invert"],
                input: MemorySource(input),
                output: MemorySink(fault: fault)
            )
            #expect(run.exitCode == code)
            #expect(
                run.errors
                    == (code == .success
                        ? [] : ["changeset-lint: cannot write the output: \(fault.message)"])
            )
        }
    }
}

extension String {
    /// The other scenario of two that are written alike, under this name.
    fileprivate func replacingID(_ id: String) -> String {
        let end = firstIndex(of: ",") ?? startIndex
        return #"{"id":\#(id)"# + self[end...]
    }
}
