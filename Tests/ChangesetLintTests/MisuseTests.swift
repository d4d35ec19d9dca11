import CollectionPipeline
import Testing

@testable import changeset_lint

@Suite struct MisuseTests {
    private static let operation = Scenario.Step.operation(.reloadData(.none))
    private static let internalException = #""exception":"NSInternalInconsistencyException""#

    @Test func readingTooEarlyIsAnAssertionOfItsStep() {
        let mapping = Misuse.reading(.readMapping, at: 3)
        #expect(mapping.difference == .mappingBeforeComplete)
        #expect(
            mapping.json.text == #"{"valid":false,"code":"mappingBeforeComplete","#
                + #""error":"Cannot call sectionMapping before `markCompleted` returns.","#
                + Self.internalException + #","stage":"build","opIndex":3}"#
        )
        let changes = Misuse.reading(.readChanges, at: 0)
        #expect(changes.difference == .readIncomplete)
        #expect(
            changes.json.text == #"{"valid":false,"code":"readIncomplete","#
                + #""error":"Attempt to process incomplete changeset <description>","#
                + Self.internalException + #","stage":"build","opIndex":0}"#
        )
    }

    @Test func whatFailsOnCompletionIsTheFaultOfTheStep() {
        func text(_ code: HierarchyUpdateError.Code) -> String {
            let misuse = Misuse.completing(
                at: 2,
                failingWith: HierarchyUpdateError(code, "the message")
            )
            #expect(misuse.difference == .completedByProbe)
            return misuse.json.text
        }
        #expect(
            text(.sectionCount) == #"{"valid":false,"code":"sectionCount","error":"the message","#
                + #""exception":"ASCollectionInvalidUpdateException","stage":"build","opIndex":2}"#
        )
        // The two are one assertion of the original.
        #expect(
            text(.reloadWithoutTarget)
                == #"{"valid":false,"code":"emptyItemOp","error":"the message","#
                + Self.internalException + #","stage":"build","opIndex":2}"#
        )
        #expect(
            text(.tooManyItems) == #"{"valid":false,"code":"tooManyItems","error":"the message","#
                + #""stage":"build","opIndex":2}"#
        )
    }

    @Test(
        arguments: [
            ([.probe(.complete), .probe(.readChanges), operation], 1, .modifyCompleted, 2),
            ([.probe(.complete), .probe(.readMapping), .probe(.complete)], 1, .completeTwice, 2),
            ([.probe(.complete), operation, .probe(.complete)], 1, .modifyCompleted, 1),
            ([operation, .probe(.complete)], 2, .completeTwice, nil),
            ([operation, .probe(.complete), .probe(.readMapping)], 2, .completeTwice, nil),
            ([.probe(.complete)], 0, .completeTwice, 0),
        ] as [([Scenario.Step], Int, NamedDifference, Int?)]
    )
    func afterCompletionTheFirstChangeOrElseTheEndIsAtFault(
        steps: [Scenario.Step],
        start: Int,
        difference: NamedDifference,
        index: Int?
    ) {
        let misuse = Misuse.afterCompletion(steps, from: start)
        #expect(misuse.difference == difference)
        let place = index.map { #""stage":"build","opIndex":\#($0)"# } ?? #""stage":"complete""#
        let message =
            difference == .modifyCompleted
            ? "Attempt to modify completed changeset <description>"
            : "Attempt to mark already-completed changeset as completed."
        #expect(
            misuse.json.text == #"{"valid":false,"code":"\#(difference.rawValue)","#
                + #""error":"\#(message)",\#(Self.internalException),\#(place)}"#
        )
    }
}
