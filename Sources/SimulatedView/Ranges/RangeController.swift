import CollectionElements
import CollectionLayouts

/// An object that determines which elements are near the viewport of a view, and notifies their
/// nodes.
///
/// A view with a range controller, in ``SimulatedCollectionView/rangeController``, updates it at
/// the end of every pass: after an update, a scroll step or a change of the controller's
/// properties. The controller then sends notifications of all differences to each node that is a
/// ``RangeManagedNode`` (and more details to a ``ViewportNode``), and to the ``delegate``: first
/// for visible elements, then for the rest of the display range, then for the rest of the preload
/// range, then for elements that left. An element that is inserted within a range is therefore in
/// the range immediately, and an element that is removed is notified that it left. An element whose
/// node is created later or replaced is notified at the end of the next pass.
///
/// With ``PipelineConfiguration/releasesNodes``, the node of an element that has left all ranges is
/// released when the element is about one page beyond them, or immediately if ranges do not extend
/// beyond the viewport.
///
/// No notification is sent from within a pass, or from within another notification. If a node
/// responds by scrolling the view, the resulting notifications follow after all earlier ones. If
/// such responses do not end, the rest is sent in later turns.
///
/// ```swift
/// let ranges = RangeController()
/// try ranges.setTuningParameters(.init(leading: 4, trailing: 1), for: .preload, in: .full)
/// view.rangeController = ranges
/// ```
///
/// Shape: rectangles are in content coordinates of the view.
///
/// Threading: every member belongs to the main lane of the view that has the controller; before
/// that, the controller belongs to the code that made it.
///
/// Complexity: the cost of an update depends on the elements around the viewport, not on the size
/// of the collection. The layout is queried for pages as large as the viewport, and only if ranges
/// extend beyond the known pages.
///
/// Source: Texture's range controller.
public final class RangeController {
    /// The delegate; held weakly.
    public weak var delegate: (any RangeControllerDelegate)?

    weak var view: SimulatedCollectionView?
    private var conditions = RangeConditions()
    private var tuning: [Tuned: RangeTuningParameters] = [:]
    private var members = RangeMembers()
    private var news = RangeNotificationQueue()
    private var isAsking = false
    /// Elements far from the viewport whose nodes could not be released yet, since their content is
    /// still to be measured or shown.
    private var unreleased: [CollectionElement] = []

    private struct Tuned: Hashable {
        let type: RangeType
        let mode: RangeMode
    }

    /// The range mode as of the last update.
    public private(set) var mode = RangeMode.minimum

    /// The extent of the display range as of the last update.
    public private(set) var displayRect = Rect.zero

    /// The extent of the preload range as of the last update.
    public private(set) var preloadRect = Rect.zero

    /// Creates a range controller, to be set as the view's
    /// ``SimulatedCollectionView/rangeController``.
    public init() {}

    // MARK: Range configuration

    /// The mode that the application requests; `nil`, the default, to derive the mode from events.
    public var requestedMode: RangeMode? {
        get { conditions.requestedMode }
        set { change { $0.requestedMode = newValue } }
    }

    /// The memory pressure; `normal` by default.
    public var memoryPressure: MemoryPressure {
        get { conditions.memoryPressure }
        set { change { $0.memoryPressure = newValue } }
    }

    /// Whether a reader can see the view; `true` by default. In a view that cannot be seen, no node
    /// is visible, and ranges are small.
    public var isContainerVisible: Bool {
        get { conditions.isContainerVisible }
        set { change { $0.isContainerVisible = newValue } }
    }

    /// Records that the application entered the background; ranges shrink to the visible elements.
    public func applicationDidEnterBackground() { change { $0.enteredBackground() } }

    /// Records that the application is about to return to the foreground; ranges stay small until a
    /// reader scrolls again.
    public func applicationWillEnterForeground() { change { $0.enteredForeground() } }

    private func change(_ member: String = #function, _ body: (inout RangeConditions) -> Void) {
        body(&conditions)
        view?.setNeedsRangeUpdate(member)
    }

    /// Returns the tuning parameters of a range in a mode.
    public func tuningParameters(
        for type: RangeType,
        in mode: RangeMode = .full
    ) -> RangeTuningParameters {
        tuning[Tuned(type: type, mode: mode)] ?? .standard(for: type, in: mode)
    }

    /// Sets the tuning parameters of a range in a mode. In `lowMemory` the display range stays
    /// empty.
    public func setTuningParameters(
        _ parameters: RangeTuningParameters,
        for type: RangeType,
        in mode: RangeMode = .full
    ) {
        tuning[Tuned(type: type, mode: mode)] = parameters
        view?.setNeedsRangeUpdate()
    }

    // MARK: Elements in range

