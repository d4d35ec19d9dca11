import CollectionPipeline
import SimulatedView
import Testing

/// A lane that counts how often it is asked whether the caller is there.
private final class CountingLane: Lane, @unchecked Sendable {
    // Unchecked: used by the one thread of the test that made it.
    private(set) var questions = 0
    let label = "counting"

    var isCurrent: Bool {
        questions += 1
        return true
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {}
}

@Suite("The lane of scrolling")
struct ScrollingLaneTests {
    @Test func whatDoesNothingElseAsksWhetherItIsThereToo() {
        let (view, lane) = (SimulatedCollectionView(size: .zero), CountingLane())
        view.attach(to: lane)
        let calls: [(SimulatedCollectionView) -> Void] = [
            { _ = $0.decelerationRate },
            { $0.scroll(by: Point(x: .nan, y: 0)) },
        ]
        for (number, call) in calls.enumerated() {
            let before = lane.questions
            call(view)
            #expect(lane.questions == before + 1, "\(number)")
        }
    }
}
