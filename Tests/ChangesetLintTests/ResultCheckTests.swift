import CollectionPipeline
import Testing

@testable import changeset_lint

/// Which name a difference from the original has.
@Suite struct ResultCheckTests {
    private struct Case: CustomStringConvertible, Sendable {
        let counts: String
        let ops: String
        let difference: NamedDifference
        var profile = ValidationProfile.standard

        init(
            _ counts: String,
            _ ops: String,
            _ difference: NamedDifference,
            _ profile: ValidationProfile = .standard
        ) {
            (self.counts, self.ops) = (counts, ops)
            (self.difference, self.profile) = (difference, profile)
        }

        var description: String { "\(difference.rawValue): \(counts) \(ops)" }

        func scenario() throws -> Scenario {
            try Scenario(line: Array("{\(counts),\"ops\":[\(ops)]}".utf8))
        }
    }

    private static let deleteAndMove =
        #"{"op":"deleteItems","at":[[0,0]]},{"op":"moveItem","from":[0,0],"to":[0,0]}"#
    private static let moveOutOfDeleted =
        #"{"op":"deleteSections","at":[0]},{"op":"moveItem","from":[0,0],"to":[0,1]}"#

    private static let cases = [
        Case(
            #""oldCounts":[1],"newCounts":[1]"#,
            #"{"op":"deleteItems","at":[]}"#,
            .emptyOperations
        ),
        Case(
            #""oldCounts":[1],"newCounts":[1]"#,
            #"{"op":"deleteSections","at":[]}"#,
            .emptyOperations
        ),
        Case(
            #""oldCounts":[1],"newCounts":[1]"#,
            #"{"op":"reloadData"},{"op":"reloadData"}"#,
            .repeatedReloadData
        ),
        Case(
            #""oldCounts":[1],"newCounts":[1]"#,
            #"{"op":"deleteItems","at":[[0,3]]}"#,
            .ownFaults
        ),
        Case(
            #""oldCounts":[2],"newCounts":[1]"#,
            #"{"op":"deleteItems","at":[[0,0],[0,0]]}"#,
            .duplicatesRejected
        ),
        Case(
            #""oldCounts":[],"newCounts":[1]"#,
            #"{"op":"insertSections","at":[0]},{"op":"insertItems","at":[[0,5]]}"#,
            .boundsChecked
        ),
        Case(
            #""oldCounts":[1,1],"newCounts":[1]"#,
            #"{"op":"deleteSections","at":[0]},{"op":"reloadItems","at":[[0,0],[1,0]]}"#,
            .reloadConflicts
        ),
        Case(
            #""oldCounts":[2],"newCounts":[2]"#,
            #"{"op":"moveItem","from":[0,0],"to":[0,1]}"#,
            .realMoves
        ),
        Case(
            #""oldCounts":[2,1],"newCounts":[1,2]"#,
            #"{"op":"moveItem","from":[0,0],"to":[1,0]}"#,
            .realMoves
        ),
        Case(
            #""oldCounts":[2,1],"newCounts":[1,2]"#,
            #"{"op":"moveSection","from":0,"to":1}"#,
            .realMoves
        ),
        Case(#""oldCounts":[2],"newCounts":[2]"#, deleteAndMove, .movesRejected),
        Case(
            #""oldCounts":[1,2],"newCounts":[2,9]"#,
            #"{"op":"moveSection","from":0,"to":1}"#,
            .movedCounts
        ),
        Case(
            #""oldCounts":[1,2],"newCounts":[2,9]"#,
            #"{"op":"moveSection","from":0,"to":1}"#,
            .movedCounts,
            .strict
        ),
        Case(#""oldCounts":[1,1],"newCounts":[2]"#, moveOutOfDeleted, .realMoves),
        Case(#""oldCounts":[1,1],"newCounts":[2]"#, moveOutOfDeleted, .earlyFaults, .strict),
        Case(#""oldCounts":[2],"newCounts":[2]"#, deleteAndMove, .movesRejected, .strict),
    ]

    /// What `texture` answers to a scenario, recorded as its result.
    private func recorded(_ scenario: Scenario) async throws -> Scenario {
        let original = try await Examiner().examine(scenario, profile: .texture)
        var scenario = scenario
        scenario.result = Answer(original).json
        return scenario
    }

    @Test func aDifferenceHasTheNameOfItsRule() async throws {
        for one in Self.cases {
            let scenario = try await recorded(try one.scenario())
            let check = ResultCheck(examiner: Examiner(), profile: one.profile)
            let comparison = try await check.compare(scenario)
            #expect(comparison.differences == [one.difference], "\(one)")
            #expect(comparison.faults == [], "\(one)")
            let own = try await ResultCheck(examiner: Examiner(), profile: .texture)
                .compare(scenario)
            #expect(own.agrees, "\(one)")
        }
    }

    /// A repeated move is one, taken apart it is rejected: what is both has no rule.
    @Test func whereMovesAreNotAllTheDifferenceItIsAFault() async throws {
        let line = """
            {"oldCounts":[1,2],"newCounts":[2,1],"ops":[{"op":"moveSection","from":0,"to":1},\
            {"op":"moveSection","from":0,"to":1}]}
            """
        let scenario = try await recorded(try Scenario(line: Array(line.utf8)))
        let check = ResultCheck(examiner: Examiner(), profile: .standard)
        let comparison = try await check.compare(scenario)
        #expect(comparison.differences == [])
        #expect(comparison.faults.first == "sectionMapping[0]: expected -1, found 1")
    }

    /// The original asserts while the operation is submitted, and so never comes to what follows.
    @Test(arguments: ["complete", "readChanges", "readMapping"])
    func whatFailsBeforeTheMisuseIsTheFault(probe: String) async throws {
        let line = """
            {"oldCounts":[1],"newCounts":[1],"ops":[{"op":"deleteItems","at":[]},\
            {"op":"\(probe)"}]}
            """
        let misused = try Scenario(line: Array(line.utf8))
        var scenario = try await recorded(misused.prefix(1))
        scenario.steps = misused.steps
        let texture = ResultCheck(examiner: Examiner(), profile: .texture)
        #expect(try await texture.compare(scenario).agrees)
        let standard = ResultCheck(examiner: Examiner(), profile: .standard)
        #expect(try await standard.compare(scenario).differences == [.emptyOperations])
    }

    @Test func aResultThatNobodyGivesIsComparedWithTheOwnAnswer() async throws {
        var scenario = try Self.cases[7].scenario()
        scenario.result = .object([
            .init(key: "valid", value: .bool(true)), .init(key: "empty", value: .bool(true)),
            .init(key: "quirks", value: .array([])),
            .init(key: "map", value: .strings(["o0.1"])), .init(key: "more", value: .null),
        ])
        let check = ResultCheck(examiner: Examiner(), profile: .standard)
        #expect(
            try await check.compare(scenario).faults == [
                "empty: expected true, found false",
                #"map[0]: expected "o0.1", found ["o0.1","o0.0"]"#,
                "more: expected null, found nothing",
            ]
        )
        scenario.result = .object([
            .init(key: "map", value: .null), .init(key: "valid", value: .bool(false)),
        ])
        #expect(
            try await check.compare(scenario).faults == ["valid: expected false, found true"]
        )
    }
}
