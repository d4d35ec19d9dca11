import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Milestones")
struct MilestonesTests {
    @Test func whoWaitsForAHandOverIsToldOnceInOrderWhenItsOwnHasCome() {
        let told = Journal<String>()
        var milestones = Milestones()
        for (name, generation) in [("a", 3), ("b", 1), ("c", 2), ("d", 1)] {
            milestones.awaitHandOver(through: generation) { told.append(name) }
        }
        for handedOver in [0, 1, 1, 3, 3] {
            for resume in milestones.takeHandedOver({ $0 <= handedOver }) { resume() }
            told.append("\(handedOver)")
        }
        #expect(told.values == ["0", "b", "d", "1", "1", "a", "c", "3", "3"])
    }

    @Test func whoWaitsForAllIsTakenOnceInOrder() {
        let told = Journal<String>()
        var milestones = Milestones()
        for number in 0..<2 {
            milestones.awaitProcessed { told.append("processed \(number)") }
            milestones.awaitSynchronized { told.append("synchronized \(number)") }
        }
        for callback in milestones.takeProcessed() + milestones.takeSynchronized() { callback() }
        #expect(
            told.values == ["processed 0", "processed 1", "synchronized 0", "synchronized 1"]
        )
        let left = milestones.takeProcessed() + milestones.takeSynchronized()
        #expect(left.isEmpty)
    }
}
