import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// From where something is done that nobody expects there.
enum ScrollDoorway: String, CaseIterable, Sendable {
    case willBeginDragging, willEndDragging, didEndDragging, willBeginDecelerating
    case didEndDecelerating, didEndScrollingAnimation, didScroll, unhighlight
    case nodeBegins, nodeEnds, nodeStops, visibleRect, enter, exit
    case mayUpdateRanges, stateChange, modeChange, mayFetch, fetch
}

/// What is done there.
enum ScrollIntrusion: String, CaseIterable, Sendable {
    case scroll, offset, move, moveToItem, moveToTop, begin, drag, letGo, fling, resize
    case resizeAnimated, layout, select, tap, touch, mode, tuning, ranges, noRanges, invalidate
    case layOut, update, reload, inset, busy, retry, cancel, fetcher, close

    func run(_ stage: ScrollStage, _ view: SimulatedCollectionView) {
        let isLow = view.contentOffset.y < 100
        let item = ItemPath(0, isLow ? 25 : 3)
        switch self {
        case .scroll: view.scroll(by: isLow ? 15 : -40)
        case .offset: view.contentOffset.y += 1
        case .move: view.setContentOffset(Point(x: 0, y: isLow ? 300 : 0), animated: true)
        case .moveToItem: try? view.scrollToItem(at: item, animated: true)
        case .moveToTop: view.scrollToTop(animated: true)
        case .begin: view.beginDragging()
        case .drag: view.drag(by: Point(x: 0, y: isLow ? 25 : -30))
        case .letGo: view.endDragging(velocity: .zero)
        case .fling: view.endDragging(velocity: Point(x: 0, y: isLow ? 1 : -1))
        case .resize: view.resize(to: Size(width: 100, height: view.size.height > 30 ? 30 : 50))
        case .resizeAnimated:
            let height = view.size.height > 30 ? 30.0 : 50
            view.resize(to: Size(width: 100, height: height), animated: true)
        case .layout: view.setCollectionViewLayout(ListLayout(), animated: true)
        case .select: try? view.selectItem(at: item, scrollPosition: .top)
        case .tap: view.tapItem(at: item)
        case .touch: view.touchDown(at: item)
        case .mode:
            stage.ranges.requestedMode = stage.ranges.requestedMode == nil ? .visibleOnly : nil
        case .tuning: stage.ranges.setTuningParameters(.zero, for: .preload)
        case .ranges: view.rangeController = RangeController()
        case .noRanges:
            view.rangeController = view.rangeController == nil ? stage.ranges : nil
        case .invalidate: view.collectionViewLayout.invalidateLayout()
        case .layOut:
            view.setNeedsLayout()
            view.layoutIfNeeded()
        case .update, .reload: stage.submit(isReload: self == .reload)
        case .retry: view.batchFetcher?.retry(.head)
        case .cancel: view.batchFetcher?.cancel(.head)
        case .fetcher: view.batchFetcher = stage.makeFetcher()
        case .close: stage.close()
        case .inset: view.contentInset.top = view.contentInset.top == 0 ? 5 : 0
        case .busy:
            view.beginBusy()
            view.endBusy()
        }
    }
}

/// A list whose delegate and nodes check the order of what they are told, and answer it.
final class ScrollStage: CollectionViewDelegate, RangeControllerDelegate, BatchFetcherDelegate {
    nonisolated(unsafe) private(set) var order = ScrollingOrder()
    /// Done at the call of that name.
    nonisolated(unsafe) var onCall: (ScrollDoorway, SimulatedCollectionView) -> Void = { _, _ in }
    nonisolated(unsafe) private var isClosing = false
    nonisolated(unsafe) private var isClosed = false
    nonisolated(unsafe) private var fetchCount = 0
    nonisolated(unsafe) private var faults: [String] = []
    private let outcomes = Journal<String>()
    let list: RangedList

    init(hasClock: Bool = true) {
        let ear = Ear()
        list = RangedList(45, hasClock: hasClock) { name, _ in AnsweringNode(name, ear) }
        list.onMain { view, ranges in
            view.decelerationRate = .fast
            view.delegate = self
            view.batchFetcher = self.makeFetcher()
            ranges.delegate = self
        }
        for node in ear.early { order.came(node) }
        ear.stage = self
    }

    var ranges: RangeController { list.ranges }

    /// One that looks at the head, where the content begins.
    func makeFetcher() -> BatchFetcher {
        let fetcher = BatchFetcher()
        fetcher.delegate = self
        try? fetcher.setLeadingScreens(1, at: .head)
        return fetcher
    }

    func close() {
        nonisolated(unsafe) let stage = self
        isClosing = true
        list.controller.close { stage.isClosed = true }
    }

