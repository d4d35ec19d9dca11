import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Milestones")
struct MilestonesTests {
    @Test func whoWaitsForAHandOverIsToldOnceInOrderWhenItsOwnHasCome() {
        let told = Journal<String>()
        var milestones = Milestones()
        for (name, generation) in [("a", 3), ("b", 1), ("c", 2), ("d", 1), ("e", nil)] {
            milestones.awaitHandOver(through: generation) { told.append(name) }
        }
        for handedOver in [0, 1, 1, 3, 3] {
            for resume in milestones.takeHandedOver({ $0 <= handedOver }) { resume() }
            told.append("\(handedOver)")
        }
        #expect(told.values == ["e", "0", "b", "d", "1", "1", "a", "c", "3", "3"])
    }

    @Test func whoWaitsForAllIsTakenOnceInOrder() {
        let told = Journal<String>()
        var milestones = Milestones()
        for number in 0..<2 {
            milestones.awaitCompletion { told.append("completed \(number)") }
        }
        for callback in milestones.takeCompleted() { callback() }
        #expect(told.values == ["completed 0", "completed 1"])
        #expect(milestones.takeCompleted().isEmpty)
        milestones.awaitCompletion { told.append("late") }
        milestones.putBack(completed: [{ told.append("early") }])
        for callback in milestones.takeCompleted() { callback() }
        #expect(told.values.suffix(2) == ["early", "late"])
        #expect(milestones.takeCompleted().isEmpty)
    }
}
