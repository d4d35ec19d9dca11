import CollectionPipeline
import Testing

@testable import changeset_lint

/// Explanations line by line.
@Suite struct ExplanationTextTests {
    private func lines(_ counts: String, _ ops: String) async -> [String] {
        await LintRun("--explain", input: "{\(counts),\"ops\":[\(ops)]}").output
    }

    @Test func whereNothingHappensNothingIsListed() async {
        #expect(
            await lines(#""oldCounts":[1],"newCounts":[1]"#, "") == [
                "line 1: valid in standard",
                "  before: { 1 section with item counts: [1] }",
                "  after:  { 1 section with item counts: [1] }",
                "  sections: 1 before + 0 inserted - 0 deleted = 1",
                "  edits: none",
                "  asks: none",
                "  section 0, s0: o0.0",
                "",
            ]
        )
    }

    @Test func aMovedSectionCarriesItsItemsAndReloadsComeThereafter() async {
        #expect(
            await lines(
                #""oldCounts":[1,0],"newCounts":[0,1]"#,
                #"{"op":"moveSection","from":0,"to":1,"anim":1},"#
                    + #"{"op":"reloadSupplementaries","kind":"header","at":[0,1]}"#
            ) == [
                "line 1: valid in standard",
                "  before: { 2 sections with item counts: [1, 0] }",
                "  after:  { 2 sections with item counts: [0, 1] }",
                "  sections: 2 before + 0 inserted - 0 deleted = 2",
                "  edits:",
                "    1. remove section 0: move to 1, animation 1",
                "    2. insert section 1: move from 0, animation 1",
                "    then reload header in section 0",
                "    then reload header in section 1",
                "  asks: none",
                "  section 0, s1: none",
                "  section 1, s0: o0.0",
                "",
            ]
        )
    }

    @Test func whereEverythingIsReloadedThereAreNoSums() async {
        #expect(
            await lines(#""oldCounts":[1],"newCounts":[2]"#, #"{"op":"reloadData"}"#) == [
                "line 1: valid in standard",
                "  before: { 1 section with item counts: [1] }",
                "  after:  { 1 section with item counts: [2] }",
                "  sums: none, because everything is reloaded",
                "  edits:",
                "    1. remove section 0: delete, animation 0",
                "    2. insert section 0: insert with 2 new items, animation 0",
                "  asks: c0 b0.0 b0.1",
                "  section 0, t0: n0 n1",
                "",
            ]
        )
    }

    @Test func fortyNamesAreListedAndNoMore() async {
        let names = (0..<40).map { "n\($0)" }.joined(separator: " ")
        let asks = "  asks: c0 " + (0..<39).map { "b0.\($0)" }.joined(separator: " ")
        for (count, isCut) in [(39, false), (40, true)] {
            let lines = await lines(
                #""oldCounts":[],"newCounts":[\#(count)]"#,
                #"{"op":"reloadData"}"#
            )
            #expect(lines.contains(asks + (isCut ? " … 1 more" : "")))
            #expect(lines.contains("  section 0, t0: \(names)") == isCut)
        }
    }

    @Test func fortyEditsAreListedAndNoMore() async {
        for (count, isCut) in [(40, false), (43, true)] {
            let paths = (0..<count).map { "[0,\($0)]" }.joined(separator: ",")
            let lines = await lines(
                #""oldCounts":[\#(count)],"newCounts":[0]"#,
                #"{"op":"deleteItems","at":[\#(paths)]}"#
            )
            #expect(lines.contains { $0.hasPrefix("    40. remove item 0 - ") })
            #expect(!lines.contains { $0.hasPrefix("    41. ") })
            #expect(lines.contains("    … 3 more") == isCut)
        }
    }

    @Test func onATerminalLinesAreAsWideAsThatIs() async {
        let input = #"""
            {"oldCounts":[2],"newCounts":[90],"ops":[{"op":"insertItems","at":[[0,0]]}]}
            {"oldCounts":[],"newCounts":[90,1],"ops":[{"op":"reloadData"}]}

            """#
        let whole = await LintRun("--explain", input: input).output
        for width in [40, 60, 80] {
            let sink = MemorySink(isTerminal: true)
            sink.columns = width
            _ = await LintRun(["--explain"], input: MemorySource(input), output: sink)
            #expect(sink.lines.allSatisfy { $0.count <= width }, "\(width)")
            func words(_ lines: [String]) -> [Substring] {
                lines.joined(separator: "\n").split { $0 == " " || $0 == "\n" }
            }
            #expect(words(sink.lines) == words(whole))
            #expect(sink.lines.contains { $0.hasPrefix("      ") })
        }
    }

    // MARK: Rejected

    private func refused(
        _ error: HierarchyUpdateError,
        _ operations: [HierarchyChangeSet.Operation] = []
    ) -> [String] {
        let scenario = Scenario(
            id: nil,
            oldCounts: [1],
            newCounts: [2, 3],
            steps: operations.map(Scenario.Step.operation),
            result: nil
        )
        let examination = Examination(profile: .strict, verdict: .refused(error), faults: [])
        return Explanation(scenario, examination).text().split(separator: "\n").map(String.init)
    }

    private static let beginning: [String] = [
        "invalid in strict, itemCount", "  the message",
        "  before: { 1 section with item counts: [1] }",
        "  after:  { 2 sections with item counts: [2, 3] }",
    ]

    @Test func ofARejectionOnlyWhatIsKnownIsTold() {
        #expect(refused(HierarchyUpdateError(.itemCount, "the message")) == Self.beginning)
        #expect(
            refused(HierarchyUpdateError(.itemCount, "the message", section: 3, hint: "the hint"))
                == Self.beginning + ["  at fault: section 3", "  hint: the hint"]
        )
        #expect(
            refused(
                HierarchyUpdateError(.itemCount, "the message", path: ItemPath(section: 1, item: 2))
            ) == Self.beginning + ["  at fault: item 1 - 2"]
        )
    }

    @Test func movesAreInTheSumWhereThereAreSome() {
        for (movedIn, movedOut) in [(0, 0), (1, 0), (0, 1), (1, 1), (3, 2)] {
            let arithmetic = CountArithmetic(
                before: 5,
                after: 9,
                inserted: 2,
                deleted: 1,
                movedIn: movedIn,
                movedOut: movedOut
            )
            let moves =
                (movedIn, movedOut) == (0, 0)
                ? "" : " + \(movedIn) moved in - \(movedOut) moved out"
            let error = HierarchyUpdateError(.itemCount, "the message", arithmetic: arithmetic)
            #expect(
                refused(error).last
                    == "  sum: 5 before + 2 inserted - 1 deleted\(moves)"
                    + " = \(6 + movedIn - movedOut), but there are 9"
            )
        }
    }

    private static let path = ItemPath(section: 1, item: 2)
    private static let other = ItemPath(section: 0, item: 3)

    @Test(
        arguments: [
            (.deleteItems([path, other], .none), "deleteItems at (1 - 2) (0 - 3)"),
            (.insertItems([path], .none), "insertItems at (1 - 2)"),
            (.reloadItems([], .none), "reloadItems at none"),
            (.reconfigureItems([path], .none), "reconfigureItems at (1 - 2)"),
            (.moveItem(at: path, to: other, .none), "moveItem from (1 - 2) to (0 - 3)"),
            (.moveSection(1, toSection: 4, .none), "moveSection from 1 to 4"),
            (.reloadData(.none), "reloadData"),
            (
                .deleteItems(Array(repeating: path, count: 8), .none),
                "deleteItems at " + Array(repeating: "(1 - 2)", count: 8).joined(separator: " ")
            ),
            (
                .deleteItems(Array(repeating: path, count: 10), .none),
                "deleteItems at " + Array(repeating: "(1 - 2)", count: 8).joined(separator: " ")
                    + " … 2 more"
            ),
        ] as [(HierarchyChangeSet.Operation, String)]
    )
    func theOperationAtFaultIsTold(operation: HierarchyChangeSet.Operation, text: String) {
        let error = HierarchyUpdateError(.itemCount, "the message", operationIndex: 1)
        #expect(
            refused(error, [.reloadData(.none), operation])
                == Self.beginning + ["  at fault: operation 1, \(text)"]
        )
    }
}
