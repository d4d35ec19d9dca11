import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// Rows of 20 in a viewport of three; only rows near it are measured and have nodes.
@Suite("Nodes that are created and released on demand")
struct OnDemandTests {
    /// A row that records its creation, its notifications and its release.
    private final class Node: RangeManagedNode, ReconfigurableNode {
        private let text: Lock<String>
        private let notifications: Journal<String>

        init(_ text: String, _ notifications: Journal<String>) {
            self.text = Lock(text)
            self.notifications = notifications
            notifications.append("\(text) made")
        }

        deinit { notifications.append("\(text.withLock { $0 }) released") }

        func measure(in range: SizeRange) -> Size { Size(width: 100, height: 20) }
        func measure(_ model: String, in range: SizeRange) -> Size { measure(in: range) }
        func update(to model: String) { text.withLock { $0 = model } }
        func didEnterPreloadState() { notifications.append("\(text.withLock { $0 }) enters") }
        func didExitPreloadState() { notifications.append("\(text.withLock { $0 }) leaves") }
    }

    /// A cell that records at each filling whether its element has a node.
    private final class Cell: CollectionViewCell {
        nonisolated(unsafe) var fillings: [Bool] = []

        override func contentDidChange() { fillings.append(element?.nodeIfAllocated != nil) }
    }

    private let list = makeList()

    private static func makeList(
        releasesNodes: Bool = true,
        hasRanges: Bool = true,
        measuring: PipelineConfiguration.MeasuringPolicy = .onDemand(initialCount: 1)
    ) -> RangedList {
        var configuration = PipelineConfiguration()
        (configuration.measuringPolicy, configuration.releasesNodes) = (measuring, releasesNodes)
        let list = RangedList(
            300,
            height: 60,
            configuration: configuration,
            cellClass: Cell.self,
            hasRanges: hasRanges
        ) { Node($0, $1) }
        // The ranges reach half a viewport after it and a quarter before it.
        list.onMain { $1.requestedMode = .minimum }
        return list
    }

    private func scroll(to row: Int) {
        list.onMain { view in view.contentOffset.y = Double(row) * 20 }
    }

    private func rowsWithNodes(_ list: RangedList) -> [Int] {
        list.controller.visibleMap.items.filter { $0.element.nodeIfAllocated != nil }.map(
            \.path.item
        )
    }

    private func size(ofRow row: Int, _ list: RangedList) -> Size? {
        list.controller.visibleMap.content(at: ItemPath(section: 0, item: row))?.size
    }

    /// The layout first estimates a height of 50; the measured height is 20.
    @Test func shownRowsAreMeasuredAndTheirCellsAreRefilledOnce() {
        let list = Self.makeList(releasesNodes: false, hasRanges: false)
        #expect(rowsWithNodes(list) == [0, 1, 2])
        for _ in 0..<2 {
            // The first row was measured before it was shown.
            let fillings = list.onMain { $0.visibleCells.compactMap { ($0 as? Cell)?.fillings } }
            #expect(fillings == [[true], [false, true], [false, true]])
            list.onMain { $0.setNeedsLayout() }
        }
        list.onMain { view in view.contentOffset.y = view.contentSize.height / 2 }
        let heights = Set(list.onMain { $0.visibleCells.map(\.frame.size.height) })
        #expect(heights == [20] && rowsWithNodes(list).count < 12)
        list.onMain { view in
            view.isPrefetchingEnabled = true
            view.scroll(by: 1)
        }
        list.onMain { view in view.idleTick(preparing: 2) }
        list.scroll(by: 30)
        let last = list.onMain { $0.visibleCells.map { ($0 as? Cell)?.fillings.last } }
        #expect(last.allSatisfy { $0 == true }, "also the prefetched cells")
    }

    @Test func scrollingThroughCreatesEachNodeOnceAndKeepsEachSize() {
        var most = 0
        for row in 0..<290 {
            scroll(to: row)
            list.scroll(by: -20)
            most = max(most, rowsWithNodes(list).count)
        }
        #expect((0..<290).allSatisfy { size(ofRow: $0, list) == Size(width: 100, height: 20) })
        let news = list.news()
        let made = news.filter { $0.hasSuffix("made") }
        #expect(most <= 16 && made.count > 290 && Set(made).count == made.count)
        #expect(news.count { $0.hasSuffix("released") } == made.count - rowsWithNodes(list).count)
    }

    /// A distant row that an update inserts or changes is measured for its size, and its node is
    /// released.
    @Test func farRowsOfAnUpdateKeepNoNode() {
        scroll(to: 100)
        _ = list.news()
        list.update { rows, changes in
            rows.sections[0][0] = "other"
            changes.reconfigureItems(at: [ItemPath(section: 0, item: 0)])
        }
        list.update { rows, changes in
            rows.sections[0].insert("new", at: 0)
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        }
        #expect(list.news() == ["other made", "other released", "new made", "new released"])
        #expect(size(ofRow: 0, list) == Size(width: 100, height: 20))
        scroll(to: 0)
        let entered = list.news().filter { $0.hasSuffix("enters") }
        #expect(entered.prefix(2) == ["new enters", "other enters"])
        let list = Self.makeList(measuring: .progressive(initialCount: 5))
        #expect(size(ofRow: 299, list) == Size(width: 100, height: 20))
        let made = list.news().filter { $0.hasSuffix("made") }
        #expect(rowsWithNodes(list).count < 15 && made.count == 300, "each row once")
    }

    /// The node was released; only the caller that requested it again knows the new node.
    @Test func aDistantNodeThatACallerRequestsStays() throws {
        scroll(to: 10)
        scroll(to: 40)
        let element = try #require(
            list.controller.visibleMap.element(at: ItemPath(section: 0, item: 0))
        )
        #expect(element.nodeIfAllocated == nil)
        let node = try element.waitForNode()
        scroll(to: 41)
        scroll(to: 42)
        #expect(element.nodeIfAllocated === node)
    }

    /// A delegate that runs a closure at the first notification.
    private final class OneTimeDelegate: RangeControllerDelegate {
        var action: (() -> Void)?

        func rangeController(
            _ rangeController: RangeController,
            didChangeStateOf element: CollectionElement,
            to newState: InterfaceState,
            from oldState: InterfaceState
        ) {
            let action = action
            self.action = nil
            action?()
        }
    }

    @Test func aRowThatIsNearAgainInTimeKeepsItsNode() {
        scroll(to: 2)
        _ = list.news()
        nonisolated(unsafe) let delegate = OneTimeDelegate()
        delegate.action = { [view = list.view] in
            view.contentOffset.y = 40
            view.layoutIfNeeded()
        }
        list.onMain { $1.delegate = delegate }
        scroll(to: 12)
        #expect(delegate.action == nil && rowsWithNodes(list).contains(0))
        #expect(!list.news().contains("row 0 released"))
    }
}
