import CollectionElements
import CollectionPipeline

/// A collection view without a screen: a vertical list that consumes updates as UIKit's view does, in
/// its own turns of the main lane, and logs every call.
///
/// The list has the full width of the view; in each section its headers come first, then its items,
/// then its footers, each as high as it was measured. The view can be made busy, as if it scrolled or
/// animated; updates then wait in its queue. It checks the order and the counts of every update again
/// on its own, and refuses what does not fit, whoever made it.
///
/// What is at the top of the viewport stays there when content above it changes, by identity; a list
/// that shows its beginning goes on showing its beginning.
///
/// ```swift
/// let view = SimulatedCollectionView(size: Size(width: 80, height: 24))
/// let controller = DataController(dataSource: Feed(), view: view)
/// ```
///
/// Threading: every member belongs to the main lane of the controller that it was given to, and stops
/// the process elsewhere.
///
/// Complexity: checking an update costs O(k + s) for k item edits and s sections, and O(s) for each section
/// edit; a layout pass the rows that are visible.
public final class SimulatedCollectionView: CollectionView, @unchecked Sendable {
    // All changing state belongs to the main lane; `lane` is set once, before any other use.
    private var attachedLane: (any Lane)?
    private var storedSize: Size
    private var shownMap = ElementMap.empty(generation: 0)
    private var queue = FIFO<ViewUpdate>()
    private var busyDepth = 0
    private var isTurnScheduled = false
    private var rows: [VisibleRow] = []
    private var top: Top?
    private var events: [ViewEvent] = []
    private let logCapacity: Int

    /// The row at the upper edge, and how much of it is scrolled out; nil where the list shows its
    /// beginning, and is to go on doing so.
    private struct Top {
        var position: ElementPlace
        var hidden: Double
    }

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - size: the extent of the viewport, in the unit in which nodes measure themselves.
    ///   - logCapacity: how many events the log keeps, the newest.
    public init(size: Size, logCapacity: Int = 1024) {
        storedSize = size.isValid ? size : .zero
        self.logCapacity = max(0, logCapacity)
    }

    private var lane: any Lane {
        guard let attachedLane else {
            fatalError("A SimulatedCollectionView must be given to a controller before it is used")
        }
        return attachedLane
    }

    private func requireLane(_ member: String) {
        lane.requireCurrent("SimulatedCollectionView.\(member)")
    }

    // MARK: CollectionView

    /// Makes `lane` the view's own; the controller calls it.
    public func attach(to lane: any Lane) {
        require(attachedLane == nil, "A SimulatedCollectionView belongs to one controller")
        attachedLane = lane
    }

    /// The full width, and any height.
    public var elementSizeRange: SizeRange {
        requireLane("elementSizeRange")
        return .width(storedSize.width)
    }

    /// The first item in the viewport.
    public var firstVisiblePath: ItemPath? {
        requireLane("firstVisiblePath")
        return rows.first { $0.position.kind == nil }?.position.path
    }

    /// Takes in an update; a later turn applies it. The controller calls it.
    public func perform(_ update: ViewUpdate) {
        requireLane("perform(_:)")
        log(.received(update.submission))
        queue.append(update)
        scheduleTurn()
    }

    // MARK: State

    /// The extent of the viewport.
    public var size: Size {
        requireLane("size")
        return storedSize
    }

    /// The map that the view shows.
    public var map: ElementMap {
        requireLane("map")
        return shownMap
    }

    /// The rows in the viewport, from top to bottom.
    public var visibleRows: [VisibleRow] {
        requireLane("visibleRows")
        return rows
    }

    /// How many updates wait in the view's queue.
    public var numberOfWaitingUpdates: Int {
        requireLane("numberOfWaitingUpdates")
        return queue.count
    }

    /// What happened so far, oldest first, as far as the log reaches back.
    public var eventLog: [ViewEvent] {
        requireLane("eventLog")
        return events
    }

    /// Empties the log.
    public func clearEventLog() {
        requireLane("clearEventLog()")
        events = []
    }

    // MARK: Being busy

    /// Whether updates wait because the view scrolls or animates.
    public var isBusy: Bool {
        requireLane("isBusy")
        return busyDepth > 0
    }

    /// Begins to be busy; every call needs one of ``endBusy()``.
    public func beginBusy() {
        requireLane("beginBusy()")
        busyDepth += 1
        if busyDepth == 1 { log(.becameBusy) }
    }

    /// Ends being busy; what waited is taken up in the next turn.
    public func endBusy() {
        requireLane("endBusy()")
        require(busyDepth > 0, "endBusy() must follow beginBusy()")
        busyDepth -= 1
        guard busyDepth == 0 else { return }
        log(.becameIdle)
        scheduleTurn()
    }

    // MARK: Scrolling

    /// Scrolls by as many units; positive is towards the end. Stops at either end of the list.
    ///
    /// Complexity: O(rows passed).
    public func scroll(by distance: Double) {
        requireLane("scroll(by:)")
        guard distance.isFinite, var cursor = topCursor() else { return }
        var hidden = (top?.hidden ?? 0) + distance
        while hidden < 0, cursor.stepBack() { hidden += height(cursor) }
        while hidden >= height(cursor) {
            let passed = height(cursor)
            guard cursor.stepForward() else { break }
            hidden -= passed
        }
        top = Top(position: cursor.position, hidden: max(0, min(hidden, height(cursor))))
        layOut()
    }

    /// Scrolls to the beginning of the list.
    public func scrollToTop() {
        requireLane("scrollToTop()")
        top = nil
        layOut()
    }

