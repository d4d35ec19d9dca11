import CollectionElements
import CollectionLayouts

/// Finds out which elements are near the viewport of a view, and tells their nodes.
///
/// A view that has one, in ``SimulatedCollectionView/rangeController``, brings it up to date at the end of every
/// pass: after an update, a scroll step or a change of what is set here. What differs from the last time is told,
/// to the node if it is a ``RangeManagedNode`` (more of it to a ``ViewportNode``) and to the ``delegate``: first of
/// what is visible, then of what is else to be displayed, then of what is else to be preloaded, then of what left. So
/// what is inserted within a range is in it at once, and what is removed hears that it left. An element whose node is
/// made later, or that gets another node, is told of when that is found, at the end of the next pass.
///
/// With ``PipelineConfiguration/releasesNodes`` the node of what has left all ranges is released once it lies a page or
/// so beyond them, or at once where ranges are no larger than the viewport.
///
/// Nothing is told from within a pass, nor from within another telling: a node that scrolls the view in answer
/// is told what follows when all that came before is told; where that goes on and on, in later turns.
///
/// ```swift
/// let ranges = RangeController()
/// try ranges.setTuningParameters(.init(leading: 4, trailing: 1), for: .preload, in: .full)
/// view.rangeController = ranges
/// ```
///
/// Shape: rectangles are in content coordinates of the view.
///
/// Threading: every member belongs to the main lane of the view that it was given to; before that, to whoever
/// made it.
///
/// Complexity: bringing it up to date costs what lies around the viewport, whatever the collection's size. The
/// layout is asked for pages as large as the viewport, and only where ranges reach beyond those that are known.
///
/// Source: Texture's range controller.
public final class RangeController {
    /// Asked and told; held weakly.
    public weak var delegate: (any RangeControllerDelegate)?

    weak var view: SimulatedCollectionView?
    private var conditions = RangeConditions()
    private var tuning: [Tuned: RangeTuningParameters] = [:]
    private var members = RangeMembers()
    private var news = RangeNews()
    private var isAsking = false
    /// Far away, with a node that could not be released yet: of content that is yet to be measured or shown.
    private var unreleased: [CollectionElement] = []

    private struct Tuned: Hashable {
        let type: RangeType
        let mode: RangeMode
    }

    /// The mode that ranges were brought up to date in last.
    public private(set) var mode = RangeMode.minimum

    /// How far the display range reached when it was brought up to date last.
    public private(set) var displayRect = Rect.zero

    /// How far the preload range reached when it was brought up to date last.
    public private(set) var preloadRect = Rect.zero

    /// Makes a controller for a view to take.
    public init() {}

    // MARK: How far ranges reach

    /// The mode that the application wants; nil, the default, for the one that follows from what happens.
    public var requestedMode: RangeMode? {
        get { conditions.requestedMode }
        set { change { $0.requestedMode = newValue } }
    }

    /// How short memory is; `normal` at first.
    public var memoryPressure: MemoryPressure {
        get { conditions.memoryPressure }
        set { change { $0.memoryPressure = newValue } }
    }

    /// Whether somebody can see the view; true at first. Where it is not seen no node is visible, and little is
    /// got ready.
    public var isContainerVisible: Bool {
        get { conditions.isContainerVisible }
        set { change { $0.isContainerVisible = newValue } }
    }

    /// Whether the application said that it went to the background, and did not come back since.
    public var isInBackground: Bool { conditions.isInBackground }

    /// The application goes to the background: what is not visible is given up.
    public func applicationDidEnterBackground() { change { $0.enteredBackground() } }

    /// The application comes back: ranges are small until somebody scrolls again.
    public func applicationWillEnterForeground() { change { $0.enteredForeground() } }

    private func change(_ body: (inout RangeConditions) -> Void) {
        body(&conditions)
        view?.setNeedsRangeUpdate()
    }

    /// How far a range reaches in a mode.
    public func tuningParameters(
        for type: RangeType,
        in mode: RangeMode = .full
    ) -> RangeTuningParameters {
        tuning[Tuned(type: type, mode: mode)] ?? .standard(for: type, in: mode)
    }

    /// Sets how far a range reaches in a mode. In `lowMemory` the display range stays empty.
    public func setTuningParameters(
        _ parameters: RangeTuningParameters,
        for type: RangeType,
        in mode: RangeMode = .full
    ) {
        tuning[Tuned(type: type, mode: mode)] = parameters
        view?.setNeedsRangeUpdate()
    }

    // MARK: What is in range

    /// What an element was found to be in; nothing where it is not near the viewport.
    ///
    /// Complexity: O(elements around the viewport).
    public func interfaceState(of element: CollectionElement) -> InterfaceState {
        for member in members.all where member.element === element { return member.state }
        return []
    }

    /// The elements that are at least in `state`, in the order of their places.
    ///
    /// Complexity: O(elements around the viewport).
    public func elements(in state: InterfaceState) -> [CollectionElement] {
        members.all.filter { $0.state.isSuperset(of: state) && !$0.state.isEmpty }.map(\.element)
    }

