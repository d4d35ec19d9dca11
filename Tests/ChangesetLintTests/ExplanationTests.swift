import Testing

@testable import changeset_lint

@Suite struct ExplanationTests {
    @Test func anAcceptedSetIsToldWithItsSumsAndEdits() async {
        let run = await LintRun(
            "--explain",
            input: """
                {"id":"x","oldCounts":[2,3,1],"newCounts":[3,2,2],"ops":[\
                {"op":"moveItem","from":[1,0],"to":[0,2],"anim":2},\
                {"op":"deleteSections","at":[2]},\
                {"op":"insertSections","at":[1]},{"op":"reconfigureItems","at":[[0,0]]},\
                {"op":"reloadItems","at":[[0,1]],"anim":1}]}
                """
        )
        #expect(run.exitCode == .success)
        #expect(
            run.output == [
                #"line 1 (id "x"): valid in standard"#,
                "  before: { 3 sections with item counts: [2, 3, 1] }",
                "  after:  { 3 sections with item counts: [3, 2, 2] }",
                "  sections: 3 before + 1 inserted - 1 deleted = 3",
                "  items of section 0: 2 before + 0 inserted - 0 deleted + 1 moved in"
                    + " - 0 moved out = 3",
                "  items of section 2, before 1: 3 before + 0 inserted - 0 deleted + 0 moved in"
                    + " - 1 moved out = 2",
                "  edits:",
                "    1. remove item 1 - 0: move to 0 - 2, animation 2",
                "    2. remove item 0 - 1: reload to 0 - 1, animation 1",
                "    3. remove section 2: delete, animation 0",
                "    4. insert section 1: insert with 2 new items, animation 0",
                "    5. insert item 0 - 1: reload from 0 - 1, animation 1",
                "    6. insert item 0 - 2: move from 1 - 0, animation 2",
                "    then reconfigure item 0 - 0, now at 0 - 0",
                "  asks: c1 b1.0 b1.1 b0.1",
                "  section 0, s0: o0.0 n2 o1.0",
                "  section 1, t0: n0 n1",
                "  section 2, s1: o1.1 o1.2",
                "",
            ]
        )
    }

    @Test func aRejectedSetIsToldWithItsFaultAndSum() async {
        let run = await LintRun(
            "--explain",
            input: """
                {"oldCounts":[2],"newCounts":[4],"ops":[{"op":"insertItems","at":[[0,0]]}]}
                {"oldCounts":[2],"newCounts":[2],"ops":[{"op":"deleteItems","at":[[0,7]]}]}

                """
        )
        #expect(
            run.output == [
                "line 1: invalid in standard, itemCount",
                "  Invalid update: invalid number of items in section 0. The number of items"
                    + " contained in an existing section after the update (4) must be equal to the"
                    + " number of items contained in that section before the update (2), plus or"
                    + " minus the number of items inserted or deleted from that section (1"
                    + " inserted, 0 deleted) and plus or minus the number of items moved into or"
                    + " out of that section (0 moved in, 0 moved out)",
                "  before: { 1 section with item counts: [2] }",
                "  after:  { 1 section with item counts: [4] }",
                "  at fault: section 0",
                "  sum: 2 before + 1 inserted - 0 deleted = 3, but there are 4",
                "  hint: The counts say that 2 came, but 1 was recorded; record every change of the"
                    + " model once, in the batch that makes it",
                "",
                "line 2: invalid in standard, deleteItemRange",
                "  attempt to delete item 7 from section 0 which only contains 2 items before the"
                    + " update",
                "  before: { 1 section with item counts: [2] }",
                "  after:  { 1 section with item counts: [2] }",
                "  at fault: operation 0, deleteItems at (0 - 7)",
                "  at fault: item 0 - 7",
                "  hint: It was recorded but did not happen in the data source; without it the"
                    + " counts come out. Deletes and reloads use the paths before the update",
                "",
            ]
        )
    }

    @Test func longListsAreCut() async {
        let run = await LintRun(
            "--explain",
            input: #"{"oldCounts":[],"newCounts":[50],"ops":[{"op":"reloadData"}]}"#
        )
        #expect(run.output.contains("  sums: none, because everything is reloaded"))
        #expect(
            run.output.contains { $0.hasPrefix("  asks: c0 b0.0 ") && $0.hasSuffix(" 11 more") }
        )
    }
}
