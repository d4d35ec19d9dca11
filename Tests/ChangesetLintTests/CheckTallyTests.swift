import Testing

@testable import changeset_lint

@Suite struct CheckTallyTests {
    @Test func countsAreAlignedAndWhatFailsIsNotExplained() {
        var tally = CheckTally()
        for _ in 0..<3 { tally.note(ResultComparison()) }
        for _ in 0..<10 { tally.note(ResultComparison(differences: [.reloadedRows])) }
        for _ in 0..<2 { tally.note(ResultComparison(differences: [.realMoves, .reloadedRows])) }
        tally.note(ResultComparison(differences: [.movedCounts], faults: ["x"]))
        tally.note(ResultComparison(faults: ["x"]))
        #expect(tally.agreements == 3)
        #expect(tally.explained == 12)
        #expect(tally.failures == 2)
        #expect(tally.count(.reloadedRows) == 12)
        #expect(tally.count(.movedCounts) == 0)
        #expect(
            tally.report == [
                "17 checked, 3 agree", "12 differ for a reason (some for several):",
                "  12 reloadedRows: \(NamedDifference.reloadedRows.reason)",
                "   2 realMoves: \(NamedDifference.realMoves.reason)", "2 failures",
            ]
        )
    }

    @Test func oneFailureIsOne() {
        var tally = CheckTally()
        tally.note(ResultComparison(faults: ["x", "y"]))
        #expect(tally.report == ["1 checked, 0 agree", "0 differ for a reason", "1 failure"])
    }

    @Test func whatDiffersOrFailsDoesNotAgree() {
        #expect(ResultComparison().agrees)
        #expect(!ResultComparison(differences: [.realMoves]).agrees)
        #expect(!ResultComparison(faults: ["x"]).agrees)
    }
}
