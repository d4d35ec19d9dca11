import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// The notification from within which an intrusion runs.
enum ScrollNotification: String, CaseIterable, Sendable {
    case willBeginDragging, willEndDragging, didEndDragging, willBeginDecelerating
    case didEndDecelerating, didEndScrollingAnimation, didScroll, unhighlight
    case nodeBegins, nodeEnds, nodeStops, visibleRect, enter, exit
    case mayUpdateRanges, modeChange, stateChange, mayFetch, fetch
}

/// An action that runs within a notification.
enum ScrollIntrusion: String, CaseIterable, Sendable {
    case scroll, offset, move, moveToItem, drag, letGo, fling, resize, layout, select, touch
    case mode, ranges, noRanges, layOut, update, reload, inset, retry, cancel, fetcher, close

    func run(_ stage: ScrollStage, _ view: SimulatedCollectionView) {
        let isLow = view.contentOffset.y < 100
        let item = ItemPath(0, isLow ? 25 : 3)
        switch self {
        case .scroll: view.scroll(by: isLow ? 15 : -40)
        case .offset: view.contentOffset.y += 1
        case .move: view.setContentOffset(Point(x: 0, y: isLow ? 300 : 0), animated: true)
        case .moveToItem: try? view.scrollToItem(at: item, animated: true)
        case .drag: view.drag(by: Point(x: 0, y: isLow ? 25 : -30))
        case .letGo: view.endDragging(velocity: .zero)
        case .fling: view.endDragging(velocity: Point(x: 0, y: isLow ? 1 : -1))
        case .resize:
            let height = view.size.height > 30 ? 30.0 : 50
            view.resize(to: Size(width: 100, height: height), animated: true)
        case .layout: view.setCollectionViewLayout(ListLayout(), animated: true)
        case .select: try? view.selectItem(at: item, scrollPosition: .top)
        case .touch: view.touchDown(at: item)
        case .mode:
            stage.ranges.requestedMode = stage.ranges.requestedMode == nil ? .visibleOnly : nil
        case .ranges: view.rangeController = RangeController()
        case .noRanges: view.rangeController = view.rangeController == nil ? stage.ranges : nil
        case .layOut:
            view.setNeedsLayout()
            view.layoutIfNeeded()
        case .update, .reload: stage.submit(isReload: self == .reload)
        case .inset: view.contentInset.top = view.contentInset.top == 0 ? 5 : 0
        case .retry: view.batchFetcher?.retry(.head)
        case .cancel: view.batchFetcher?.cancel(.head)
        case .fetcher: view.batchFetcher = stage.makeFetcher()
        case .close: stage.close()
        }
    }
}

/// A list whose delegate and nodes check the order of their notifications and run a closure in
/// each.
final class ScrollStage: CollectionViewDelegate, RangeControllerDelegate, BatchFetcherDelegate {
    private enum Content { case resting, dragging, willEndDragging, letGo, decelerating }

    nonisolated(unsafe) private var content = Content.resting
    /// Whether a finger drags, by visible node, as far as the node was notified.
    nonisolated(unsafe) private var fingers: [String: Bool?] = [:]
    nonisolated(unsafe) private var faults: [String] = []
    /// Called in every notification.
    nonisolated(unsafe) var onCall: (ScrollNotification, SimulatedCollectionView) -> Void = {
        _,
        _ in
    }
    nonisolated(unsafe) private var (isClosing, isClosed) = (false, false)
    nonisolated(unsafe) private var fetchCount = 0
    nonisolated(unsafe) private var (isQuerying, isNotifying) = (false, false)
    private let outcomes = Journal<String>()
    let list: RangedList

    init(hasClock: Bool) {
        let sink = NotificationSink()
        list = RangedList(45, hasRanges: false, hasClock: hasClock) { name, _ in
            ForwardingNode(name, sink)
        }
        sink.stage = self
        list.onMain { view, ranges in
            view.decelerationRate = .fast
            view.delegate = self
            view.batchFetcher = self.makeFetcher()
            ranges.delegate = self
            view.rangeController = ranges
        }
    }

    var ranges: RangeController { list.ranges }

    /// Creates a fetcher for the head, where the content begins.
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

