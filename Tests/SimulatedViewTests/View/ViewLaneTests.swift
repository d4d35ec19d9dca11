import PipelineTestSupport
import SimulatedView
import Testing

/// A lane that counts how often it is asked whether the caller is there.
private final class AskedLane: Lane, @unchecked Sendable {
    // Unchecked: used on the main lane of the test's controller only.
    private(set) var questions = 0
    let label = "asked"

    var isCurrent: Bool {
        questions += 1
        return true
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {}
}

/// Passes updates on to a view on another lane than its controller's, and counts who is asked meanwhile.
private final class AskedView: CollectionView, @unchecked Sendable {
    // Unchecked: used on the main lane of its controller only.
    let lane = AskedLane()
    let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
    private(set) var questions: [Int] = []

    func attach(to lane: any Lane) { view.attach(to: self.lane) }

    var elementSizeRange: SizeRange { view.elementSizeRange }
    var firstVisiblePath: ItemPath? { view.firstVisiblePath }

    func perform(_ update: ViewUpdate) {
        let before = lane.questions
        view.perform(update)
        questions.append(lane.questions - before)
    }
}

@Suite("The lane of a view")
struct ViewLaneTests {
    /// What is read and set asks both times.
    @Test func whetherSomethingIsAllowedIsAskedOnTheLaneOnly() {
        let (view, lane) = (SimulatedCollectionView(size: .zero), AskedLane())
        view.attach(to: lane)
        let reads: [(SimulatedCollectionView) -> Bool] = [
            \.allowsSelection, \.allowsMultipleSelection, \.isPrefetchingEnabled, \.isRightToLeft,
        ]
        for (number, read) in reads.enumerated() {
            let before = lane.questions
            _ = read(view)
            #expect(lane.questions > before, "\(number)")
        }
    }

    @Test func anUpdateIsTakenInOnTheLaneOnly() async throws {
        let asked = AskedView()
        let controller = Substrate.dispatch.makeStage().makeController(
            TextDataSource([["a"]]),
            view: asked
        )
        try await onMain(controller) {
            try $0.assumeIsolated().reloadData(animated: false, completion: nil)
        }
        await controller.reached(.handedOver)
        let (questions, waiting) = await onMain(controller) { _ in
            (asked.questions, asked.view.numberOfWaitingUpdates)
        }
        #expect(questions == [1] && waiting == 1)
        await controller.close(draining: false)
    }
}
