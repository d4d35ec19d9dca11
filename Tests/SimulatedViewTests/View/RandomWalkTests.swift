import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Random walks of a view", .endsHangs)
struct RandomWalkTests {
    @Test(arguments: 1...Effort.number(60, usually: 20) as ClosedRange<UInt64>)
    func afterEveryStepWhatIsShownIsWhatLayoutAndModelSay(_ seed: UInt64) throws {
        var walk = try RandomWalk(seed: seed)
        for step in 0..<60 {
            let mistakes = try walk.step()
            guard mistakes.isEmpty else {
                let story = walk.story.suffix(4).joined(separator: "; ")
                Issue.record("seed \(seed), step \(step), after \(story): \(mistakes)")
                return
            }
        }
    }
}