    /// Submits a change and records its outcome.
    func submit(isReload: Bool) {
        list.controller.enqueueBatchUpdates { rows, changes in
            if isReload { return changes.reloadData() }
            rows.sections[0].append(rows.sections[0].removeFirst())
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 44))
        } completion: { [outcomes] result in
            outcomes.append(result.text)
        }
    }

    /// Ends the drag and waits for what follows.
    func rest() {
        list.onMain { view, ranges in
            if view.isDragging { view.endDragging(velocity: .zero) }
            if view.rangeController == nil { view.rangeController = ranges }
        }
    }

    /// The notifications that were out of order, and anything that does not finish.
    func finalFaults() -> [String] {
        nonisolated(unsafe) var found = faults
        if content != .resting, content != .letGo { found.append("the content is \(content)") }
        if list.simulation.fault != nil { found.append("the simulation never ends") }
        if !isClosing { found += outcomes.values.filter { $0 != "deployed" } }
        if fetchCount == 0 { found.append("nothing was fetched") }
        list.onMain { view, _ in
            let isMoving = view.isDragging || view.isDecelerating || view.isScrollAnimating
            if view.isBusy || isMoving { found.append("the view is busy") }
            if view.numberOfWaitingUpdates > 0 { found.append("an update still waits") }
            found += view.errors.filter { $0.code != .reentrantLayout }.map(\.message)
        }
        return found
    }

    // MARK: Notifications

    private func step(
        from states: Content...,
        to next: Content,
        _ call: ScrollNotification,
        _ view: SimulatedCollectionView
    ) {
        if !states.contains(content) { faults.append("\(call) while the content is \(content)") }
        content = next
        onCall(call, view)
    }

    fileprivate func received(
        _ notification: ScrollNotification,
        _ event: ScrollingEvent?,
        _ node: String
    ) {
        if let event {
            guard let finger = fingers[node] else {
                return faults.append("\(node) received \(event) but is not visible")
            }
            switch event {
            case .willBeginDragging:
                if finger == true { faults.append("\(node) was notified of two fingers") }
                fingers[node] = true
            case .didEndDragging:
                if finger == false {
                    faults.append("\(node) was notified of a finger that did not drag")
                }
                fingers[node] = false
            default:
                if finger == true { faults.append("\(node) was notified of rest under a finger") }
            }
        }
        if notification == .enter { fingers[node] = .some(nil) }
        if notification == .exit { fingers[node] = nil }
        onCall(notification, list.view)
    }

    func collectionViewWillBeginDragging(_ view: SimulatedCollectionView) {
        step(from: .resting, .letGo, to: .dragging, .willBeginDragging, view)
    }

    func collectionView(
        _ view: SimulatedCollectionView,
        willEndDraggingWithVelocity velocity: Point,
        targetContentOffset offset: Point
    ) -> Point {
        step(from: .dragging, to: .willEndDragging, .willEndDragging, view)
        return offset
    }

    func collectionViewDidEndDragging(_ view: SimulatedCollectionView, willDecelerate: Bool) {
        step(from: .willEndDragging, to: willDecelerate ? .letGo : .resting, .didEndDragging, view)
    }

    func collectionViewWillBeginDecelerating(_ view: SimulatedCollectionView) {
        step(from: .letGo, to: .decelerating, .willBeginDecelerating, view)
    }

    func collectionViewDidEndDecelerating(_ view: SimulatedCollectionView) {
        step(from: .decelerating, to: .resting, .didEndDecelerating, view)
    }

    func collectionViewDidEndScrollingAnimation(_ view: SimulatedCollectionView) {
        onCall(.didEndScrollingAnimation, view)
    }

    func collectionViewDidScroll(_ view: SimulatedCollectionView) { onCall(.didScroll, view) }

    func collectionView(_ view: SimulatedCollectionView, didUnhighlightItemAt path: ItemPath) {
        onCall(.unhighlight, view)
    }

    /// A range controller does not call its delegate from within another call.
    private func notify(
        _ notification: ScrollNotification,
        _ isWithin: ReferenceWritableKeyPath<ScrollStage, Bool>
    ) {
        if self[keyPath: isWithin] { faults.append("\(notification) within another") }
        self[keyPath: isWithin] = true
        onCall(notification, list.view)
        self[keyPath: isWithin] = false
    }

    func rangeControllerShouldUpdate(_ rangeController: RangeController) -> Bool {
        notify(.mayUpdateRanges, \.isQuerying)
        return true
    }

    func rangeController(
        _ rangeController: RangeController,
        didChangeStateOf element: CollectionElement,
        to newState: InterfaceState,
        from oldState: InterfaceState
    ) { notify(.stateChange, \.isNotifying) }

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
        if isClosed { faults.append("the view fetches after the close") }
        onCall(.fetch, list.view)
        fetch.complete()
    }
}