    /// Whether an element is in a range, or so near to one that its node is kept.
    package func isNear(_ element: CollectionElement) -> Bool { members.contains(element) }

    // MARK: For the view

    /// A reader scrolled.
    func scrolled() { conditions.scrolled() }

    /// The nodes in the viewport are to be told of a finger, or of content that came to rest.
    func note(_ event: ScrollingEvent) {
        for (place, node) in members.visibleNodes {
            news.add(.scrolling(event, node, place))
        }
    }

    /// Tells what was noted; within a pass at its end.
    func tellNoted(in view: SimulatedCollectionView) {
        if !view.isLocked { tell() }
    }

    /// Where elements are is no longer as it was.
    package func invalidate() { members.invalidate() }

    /// Brings the ranges up to date, and tells what changed; where a telling is under way, that one does.
    package func update(_ view: SimulatedCollectionView) {
        guard mayUpdate(view) else { return }
        let oldMode = mode
        mode = conditions.mode
        conditions.updated()
        if oldMode != mode { news.add(.mode(mode, from: oldMode)) }
        for change in changes(view) { news.add(.change(change)) }
        members.askForMeasuring()
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
        // Whoever is being asked has the view laid out, of which the answer is yet to come.
        guard !isAsking else { return false }
        isAsking = true
        let isWanted = delegate?.rangeControllerShouldUpdate(self) ?? true
        isAsking = false
        // Whoever was asked may have given the view another.
        return isWanted && view.display.ranges === self
    }

    /// The view has another controller, or none.
    func end() {
        for change in members.load([], nil, { _ in .init(state: [], visibleRect: nil) }) {
            news.add(.change(change))
        }
        tell()
        // Whoever was told may have given it back.
        if view?.display.ranges !== self { view = nil }
    }

    private func tell(isPutOff: Bool = false) {
        guard news.tellingBegan(isPutOff: isPutOff) else { return }
        while true {
            switch news.next(mayPutOff: view != nil) {
            case .tell(let item): tell(item)
            case .later: return view?.later { [weak self] in self?.tell(isPutOff: true) } ?? ()
            case .nothing: return
            }
        }
    }

    private func tell(_ item: RangeNews.Item) {
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

    /// Elements may have nodes again, or still, that are far away: an update brought them new content.
    func noteUpdated(_ elements: some Sequence<CollectionElement>) {
        // Of most of what was put off nobody has ever made one.
        unreleased += elements.filter { $0.nodeIfAllocated != nil }
    }

    /// Releases the node of what is far away, which has heard by now that it is in no range.
    private func release(_ element: CollectionElement) {
        // Whoever was told something may have scrolled back.
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
        if change.told.new != change.told.old {
            view?.note(.interfaceState(change.place, change.told.new, from: change.told.old))
            node.interfaceStateChanges(to: change.told.new, from: change.told.old)
        }
        if newRect != nil { tellRect() }
    }

    // MARK: One update

    private func changes(_ view: SimulatedCollectionView) -> [RangeMembers.Change] {
        let display = tuningParameters(for: .display, in: mode)
        let preload = tuningParameters(for: .preload, in: mode)
        let geometry = RangeGeometry(
            view.viewport,
            direction: view.supply.prefetching.direction
        )
        // In low memory nothing is displayed but what is visible.
        let displays = mode != .lowMemory
        displayRect = displays ? geometry.rect(display) : .zero
        preloadRect = geometry.rect(preload)
        let shown = view.display.shown.all
        // Both ascend by place.
        var next = 0
        let (displayRect, preloadRect) = (displayRect, preloadRect)
        let (isSeen, bounds) = (conditions.isContainerVisible, geometry.bounds)
        func finding(_ member: RangeMembers.Member) -> RangeMembers.Finding {
            while next < shown.count, shown[next].place < member.place { next += 1 }
            let isVisible = next < shown.count && shown[next].place == member.place
            func isWithin(_ rect: Rect, _ parameters: RangeTuningParameters) -> Bool {
                // A range without extent of its own is what is visible.
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
            return RangeMembers.Finding(
                state: state,
                visibleRect: isToBeSeen ? shown[next].attributes.frame.part(in: bounds) : nil
            )
        }
        var reach = geometry.bounds.union(preloadRect)
        if displays { reach = reach.union(displayRect) }
        // Not by the union, which is rounded.
        let isWider =
            !bounds.encloses(preloadRect) || displays && !bounds.encloses(displayRect)
        let wanted = isWider && !reach.isEmpty ? reach : nil
        if let wanted, let known = members.rect, known.encloses(wanted), knowsAllShown(in: view) {
            return members.update(finding)
        }
        let rect = wanted.map(geometry.surroundings)
        return members.load(view.elements(in: rect), rect, finding)
    }

    /// Layouts may answer one question otherwise than another.
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
