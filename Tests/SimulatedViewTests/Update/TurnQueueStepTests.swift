import Testing

@testable import SimulatedView

/// Single steps, by hand; `TurnQueueTests` walks through all of them.
@Suite("Steps of the queue of turns")
struct TurnQueueStepTests {
    @Test func aTurnThatIsOnItsWayOrRunsIsNotEnqueuedOnceMore() {
        var turns = TurnQueue<Int>()
        var answers = [turns.needsTurn()]
        turns.attached()
        answers += [turns.needsTurn(), turns.needsTurn()]
        turns.turnBegan()
        answers += [turns.needsTurn(), turns.turnEnded(needsLayout: false), turns.needsTurn()]
        #expect(answers == [false, true, false, false, false, true])
    }
}
