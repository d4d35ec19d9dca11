import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import SimulatedView

/// The notifications of nodes about their range states.
@Suite("Each State Once")
struct EachStateOnceTests {
    @Test(arguments: RangeWalk.Course.allCases)
    func everyNodeIsNotifiedOfExactlyItsStatesInTheLayout(_ course: RangeWalk.Course) {
        var near = 0
        for seed in 0..<UInt64(Effort.number(100, usually: 12)) {
            let walk = RangeWalk(course, seed: seed)
            for step in 0..<40 {
                guard let fault = walk.step() else { continue }
                Issue.record(
                    "\(course) seed \(seed) step \(step): \(fault)\n\(walk.story.suffix(3))"
                )
                return
            }
            near += walk.numberNear
        }
        #expect(near > 1000)
    }

    // MARK: Rules in tables

    @Test func rangesReachAsFarAsDocumented() {
        let expected: [RangeMode: [Double]] = [
            .minimum: [0.25, 0.25, 0.5, 0.25], .full: [1, 0.5, 2.5, 1.5],
            .visibleOnly: [0, 0, 0, 0], .lowMemory: [0, 0, 0, 0],
        ]
        let ranges = RangeController()
        for mode in RangeMode.allCases {
            let found = [RangeType.display, .preload].flatMap { type -> [Double] in
                let parameters = ranges.tuningParameters(for: type, in: mode)
                return [parameters.leading, parameters.trailing]
            }
            #expect(found == expected[mode], "\(mode)")
        }
        for (leading, trailing) in [(-0.1, 0), (0, -1), (.nan, 0), (1, .nan), (.infinity, 0)] {
            let error = #expect(throws: ViewError.self) {
                try RangeTuningParameters(leading: leading, trailing: trailing)
            }
            let message = error?.message ?? ""
            let names = message.contains("\(leading)") && message.contains("\(trailing)")
            #expect(error?.code == .rangeTuning && names)
        }
    }

    // MARK: Delegates that act

    /// A delegate that runs a closure at each notification.
    private final class Listener: RangeControllerDelegate {
        var onState: () -> Void = {}
        var onMode: () -> Void = {}

        func rangeController(
            _ rangeController: RangeController,
            didChangeStateOf element: CollectionElement,
            to newState: InterfaceState,
            from oldState: InterfaceState
        ) { onState() }

        func rangeController(
            _ rangeController: RangeController,
            didChangeModeFrom oldMode: RangeMode
        ) { onMode() }
    }

    private func faults(_ list: RangedList) -> [String] {
        list.notifications.values.filter { $0.contains("FAULT") }
    }

    /// Delegates that cause more notifications without end receive them in later turns, and no
    /// other caller delivers the deferred ones.
    @Test func endlessNotificationsAreDeliveredInLaterTurns() {
        let list = RangedList(100)
        let listener = Listener()
        list.ranges.delegate = listener
        let (view, ranges) = (list.view, list.ranges)
        var notificationCount = 0
        listener.onMode = {
            notificationCount += 1
            guard notificationCount < 700 else { return }
            ranges.requestedMode = ranges.mode == .full ? .minimum : .full
            view.layoutIfNeeded()
        }
        var counts: [Int] = []
        list.onMain { view, ranges in
            ranges.requestedMode = .full
            for _ in 0..<2 {
                view.setNeedsLayout()
                view.layoutIfNeeded()
                counts.append(notificationCount)
            }
        }
        #expect(counts.count == 2 && counts[0] == counts[1] && (10..<400).contains(counts[0]))
        #expect(notificationCount == 700 && faults(list).isEmpty)
    }

    @Test func aRemovedRangeControllerCanBeSetAgainDuringItsNotifications() {
        let list = RangedList(100)
        let listener = Listener()
        list.ranges.delegate = listener
        let (view, ranges) = (list.view, list.ranges)
        listener.onState = { [weak listener] in
            listener?.onState = {}
            view.rangeController = ranges
        }
        list.onMain { view, _ in view.rangeController = nil }
        list.onMain { _, ranges in ranges.memoryPressure = .warning }
        #expect(list.ranges.mode == .visibleOnly && faults(list).isEmpty)
        #expect(list.rows(in: .visible) == [0, 1, 2])
    }

    // MARK: Calls of the layout

    /// Omits a row if the requested rectangle is large.
    private final class OmittingLayout: RowLayout {
        var omittedItem: Int?

        override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
            super.layoutAttributesForElements(in: rect).filter {
                rect.size.height <= 60 || $0.indexPath.item != omittedItem
            }
        }
    }

    /// The omitted row is in the middle of the layout's other rows, or after them.
    @Test(arguments: [(10.0, 4), (960, 99)])
    func shownRowsAreVisibleEvenIfTheLayoutOmitsThem(_ distance: Double, _ omitted: Int) {
        let list = RangedList(100)
        list.onMain { view in
            let layout = OmittingLayout()
            layout.omittedItem = omitted
            view.setCollectionViewLayout(layout)
        }
        for distance in [distance, 10] { list.scroll(by: distance) }
        #expect(list.rows(in: .visible) == Array((omitted - 2)...omitted))
    }

    /// Ranges reach from 255 to 405, and their pages from 240 to 420; the view's own pages reach
    /// from 300 to 330.
    @Test func theLayoutIsQueriedOnlyBeyondTheKnownPages() {
        func queryCount(
            of list: RangedList,
            _ body: @escaping (SimulatedCollectionView) -> Void
        ) -> Int {
            list.onMain { $0.clearEventLog() }
            list.onMain(body)
            return list.onMain { view in
                view.eventLog.count {
                    if case .layout(.layoutAttributesForElements) = $0 { true } else { false }
                }
            }
        }
        let list = RangedList(100)
        #expect(queryCount(of: list) { $0.setNeedsLayout() } == 0)
        #expect(queryCount(of: list) { $0.scroll(by: 300) } == 2)
        #expect(queryCount(of: list) { $0.scroll(by: 0.25) } == 1, "the view's own next page")
        #expect(queryCount(of: list) { $0.scroll(by: 10) } == 0)
        #expect(queryCount(of: list) { $0.collectionViewLayout.invalidateLayout() } == 2)
        list.onMain { _, ranges in ranges.requestedMode = .visibleOnly }
        #expect(queryCount(of: list) { $0.collectionViewLayout.invalidateLayout() } == 1)
        let plain = RangedList(100, hasRanges: false)
        #expect(queryCount(of: plain) { $0.collectionViewLayout.invalidateLayout() } == 1)
    }
}