    /// Scrolls so that the item at `viewPath` is at the top, or as near as the end of the list
    /// allows; false, and nothing happens, where there is no such item.
    ///
    /// Complexity: O(rows of a viewport).
    @discardableResult
    public func scrollToItem(at viewPath: ItemPath) -> Bool {
        requireLane("scrollToItem(at:)")
        guard shownMap.shape.contains(viewPath) else { return false }
        top = Top(position: ElementPlace(path: viewPath, kind: nil), hidden: 0)
        layOut()
        return true
    }

    private func height(_ cursor: ListCursor) -> Double {
        cursor.element?.1.layoutSize.height ?? 0
    }

    // MARK: Turns

    private func scheduleTurn() {
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        lane.enqueue { [weak self] in self?.turn() }
    }

    /// One turn takes up one update, as one pass of a run loop would.
    private func turn() {
        isTurnScheduled = false
        guard !queue.isEmpty else { return }
        guard busyDepth == 0 else { return log(.postponed(waiting: queue.count)) }
        if let update = queue.popFirst() { apply(update) }
        if !queue.isEmpty { scheduleTurn() }
    }

    private func apply(_ update: ViewUpdate) {
        var refusal: ViewRefusal?
        let isDeployed = update.deploy { update in
            do throws(ViewRefusal) {
                try show(update)
            } catch {
                refusal = error
                throw error
            }
        }
        if let refusal { return log(.refused(update.submission, refusal)) }
        if !isDeployed { return log(.dropped(update.submission)) }
        guard update.isAnimated else { return finish(update) }
        // An animation lasts a turn.
        lane.enqueue { [self] in finish(update) }
    }

    private func finish(_ update: ViewUpdate) {
        log(.finished(update.submission))
        update.finish()
    }

    private func show(_ update: ViewUpdate) throws(ViewRefusal) {
        let changes = update.changeSet
        if changes.isReloadData {
            log(.reloaded(update.submission))
            top = nil
        } else {
            try UpdateCheck.check(update, shown: shownMap)
            log(
                .applied(
                    update.submission,
                    takeOuts: changes.itemTakeOuts.count + changes.sectionTakeOuts.count,
                    putIns: changes.itemPutIns.count + changes.sectionPutIns.count,
                    reconfigured: changes.reconfigurations.count
                )
            )
            keepTop(through: changes)
        }
        shownMap = update.newMap
        layOut()
    }

    /// Finds the first visible row that is still there and makes it the top, where it was.
    private func keepTop(through changes: ValidatedChangeSet) {
        guard let start = top else { return }
        for row in rows {
            let path: ItemPath?
            if row.position.kind == nil {
                path = changes.newPath(for: row.position.path)
            } else {
                path = changes.newSection(for: row.position.path.section)
                    .map { ItemPath(section: $0, item: row.position.path.item) }
            }
            guard let path else { continue }
            top = Top(
                position: ElementPlace(path: path, kind: row.position.kind),
                hidden: -row.y
            )
            return
        }
        // Nothing visible survived: stay near the old place.
        top = Top(position: start.position, hidden: 0)
    }

    // MARK: Layout

    private func layOut() {
        let old = rows
        let computed = computeRows()
        rows = computed.rows
        if top != nil, computed.end < storedSize.height {
            // It was scrolled beyond its end, or has become shorter.
            top = topShowingEnd()
            rows = computeRows().rows
        }
        let stays = Set(rows.map(\.element))
        let was = Set(old.map(\.element))
        for row in old where !stays.contains(row.element) {
            log(.didEndDisplaying(row.position))
        }
        for row in rows where !was.contains(row.element) { log(.willDisplay(row.position)) }
    }

    /// The place to be at the top if the list is to end at the lower edge.
    private func topShowingEnd() -> Top? {
        guard var cursor = ListCursor.last(of: shownMap) else { return nil }
        var hidden = height(cursor) - storedSize.height
        while hidden < 0, cursor.stepBack() { hidden += height(cursor) }
        return Top(position: cursor.position, hidden: max(0, hidden))
    }

    /// The rows in the viewport, and where the last of them ends.
    private func computeRows() -> (rows: [VisibleRow], end: Double) {
        guard var cursor = topCursor() else {
            top = nil
            return ([], 0)
        }
        var hidden = top?.hidden ?? 0
        while hidden < 0, cursor.stepBack() { hidden += height(cursor) }
        hidden = max(0, hidden)
        var probe = cursor
        let isBeginning = hidden == 0 && !probe.stepBack()
        top = isBeginning ? nil : Top(position: cursor.position, hidden: hidden)
        var y = -hidden
        var result: [VisibleRow] = []
        repeat {
            guard let (element, content) = cursor.element else { break }
            let height = content.layoutSize.height
            if y + height > 0 || height == 0 {
                result.append(
                    VisibleRow(
                        position: cursor.position,
                        element: element,
                        content: content,
                        y: y,
                        height: height
                    )
                )
            }
            y += height
        } while y < storedSize.height && result.count < 10_000 && cursor.stepForward()
        return (result, y)
    }

    /// The row at the upper edge: where the list has become shorter than that, its last row.
    private func topCursor() -> ListCursor? {
        guard let top else { return ListCursor(shownMap) }
        return ListCursor(shownMap, at: top.position) ?? ListCursor.last(of: shownMap)
    }

    private func log(_ event: ViewEvent) {
        guard logCapacity > 0 else { return }
        events.append(event)
        // Trimmed by halves, so that a full log costs nothing an event.
        if events.count >= 2 * logCapacity { events.removeFirst(events.count - logCapacity) }
    }
}
