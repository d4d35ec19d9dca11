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

/// Asks its view nothing.
private final class FixedSizes: CollectionLayout {
    override var elementSizeRange: SizeRange { SizeRange(minimum: .zero, maximum: .zero) }
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

    /// What asks once by itself, and nothing else that does.
    @Test func whatIsReadAndToldIsReadAndToldOnTheLaneOnly() {
        let (view, lane) = (
            SimulatedCollectionView(size: .zero, layout: FixedSizes()), AskedLane()
        )
        view.attach(to: lane)
        let uses: [(String, () -> Void)] = [
            ("numberOfSections", { _ = view.numberOfSections }),
            ("numberOfItems", { _ = view.numberOfItems(inSection: 0) }),
            ("context", { _ = view.context(forSection: 0) }),
            ("preparedLayout", { _ = view.preparedLayout }),
            ("measuredSize", { _ = view.measuredSize(of: .cell(ItemPath(0, 0))) }),
            ("collectionViewLayout", { _ = view.collectionViewLayout }),
            ("bounds", { _ = view.bounds }),
            ("contentSize", { _ = view.contentSize }),
            ("adjustedContentInset", { _ = view.adjustedContentInset }),
            ("elementSizeRange", { _ = view.elementSizeRange }),
            ("firstVisiblePath", { _ = view.firstVisiblePath }),
            ("indexPathsForSelectedItems", { _ = view.indexPathsForSelectedItems }),
            ("highlightedItem", { _ = view.highlightedItem }),
            ("cancelTouch", { view.cancelTouch() }),
            ("eventLog", { _ = view.eventLog }),
            ("clearEventLog", { view.clearEventLog() }),
            ("errors", { _ = view.errors }),
            ("updatesInFlightDidChange", { view.updatesInFlightDidChange(true) }),
            ("controllerDidClose", { view.controllerDidClose() }),
        ]
        for (name, use) in uses {
            let before = lane.questions
            use()
            #expect(lane.questions == before + 1, "\(name)")
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

    /// Where nothing is to be done nobody else asks.
    @Test func whoCallsIsAskedForOnce() throws {
        let (view, lane) = (SimulatedCollectionView(size: .zero), AskedLane())
        view.layoutIfNeeded()
        view.attach(to: lane)
        let calls: [(SimulatedCollectionView) throws -> Void] = [
            { _ = $0.visibleCells }, { _ = $0.visibleViews }, { $0.layoutIfNeeded() },
            { try $0.register(nil, forCellWithReuseIdentifier: "x") },
            {
                try $0.register(
                    nil,
                    forSupplementaryViewOfKind: .header,
                    withReuseIdentifier: "x"
                )
            },
            { _ = try? $0.dequeueReusableCell(withReuseIdentifier: "x", for: ItemPath(0, 0)) },
            { $0.invalidateLayout(with: LayoutInvalidationContext()) },
        ]
        for (number, call) in calls.enumerated() {
            let before = lane.questions
            try call(view)
            #expect(lane.questions == before + 1, "\(number)")
        }
    }
}
