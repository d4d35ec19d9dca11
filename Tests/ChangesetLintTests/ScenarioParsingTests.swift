import CollectionPipeline
import Testing

@testable import changeset_lint

@Suite struct ScenarioParsingTests {
    private func scenario(ops: String) throws -> Scenario {
        try Scenario(line: Array(#"{"oldCounts":[1],"newCounts":[2],"ops":\#(ops)}"#.utf8))
    }

    @Test func everyOperationIsRead() throws {
        let scenario = try scenario(
            ops: """
                [{"op":"deleteItems","at":[[1,2],[0,3]],"anim":1},{"op":"insertItems","at":[]},
                {"op":"reloadItems","at":[[0,0]],"anim":2},{"op":"reconfigureItems","at":[[0,1]]},
                {"op":"moveItem","from":[0,1],"to":[2,3],"anim":3},
                {"op":"deleteSections","at":[4,1,4]},{"op":"insertSections","at":[]},
                {"op":"reloadSections","at":[0]},{"op":"reconfigureSections","at":[1]},
                {"op":"moveSection","from":5,"to":6},{"op":"reloadData"},
                {"op":"reloadSupplementaries","kind":"footer","at":[2]}]
                """
        )
        let none = AnimationOption.none
        #expect(
            scenario.operations == [
                .deleteItems(
                    [ItemPath(section: 1, item: 2), ItemPath(section: 0, item: 3)],
                    AnimationOption(rawValue: 1)
                ),
                .insertItems([], none),
                .reloadItems([ItemPath(section: 0, item: 0)], AnimationOption(rawValue: 2)),
                .reconfigureItems([ItemPath(section: 0, item: 1)], none),
                .moveItem(
                    at: ItemPath(section: 0, item: 1),
                    to: ItemPath(section: 2, item: 3),
                    AnimationOption(rawValue: 3)
                ),
                .deleteSections([1, 4], none),
                .insertSections([], none),
                .reloadSections([0], none),
                .reconfigureSections([1], none),
                .moveSection(5, toSection: 6, none),
                .reloadData(.none),
                .reloadSupplementaries(.footer, in: [2], none),
            ]
        )
        #expect(scenario.oldCounts == [1])
        #expect(scenario.newCounts == [2])
        #expect(scenario.reloadsData)
        #expect(scenario.firstProbe == nil)
    }

    @Test func probesAreStepsButNoOperations() throws {
        let scenario = try scenario(ops: #"[{"op":"reloadData"},{"op":"readMapping","at":7}]"#)
        #expect(scenario.firstProbeIndex == 1)
        #expect(scenario.firstProbe == .readMapping)
        #expect(scenario.operations == [.reloadData(.none)])
        #expect(scenario.prefix(1).firstProbe == nil)
    }

    @Test func anyIntegerOf64BitsMayReachValidation() throws {
        let scenario = try scenario(
            ops: #"[{"op":"deleteItems","at":[[-9223372036854775808,9223372036854775807]]}]"#
        )
        #expect(
            scenario.operations == [.deleteItems([ItemPath(section: .min, item: .max)], .none)]
        )
    }

    @Test(
        arguments: [
            ("[]", "a scenario must be an object, found an array"),
            ("7", "a scenario must be an object, found an integer"),
            ("{", "invalid JSON in column 2: expected a key in quotes"),
            (
                #"{"oldCounts":[],"oldCounts":[]}"#,
                #"invalid JSON in column 17: the key "oldCounts" is there twice"#
            ),
            ("{}", "missing field 'oldCounts'"),
            (#"{"oldCounts":[]}"#, "missing field 'newCounts'"),
            (#"{"oldCounts":[],"newCounts":[]}"#, "missing field 'ops'"),
            (#"{"oldCounts":3}"#, "oldCounts must be an array of integers, found an integer"),
            (
                #"{"oldCounts":[1,null]}"#,
                "oldCounts[1] must be an integer of 64 bits, found null"
            ),
            (
                #"{"oldCounts":[1.0]}"#,
                "oldCounts[0] must be an integer of 64 bits, found the number 1.0"
            ),
            (
                #"{"oldCounts":[1e400]}"#,
                "oldCounts[0] must be an integer of 64 bits, found the number 1e400"
            ),
            (
                #"{"oldCounts":[9223372036854775808]}"#,
                "oldCounts[0] must be an integer of 64 bits, found the number 9223372036854775808"
            ),
        ]
    )
    func aLineThatIsNoScenarioIsNamed(line: String, message: String) {
        #expect(throws: ScenarioFault(message)) { try Scenario(line: Array(line.utf8)) }
    }

    @Test(
        arguments: [
            ("{}", "ops must be an array, found an object"),
            ("[1]", "ops[0] must be an object, found an integer"),
            ("[{}]", "missing field 'ops[0].op'"),
            (#"[{"op":1}]"#, "ops[0].op must be a string, found an integer"),
            (#"[{"op":"jump"}]"#, #"ops[0].op is unknown: "jump""#),
            (#"[{"op":"reloadData"},{"op":"deleteItems"}]"#, "missing field 'ops[1].at'"),
            (
                #"[{"op":"deleteItems","at":7}]"#,
                "ops[0].at must be an array of paths, found an integer"
            ),
            (
                #"[{"op":"insertItems","at":[[0,0],[1]]}]"#,
                "ops[0].at[1] must be a path [section,item] of two integers of 64 bits"
            ),
            (
                #"[{"op":"reloadItems","at":[[0,0.5]]}]"#,
                "ops[0].at[0] must be a path [section,item] of two integers of 64 bits"
            ),
            (#"[{"op":"moveItem","from":[0,0]}]"#, "missing field 'ops[0].to'"),
            (
                #"[{"op":"moveItem","from":0,"to":[0,0]}]"#,
                "ops[0].from must be a path [section,item] of two integers of 64 bits"
            ),
            (
                #"[{"op":"deleteSections","at":[[0]]}]"#,
                "ops[0].at[0] must be an integer of 64 bits, found an array"
            ),
            (
                #"[{"op":"moveSection","from":"0","to":1}]"#,
                "ops[0].from must be an integer of 64 bits, found a string"
            ),
            (
                #"[{"op":"deleteItems","at":[],"anim":true}]"#,
                "ops[0].anim must be an integer of 64 bits, found a truth value"
            ),
            (#"[{"op":"reloadSupplementaries","at":[0]}]"#, "missing field 'ops[0].kind'"),
        ]
    )
    func aFaultyOperationIsNamed(ops: String, message: String) {
        #expect(throws: ScenarioFault(message)) { try scenario(ops: ops) }
    }
}
