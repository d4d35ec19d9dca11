import CollectionPipeline
import Testing

@testable import changeset_lint

@Suite struct ExaminerTests {
    private func acceptance(_ line: String) async throws -> (Examination.Acceptance, Examination) {
        let examination = try await Examiner().examine(
            Scenario(line: Array(line.utf8)),
            profile: .standard
        )
        guard case .accepted(let acceptance) = examination.verdict else {
            throw ScenarioFault("refused: \(examination.verdict)")
        }
        return (acceptance, examination)
    }

    @Test func whatMovesIsTheSameObjectElsewhere() async throws {
        let (acceptance, examination) = try await acceptance(
            """
            {"oldCounts":[2,1],"newCounts":[2,2],"ops":[{"op":"moveItem","from":[0,1],"to":[1,1]},\
            {"op":"moveSection","from":1,"to":0},{"op":"insertItems","at":[[0,1]]}]}
            """
        )
        #expect(acceptance.sections == ["s1", "s0"])
        #expect(acceptance.map == [["o1.0", "n0"], ["o0.0", "o0.1"]])
        #expect(acceptance.asks == ["b0.1"])
        #expect(examination.faults == [])
    }

    @Test func aRejectedSetLeavesEverythingAsItWas() async throws {
        let examination = try await Examiner().examine(
            Scenario(line: Array(#"{"oldCounts":[2],"newCounts":[3],"ops":[]}"#.utf8)),
            profile: .strict
        )
        guard case .refused(let error) = examination.verdict else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .itemCount)
        #expect(error.dataSourceName == "ScriptedDataSource")
        #expect(examination.faults == [])
    }

    @Test(arguments: ["[-1]", "[9223372036854775807]", "[9223372036854775807,1]", "[5,6]"])
    func anOldCollectionThatCannotBeLoadedIsAFaultOfItsLine(oldCounts: String) async throws {
        let line = #"{"oldCounts":\#(oldCounts),"newCounts":[],"ops":[]}"#
        let scenario = try Scenario(line: Array(line.utf8))
        let examiner = Examiner(limits: ShapeLimits(sections: 4, items: 10))
        let fault = await #expect(throws: ScenarioFault.self) {
            try await examiner.examine(scenario, profile: .texture)
        }
        #expect(fault?.message.hasPrefix("oldCounts cannot be loaded: ") == true)
    }

    /// The checks themselves are checked: what they are told wrongly they must find.
    @Test func everyGuaranteeCanFail() async throws {
        let (acceptance, _) = try await acceptance(
            """
            {"oldCounts":[2],"newCounts":[2],"ops":[{"op":"moveItem","from":[0,0],"to":[0,1]}]}
            """
        )
        let maps = try await Self.loadedMaps(counts: [2])
        let names = ElementNames(of: maps.pending)
        func faults(_ change: Examination.Acceptance) -> [String] {
            AcceptanceGuarantees(
                acceptance: change,
                before: names,
                updatedMap: maps.pending,
                pendingMap: maps.pending,
                visibleMap: maps.visible
            ).faults
        }
        #expect(faults(acceptance).contains { $0.hasPrefix("Identity Kept") })
        var wrongMap = acceptance
        wrongMap.map = [["o0.0", "o0.1"]]
        #expect(faults(wrongMap).contains { $0.contains("gives another map") })
        var wrongAsks = acceptance
        wrongAsks.asks = ["b0.0"]
        #expect(faults(wrongAsks).contains { $0.contains("in another order") })
        let other = try await Self.loadedMaps(counts: [3])
        let mixed = AcceptanceGuarantees(
            acceptance: acceptance,
            before: names,
            updatedMap: maps.pending,
            pendingMap: other.pending,
            visibleMap: maps.visible
        )
        #expect(mixed.faults.contains { $0.contains("is not the pending one") })
        #expect(mixed.faults.contains { $0.contains("the map has the shape") })
    }

    private static func loadedMaps(
        counts: [Int]
    ) async throws -> (pending: ElementMap, visible: ElementMap) {
        let controller = DataController(dataSource: ScriptedDataSource(counts: counts))
        try await controller.reloadData()
        let maps = (controller.pendingMap, controller.visibleMap)
        await controller.close()
        return maps
    }
}
