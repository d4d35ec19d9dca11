import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What a run asks its plan.
@Suite("Questions to plans") struct RunPlanQuestionTests {
    private static let others: [RunPlan.Action] = [
        .wait, .waitOnMain, .edit(1), .askWhenDone, .task(.handedOver), .task(.edit(1)), .fail,
    ]

    /// Whether it says so of a plan with this action somewhere among others.
    private static func answers(
        _ action: RunPlan.Action?,
        _ question: (RunPlan) -> Bool
    ) -> [Bool] {
        (0...others.count).flatMap { place in
            var actions = others
            if let action { actions.insert(action, at: place) }
            var plan = RunPlan(seed: 1)
            return [[[], actions], [actions, []], [actions, others]].map {
                plan.clients = $0
                return question(plan)
            }
        }
    }

    @Test func somebodyAsksForNodesOnTheSpotOrInATask() {
        for (action, isSo): (RunPlan.Action?, Bool) in [
            (nil, false), (.waitForNode(1), true), (.task(.node(1)), true),
            (.task(.readModel), false), (.readers(1), false), (.journal(1), false),
        ] {
            let answers = Self.answers(action) { $0.asksForNodes }
            #expect(answers.allSatisfy { $0 == isSo }, "\(action as Any)")
        }
    }

    @Test func theSecondListHasWhatIsDoneToIt() {
        for (action, hasJournal, hasReaders): (RunPlan.Action?, Bool, Bool) in [
            (nil, false, false), (.journal(1), true, false), (.readers(1), false, true),
            (.task(.apply(1)), false, false),
        ] {
            #expect(Self.answers(action) { $0.hasJournal }.allSatisfy { $0 == hasJournal })
            #expect(Self.answers(action) { $0.hasReaders }.allSatisfy { $0 == hasReaders })
        }
    }

    @Test func aTimeoutOfStallsIsWithinItsLimits() {
        for (number, isAllowed) in [
            (nil, true), (0, false), (1, true), (1_000_000_000, true), (1_000_000_001, false),
        ] {
            var plan = RunPlan(seed: 1)
            plan.stallMicroseconds = number
            let text = "stallMicroseconds is \(number ?? 0), not 1 to 1000000000"
            #expect(plan.problem == (isAllowed ? nil : text))
        }
    }
}