    /// Returns the interface state of an element as of the last update; empty if the element is not
    /// near the viewport.
    ///
    /// Complexity: O(elements around the viewport).
    public func interfaceState(of element: CollectionElement) -> InterfaceState {
        for member in members.all where member.element === element { return member.state }
        return []
    }

    /// Returns the elements that are at least in `state`, in the order of their places.
    ///
    /// Complexity: O(elements around the viewport).
    public func elements(in state: InterfaceState) -> [CollectionElement] {
        members.all.filter { $0.state.isSuperset(of: state) && !$0.state.isEmpty }.map(\.element)
    }

    /// Returns whether an element is in a range, or so near to one that its node is kept.
    package func isNear(_ element: CollectionElement) -> Bool { members.contains(element) }

    // MARK: Calls from the view

    /// Records that a reader scrolled.
    func scrolled() { conditions.scrolled() }

    /// Records a scrolling event for the nodes in the viewport.
    func note(_ event: ScrollingEvent) {
        for (place, node) in members.visibleNodes {
            news.add(.scrolling(event, node, place))
        }
    }

    /// Sends the recorded notifications; within a pass, they wait until its end.
    func sendRecordedEvents(in view: SimulatedCollectionView) {
        if !view.isLocked { tell() }
    }

    /// Records that the known positions of elements are invalid.
    package func invalidate() { members.invalidate() }

    /// Updates the ranges and sends notifications of all changes. If notifications are being sent
    /// already, that loop sends the new ones too.
    package func update(_ view: SimulatedCollectionView) {
        guard mayUpdate(view) else { return }
        let oldMode = mode
        mode = conditions.mode
        conditions.updated()
        if oldMode != mode { news.add(.mode(mode, from: oldMode)) }
        for change in changes(view) { news.add(.change(change)) }
        members.requestMeasurements()
        let left = unreleased + members.takeLeft()
        unreleased = []
        if !left.isEmpty {
            var seen = Set(members.all.map { ObjectIdentifier($0.element) })
            for element in left where seen.insert(ObjectIdentifier(element)).inserted {
                news.add(.left(element))
            }
        }
        tell()
    }

    private func mayUpdate(_ view: SimulatedCollectionView) -> Bool {
        // The delegate lays the view out before it returns from `rangeControllerShouldUpdate`.
        guard !isAsking else { return false }
        isAsking = true
        let isWanted = delegate?.rangeControllerShouldUpdate(self) ?? true
        isAsking = false
        // The delegate may have set another range controller.
        return isWanted && view.display.ranges === self
    }

    /// Ends the controller's work for the view, which has another controller or none.
    func end() {
        for change in members.load([], nil, { _ in .init(state: [], visibleRect: nil) }) {
            news.add(.change(change))
        }
        tell()
        // A node that was notified may have set the controller on the view again.
        if view?.display.ranges !== self { view = nil }
    }

    private func tell(isDeferred: Bool = false) {
        guard news.notificationBegan(isDeferred: isDeferred) else { return }
        while true {
            switch news.next(mayDefer: view != nil) {
            case .tell(let item): tell(item)
            case .later: return view?.later { [weak self] in self?.tell(isDeferred: true) } ?? ()
            case .nothing: return
            }
        }
    }

    private func tell(_ item: RangeNotificationQueue.Item) {
        switch item {
        case .mode(let mode, from: let oldMode):
            view?.note(.rangeMode(mode))
            delegate?.rangeController(self, didChangeModeFrom: oldMode)
        case .change(let change): tell(change)
        case .left(let element): release(element)
        case .scrolling(let event, let node, let place):
            view?.note(.scrolling(.node(place, event)))
            node.scrollingDidChange(event)
        }
    }

    /// Records elements that may have nodes far from the viewport, since an update gave them new
    /// content.
    func noteUpdated(_ elements: some Sequence<CollectionElement>) {
        // Most elements with deferred measuring never had a node.
        unreleased += elements.filter { $0.nodeIfAllocated != nil }
    }

    /// Releases the node of an element far from the viewport, after it was notified that it left
    /// all ranges.
    private func release(_ element: CollectionElement) {
        // A node that was notified may have scrolled back.
        guard !isNear(element), !element.isRemoved,
            let map = view?.map, let shown = map.place(of: element).flatMap(map.content(at:))
        else { return }
        if !element.releaseNode(showing: shown) { unreleased.append(element) }
    }

    private func tell(_ change: RangeMembers.Change) {
        if let node = change.node as? any RangeManagedNode { tell(node, change) }
        guard change.states.new != change.states.old else { return }
        delegate?.rangeController(
            self,
            didChangeStateOf: change.element,
            to: change.states.new,
            from: change.states.old
        )
    }

