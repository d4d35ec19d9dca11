import CollectionPipeline
import Testing

@testable import changeset_lint

@Suite struct ScenarioStepTests {
    private static let operation = HierarchyChangeSet.Operation.deleteSections([1], .none)

    private func scenario(_ steps: [Scenario.Step]) -> Scenario {
        Scenario(id: nil, oldCounts: [1], newCounts: [2], steps: steps, result: nil)
    }

    @Test func theFirstOfSeveralProbesIsFound() {
        let scenario = scenario([
            .operation(Self.operation), .probe(.readMapping), .operation(.reloadData(.none)),
            .probe(.complete),
        ])
        #expect(scenario.firstProbeIndex == 1)
        #expect(scenario.firstProbe == .readMapping)
        #expect(scenario.operations == [Self.operation, .reloadData(.none)])
    }

    @Test func aPrefixHasTheFirstStepsAndAllElse() {
        let steps: [Scenario.Step] = [
            .operation(Self.operation), .probe(.complete), .probe(.readChanges),
        ]
        for count in 0...3 {
            #expect(scenario(steps).prefix(count) == scenario(Array(steps[..<count])))
        }
    }

    @Test func onlyAReloadOfTheDataIsOne() {
        #expect(!scenario([]).reloadsData)
        #expect(!scenario([.operation(Self.operation), .probe(.complete)]).reloadsData)
        #expect(
            scenario([.operation(Self.operation), .operation(.reloadData(.none))]).reloadsData
        )
    }

    @Test func aLongNameIsCutAfterItsBeginning() {
        let name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let line = #"{"oldCounts":[],"newCounts":[],"ops":[{"op":"\#(name)"}]}"#
        #expect(throws: ScenarioFault(#"ops[0].op is unknown: "\#(name.prefix(40))""#)) {
            try Scenario(line: Array(line.utf8))
        }
    }

    @Test func stepsKeepTheirOrderAndAnAnimationMayBeMissing() throws {
        let line = """
            {"oldCounts":[],"newCounts":[],"ops":[{"op":"reloadSections","at":[0]},\
            {"op":"complete"},{"op":"reloadSections","at":[1],"anim":3}]}
            """
        let none = AnimationOption.none
        #expect(
            try Scenario(line: Array(line.utf8)).steps == [
                .operation(.reloadSections([0], none)), .probe(.complete),
                .operation(.reloadSections([1], .leading)),
            ]
        )
    }
}