/// Forwards the notifications of nodes to the stage.
private final class NotificationSink: @unchecked Sendable {
    // Unchecked: used on the main lane, which is the test's thread.
    weak var stage: ScrollStage?
    private let count = Lock(0)

    func number() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A row of 10 that forwards its notifications.
private final class ForwardingNode: ViewportNode {
    private let name: String
    private let sink: NotificationSink

    init(_ name: String, _ sink: NotificationSink) {
        // Distinguishes successive nodes of one row.
        self.name = "\(name) #\(sink.number())"
        self.sink = sink
    }

    private func forward(_ notification: ScrollNotification, _ event: ScrollingEvent? = nil) {
        sink.stage?.received(notification, event, name)
    }

    func measure(in range: SizeRange) -> Size { Size(width: 100, height: 10) }
    func didEnterVisibleState() { forward(.enter) }
    func didExitVisibleState() { forward(.exit) }
    func visibleRectDidChange(to newRect: Rect?, from oldRect: Rect?) { forward(.visibleRect) }

    func scrollingDidChange(_ event: ScrollingEvent) {
        switch event {
        case .willBeginDragging: forward(.nodeBegins, event)
        case .didEndDragging: forward(.nodeEnds, event)
        default: forward(.nodeStops, event)
        }
    }
}

@Suite("Scrolling from within notifications of scrolling", .endsHangs)
struct ScrollingReentranceTests {
    /// Drags, flings, stops the fling with an animation, and the animation with a finger.
    private func scroll(_ stage: ScrollStage) {
        stage.list.onMain { view, _ in
            view.touchDown(at: ItemPath(0, 1))
            view.drag(by: Point(x: 0, y: 12))
            view.endDragging(velocity: Point(x: 0, y: 1))
        }
        for _ in 0..<40 { stage.list.simulation.step() }
        stage.list.onMain { view, _ in
            view.endDragging(velocity: Point(x: 0, y: -0.5))
            view.setContentOffset(Point(x: 0, y: 200), animated: true)
            view.setContentOffset(Point(x: 0, y: 100), animated: true)
            view.beginDragging()
            view.endDragging(velocity: .zero)
            try? view.scrollToItem(at: ItemPath(0, 40), animated: true)
        }
    }

    /// An intrusion runs in the first notifications, or in all of them for a time: everything is
    /// notified in order, each turn ends, and so does everything after the last intrusion.
    @Test(arguments: ScrollNotification.allCases)
    func notificationsStayInOrderAndEnd(_ notification: ScrollNotification) {
        let first = ScrollNotification.allCases.firstIndex(of: notification) ?? 0
        let usual = [(2, true), (60, false)]
        let runs = Effort.isFull ? usual + [(7, false), (1, true), (60, true)] : usual
        for (number, intrusion) in ScrollIntrusion.allCases.enumerated() {
            for (run, (limit, hasClock)) in runs.enumerated() {
                // Runs every other intrusion, and every eighth of the long ones.
                let isTaken = (number + first) % (run == 0 ? 2 : 8) == 0
                guard isTaken || Effort.isFull else { continue }
                let stage = ScrollStage(hasClock: hasClock)
                var left = limit
                stage.onCall = { [unowned stage] place, view in
                    guard place == notification, left > 0 else { return }
                    left -= 1
                    intrusion.run(stage, view)
                }
                scroll(stage)
                stage.submit(isReload: false)
                stage.rest()
                stage.onCall = { _, _ in }
                stage.rest()
                guard let fault = stage.finalFaults().first else { continue }
                Issue.record("\(notification) \(intrusion) \(limit) \(hasClock): \(fault)")
                return
            }
        }
    }
}