    /// Submits a change, and notes its outcome.
    func submit(isReload: Bool) {
        list.controller.enqueueBatchUpdates { rows, changes in
            if isReload { return changes.reloadData() }
            rows.rows.append(rows.rows.removeFirst())
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 44))
        } completion: { [outcomes] result in
            outcomes.append(result.text)
        }
    }

    /// Lets go where a finger drags, and waits for what follows.
    func rest() {
        list.onMain { view, ranges in
            if view.isDragging { view.endDragging(velocity: .zero) }
            if view.rangeController == nil { view.rangeController = ranges }
        }
    }

    /// Notes an issue where something was told out of order or is stuck.
    func check(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        nonisolated(unsafe) var faults = faults + order.faults
        if !order.isAtRest { faults.append("the content is said to move") }
        if list.simulation.fault != nil { faults.append("it never ends") }
        if !isClosing { faults += outcomes.values.filter { $0 != "deployed" } }
        if fetchCount == 0 { faults.append("nothing was fetched") }
        list.onMain { view, _ in
            if view.isBusy { faults.append("the view is busy") }
            if view.isDragging || view.isDecelerating || view.isScrollAnimating {
                faults.append("the content moves")
            }
            if view.numberOfWaitingUpdates > 0 { faults.append("an update waits") }
            faults += view.errors.filter { $0.code != .reentrantLayout }.map(\.message)
        }
        if !faults.isEmpty { Issue.record("\(name): \(faults)", sourceLocation: sourceLocation) }
    }

    func heard(_ doorway: ScrollDoorway, _ event: ScrollingEvent?, _ node: String) {
        if let event { order.heard(event, node) }
        if doorway == .enter { order.came(node) }
        if doorway == .exit { order.went(node) }
        onCall(doorway, list.view)
    }

    func collectionViewWillBeginDragging(_ view: SimulatedCollectionView) {
        order.willBeginDragging()
        onCall(.willBeginDragging, view)
    }

    func collectionView(
        _ view: SimulatedCollectionView,
        willEndDraggingWithVelocity velocity: Point,
        targetContentOffset offset: Point
    ) -> Point {
        order.willEndDragging()
        onCall(.willEndDragging, view)
        return offset
    }

    func collectionViewDidEndDragging(_ view: SimulatedCollectionView, willDecelerate: Bool) {
        order.didEndDragging(willDecelerate: willDecelerate)
        onCall(.didEndDragging, view)
    }

    func collectionViewWillBeginDecelerating(_ view: SimulatedCollectionView) {
        order.willBeginDecelerating()
        onCall(.willBeginDecelerating, view)
    }

    func collectionViewDidEndDecelerating(_ view: SimulatedCollectionView) {
        order.didEndDecelerating()
        onCall(.didEndDecelerating, view)
    }

    func collectionViewDidEndScrollingAnimation(_ view: SimulatedCollectionView) {
        onCall(.didEndScrollingAnimation, view)
    }

    func collectionViewDidScroll(_ view: SimulatedCollectionView) { onCall(.didScroll, view) }

    func collectionView(_ view: SimulatedCollectionView, didUnhighlightItemAt path: ItemPath) {
        onCall(.unhighlight, view)
    }

    func rangeControllerShouldUpdate(_ rangeController: RangeController) -> Bool {
        onCall(.mayUpdateRanges, list.view)
        return true
    }

    func rangeController(
        _ rangeController: RangeController,
        didChangeStateOf element: CollectionElement,
        to newState: InterfaceState,
        from oldState: InterfaceState
    ) { onCall(.stateChange, list.view) }

    func rangeController(_ ranges: RangeController, didChangeModeFrom oldMode: RangeMode) {
        onCall(.modeChange, list.view)
    }

    func batchFetcher(_ fetcher: BatchFetcher, mayFetchAt end: ContentEnd) -> Bool {
        onCall(.mayFetch, list.view)
        return true
    }

    func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
        fetchCount += 1
        if list.view.isDragging { faults.append("the \(fetch.end) is fetched under a finger") }
        if fetcher !== list.view.batchFetcher { faults.append("another fetcher fetches") }
        if isClosed { faults.append("it fetches after the close") }
        onCall(.fetch, list.view)
        fetch.complete()
    }
}

/// Who hears of what nodes are told.
private final class Ear: @unchecked Sendable {
    // Unchecked: used on the main lane, which is the test's thread.
    weak var stage: ScrollStage?
    /// What was visible before anybody heard.
    var early: [String] = []
    private let count = Lock(0)

    func number() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A row of 10 that hands on what it is told.
private final class AnsweringNode: ViewportNode {
    private let name: String
    private let ear: Ear

    init(_ name: String, _ ear: Ear) {
        // Nodes that follow on one another are told apart.
        self.name = "\(name) #\(ear.number())"
        self.ear = ear
    }

    private func tell(_ doorway: ScrollDoorway, _ event: ScrollingEvent? = nil) {
        if let stage = ear.stage { return stage.heard(doorway, event, name) }
        if doorway == .enter { ear.early.append(name) }
    }

    func measure(in range: SizeRange) -> Size { Size(width: 100, height: 10) }

    func didEnterVisibleState() { tell(.enter) }

    func didExitVisibleState() { tell(.exit) }

    func visibleRectDidChange(to newRect: Rect?, from oldRect: Rect?) {
        tell(.visibleRect)
    }

    func scrollingDidChange(_ event: ScrollingEvent) {
        switch event {
        case .willBeginDragging: tell(.nodeBegins, event)
        case .didEndDragging: tell(.nodeEnds, event)
        default: tell(.nodeStops, event)
        }
    }
}