    private func tell(_ node: any RangeManagedNode, _ change: RangeMembers.Change) {
        let (oldRect, newRect) = change.visibleRects
        func tellRect() {
            guard oldRect != newRect, let node = node as? any ViewportNode else { return }
            view?.note(.visibleRect(change.place, newRect))
            node.visibleRectDidChange(to: newRect, from: oldRect)
        }
        if newRect == nil { tellRect() }
        if change.nodeStates.new != change.nodeStates.old {
            view?.note(
                .interfaceState(change.place, change.nodeStates.new, from: change.nodeStates.old)
            )
            node.interfaceStateChanges(to: change.nodeStates.new, from: change.nodeStates.old)
        }
        if newRect != nil { tellRect() }
    }

    // MARK: Updates

    private func changes(_ view: SimulatedCollectionView) -> [RangeMembers.Change] {
        let display = tuningParameters(for: .display, in: mode)
        let preload = tuningParameters(for: .preload, in: mode)
        let geometry = RangeGeometry(
            view.viewport,
            direction: view.reuse.prefetching.direction
        )
        // In low memory, only visible elements are in the display state.
        let displays = mode != .lowMemory
        displayRect = displays ? geometry.rect(display) : .zero
        preloadRect = geometry.rect(preload)
        let shown = view.display.shown.all
        // Both lists ascend by place.
        var next = 0
        let (displayRect, preloadRect) = (displayRect, preloadRect)
        let (isSeen, bounds) = (conditions.isContainerVisible, geometry.bounds)
        func visibility(_ member: RangeMembers.Member) -> RangeMembers.Visibility {
            while next < shown.count, shown[next].place < member.place { next += 1 }
            let isVisible = next < shown.count && shown[next].place == member.place
            func isWithin(_ rect: Rect, _ parameters: RangeTuningParameters) -> Bool {
                // A range of `zero` consists of the visible elements.
                if parameters == .zero { return isVisible }
                return member.frame.map { $0.intersects(rect) } ?? false
            }
            let placement = RangePlacement(
                isVisible: isVisible,
                isInDisplayRange: displays && isWithin(displayRect, display),
                isInPreloadRange: isWithin(preloadRect, preload)
            )
            let state = InterfaceState(placement, in: mode, isContainerVisible: isSeen)
            let isToBeSeen = state.contains(.visible)
            return RangeMembers.Visibility(
                state: state,
                visibleRect: isToBeSeen ? shown[next].attributes.frame.part(in: bounds) : nil
            )
        }
        var reach = geometry.bounds.union(preloadRect)
        if displays { reach = reach.union(displayRect) }
        // Compared separately, since the union is rounded.
        let isWider =
            !bounds.encloses(preloadRect) || displays && !bounds.encloses(displayRect)
        let wanted = isWider && !reach.isEmpty ? reach : nil
        if let wanted, let known = members.rect, known.encloses(wanted), knowsAllShown(in: view) {
            return members.update(visibility)
        }
        let rect = wanted.map(geometry.surroundings)
        return members.load(view.elements(in: rect), rect, visibility)
    }

    /// Returns whether all visible elements are known; a layout may return an element from one
    /// query but not from another.
    private func knowsAllShown(in view: SimulatedCollectionView) -> Bool {
        var next = 0
        let known = members.all
        return view.display.shown.all.allSatisfy { shown in
            while next < known.count, known[next].place < shown.place { next += 1 }
            return next < known.count && known[next].place == shown.place
                || shown.view.element == nil
        }
    }
}

/// A delegate of a range controller, which is notified of changes and decides whether the
/// controller may update. Every member has a default implementation.
///
/// Threading: the view's main lane, between its passes. A delegate may change the view or submit
/// from there.
///
/// Source: Texture's range controller delegate.
public protocol RangeControllerDelegate: AnyObject {
    /// Returns whether the ranges may be updated now. If not, all states stay the same until the
    /// view is laid out again. `true` by default.
    func rangeControllerShouldUpdate(_ rangeController: RangeController) -> Bool

    /// Notifies the delegate that an element entered or left ranges; called after the element's
    /// node was notified, even for elements without a node. Does nothing by default.
    func rangeController(
        _ rangeController: RangeController,
        didChangeStateOf element: CollectionElement,
        to newState: InterfaceState,
        from oldState: InterfaceState
    )

    /// Notifies the delegate that the range mode changed. Does nothing by default.
    func rangeController(
        _ rangeController: RangeController,
        didChangeModeFrom oldMode: RangeMode
    )
}

extension RangeControllerDelegate {
    /// Returns `true`.
    public func rangeControllerShouldUpdate(_ rangeController: RangeController) -> Bool { true }

    /// Does nothing.
    public func rangeController(
        _ rangeController: RangeController,
        didChangeStateOf element: CollectionElement,
        to newState: InterfaceState,
        from oldState: InterfaceState
    ) {}

    /// Does nothing.
    public func rangeController(
        _ rangeController: RangeController,
        didChangeModeFrom oldMode: RangeMode
    ) {}
}
