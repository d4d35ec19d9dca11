import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// Rows in several sections whose nodes are notified of ranges, compared with the expected
/// notifications, which are computed from the layout's frames, the viewport and the documented
/// tables.
final class RangeWalk: RangeControllerDelegate {
    enum Course: String, CaseIterable, Sendable { case list, sheet, rightwards, leftwards }

    /// The conditions that determine the mode of the ranges.
    private struct Conditions {
        var requestedMode: RangeMode?
        var pressure = MemoryPressure.normal
        var isSeen = true
        var isInBackground = false
        var hasScrolled = false

        var mode: RangeMode {
            switch (requestedMode, pressure, isInBackground) {
            case (let mode?, _, _): mode
            case (nil, .critical, _): .lowMemory
            case (nil, .warning, _), (nil, .normal, true): isSeen ? .visibleOnly : .lowMemory
            case (nil, .normal, false): isSeen && hasScrolled ? .full : .minimum
            }
        }
    }

    /// An action. It can run later than it is drawn, so it depends only on its own values.
    private enum Action {
        case scroll(Point), jump(x: Double, y: Double), update(seed: UInt64, rate: Double)
        case reload, invalidate, resize(Size), layout, inset(Double)
        case seen, pressure(MemoryPressure), request(RangeMode?), background
        case tune(RangeType, RangeMode, RangeTuningParameters)
        case otherRanges, noRanges, toggleUpdates

        var isCondition: Bool {
            switch self {
            case .seen, .pressure, .request, .background, .tune: true
            default: false
            }
        }
    }

    private let course: Course
    private let releasesNodes: Bool
    /// Whether only near rows are measured, so that other rows never have a node.
    private let isOnDemand: Bool
    private let measuresEverything: Bool
    private let list: PipelineBench<RowSections>
    private let notifications = Journal<String>()
    private let nodes = Journal<RangedNode>()
    // Unchecked: used on the main lane, which is the test's thread, and between its steps.
    nonisolated(unsafe) private var random: SeededGenerator
    nonisolated(unsafe) private var ranges: RangeController?
    nonisolated(unsafe) private var conditions = Conditions()
    nonisolated(unsafe) private var tuning: [String: RangeTuningParameters] = [:]
    nonisolated(unsafe) private var direction: (x: Double?, y: Double?)
    nonisolated(unsafe) private var mayUpdate = true
    /// Whether no controller, or another one, managed the ranges for a time: it keeps the nodes of
    /// that time.
    nonisolated(unsafe) private var hasGaps = false
    /// The last state that the delegate received for each element.
    nonisolated(unsafe) private var lastStates: [CollectionElement: InterfaceState] = [:]
    nonisolated(unsafe) private var faults: [String] = []
    nonisolated(unsafe) private(set) var story: [String] = []
    /// The number of elements that were in a range but not visible, in total.
    nonisolated(unsafe) private(set) var numberNear = 0

    init(_ course: Course, seed: UInt64) {
        self.course = course
        random = SeededGenerator(seed: seed)
        releasesNodes = seed.isMultiple(of: 2)
        (measuresEverything, isOnDemand) = (seed % 3 == 0, seed % 3 == 1)
        let simulation = Simulation(seed: seed, strategy: seed % 4 < 2 ? .inOrder : .random)
        let view = SimulatedCollectionView(
            size: Size(width: 100, height: 30),
            layout: Self.makeLayout(course),
            logCapacity: 10_000
        )
        view.isRightToLeft = course == .leftwards
        var configuration = PipelineConfiguration.unwatched
        configuration.releasesNodes = releasesNodes
        configuration.measuringPolicy =
            seed % 3 == 0
            ? .everything
            : seed % 3 == 1 ? .onDemand(initialCount: 2) : .progressive(initialCount: 3)
        let rows = RowSections([17, 0, 43, 22, 60]) { [notifications, nodes] text in
            let node = RangedNode(text, notifications)
            nodes.append(node)
            return node
        }
        let controller = DataController(
            dataSource: rows,
            view: view,
            in: simulation,
            configuration: configuration
        )
        list = PipelineBench(simulation, view, controller)
        list.onMain { [unowned self] _ in setRanges(RangeController()) }
        enqueue(.reload)
        simulation.run()
    }

    private var view: SimulatedCollectionView { list.view }

    private static func makeLayout(_ course: Course) -> CollectionLayout {
        switch course {
        case .list: return ListLayout()
        case .sheet:
            let layout = SheetLayout()
            layout.hides = { $0.item % 9 == 4 }
            return layout
        case .rightwards, .leftwards:
            let layout = FlowLayout()
            layout.scrollDirection = .horizontal
            layout.itemSize = Size(width: 25, height: 15)
            (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (3, 0)
            return layout
        }
    }

    private func setRanges(_ new: RangeController?) {
        ranges = new
        new?.delegate = self
        (conditions, tuning, mayUpdate) = (Conditions(), [:], true)
        view.rangeController = new
    }

    // MARK: Steps

    /// Performs one step of one to three actions and waits for everything that follows.
    ///
    /// - Returns: A fault found afterwards.
    func step() -> String? {
        var actions = (0...(random.isTrue(oneIn: 3) ? 2 : 0)).map { _ in drawAction() }
        // Limits the time without a controller, or with one that may not update.
        if ranges == nil || !mayUpdate, random.isTrue(oneIn: 2) {
            actions = [ranges == nil ? .otherRanges : .toggleUpdates]
        }
        story.append("\(actions)")
        notifications.removeAll()
        let (wasDisallowed, isQuiet) = (!mayUpdate, actions.allSatisfy(\.isCondition))
        list.onMain { $0.clearEventLog() }
        for action in actions { enqueue(action) }
        list.simulation.run()
        // Changed conditions update the ranges without another pass.
        if !isQuiet { list.onMain { $0.setNeedsLayout() } }
        faults += notifications.values.filter { $0.contains("FAULT") }
        if wasDisallowed, !mayUpdate, !notifications.values.isEmpty {
            faults.append("notified although updates are disallowed")
        }
        if case .scroll = actions[0], actions.count == 1, measuresEverything, !releasesNodes {
            checkOrder()
        }
        list.onMain { [unowned self] view in
            if mayUpdate { check(view) }
            faults += view.ownErrors
        }
        if list.simulation.fault != nil { faults.append("the simulation never ends") }
        return faults.first
    }

    private func drawAction() -> Action {
        let number = Double(random.next(below: 1000)) / 1000
        switch random.next(below: 22) {
        case 0...5:
            let reach: Double = random.isTrue(oneIn: 2) ? 24 : 300
            let across = Double(random.next(below: 60) - 30)
            return .scroll(
                Point(
                    x: isVertical ? across : reach * (number - 0.5),
                    y: isVertical ? reach * (number - 0.5) : across
                )
            )
        case 6, 7: return .jump(x: number, y: number)
        case 8...12: return .update(seed: random.next(), rate: random.isTrue(oneIn: 3) ? 0.3 : 0.04)
        case 13: return random.isTrue(oneIn: 4) ? .reload : .invalidate
        case 14:
            let height = random.isTrue(oneIn: 6) ? 0.0 : Double(20 + random.next(below: 5) * 8)
            return .resize(Size(width: 60 + 40 * number.rounded(), height: height))
        case 15: return random.isTrue(oneIn: 3) ? .layout : .inset((number * 9).rounded())
        case 16: return .seen
        case 17: return .background
        case 18:
            return .pressure(
                random.isTrue(oneIn: 2) ? .normal : MemoryPressure.allCases[random.next(below: 3)]
            )
        case 19:
            let mode = RangeMode.allCases[random.next(below: 4)]
            return .request(random.isTrue(oneIn: 4) ? mode : nil)
        case 20:
            let (leading, trailing) = (number * 3, Double(random.next(below: 3)) / 2)
            guard let tuned = try? RangeTuningParameters(leading: leading, trailing: trailing)
            else { return .invalidate }
            return .tune(
                RangeType.allCases[random.next(below: 2)],
                RangeMode.allCases[random.next(below: 4)],
                random.isTrue(oneIn: 4) ? .zero : tuned
            )
        default:
            if random.isTrue(oneIn: 2) { return .toggleUpdates }
            return random.isTrue(oneIn: 3) ? .noRanges : .otherRanges
        }
    }

    private var isVertical: Bool { course == .list || course == .sheet }

    private func enqueue(_ action: Action) {
        if case .update(let seed, let rate) = action {
            return list.submit { rows, changes in
                var random = SeededGenerator(seed: seed)
                let old = HierarchyShape(rows.sections.map(\.count))
                let drawn = RandomUpdate(from: old, &random, rate: rate)
                rows.take(drawn.changes, to: drawn.newShape, &changes) { text in
                    switch random.next(below: 3) {
                    case 0: text + "!"
                    case 1: text.split(separator: "=")[0] + "=\(6 + random.next(below: 9))"
                    default: text + "'"
                    }
                }
            }
        }
        if case .reload = action { return list.submit { _, changes in changes.reloadData() } }
        nonisolated(unsafe) let walk = self
        list.controller.lane.enqueue { walk.perform(action) }
    }

    private func perform(_ action: Action) {
        switch action {
        case .update, .reload: break
        case .scroll(let distance):
            if ranges != nil { conditions.hasScrolled = true }
            scroll { view.scroll(by: distance) }
        case .jump(let x, let y):
            let size = view.contentSize
            scroll { view.contentOffset = Point(x: x * size.width, y: y * size.height) }
        case .invalidate: view.collectionViewLayout.invalidateLayout()
        case .resize(let size): view.resize(to: size)
        case .layout: view.setCollectionViewLayout(Self.makeLayout(course))
        case .inset(let inset): view.contentInset = EdgeInsets(top: inset, left: inset)
        case .otherRanges:
            hasGaps = true
            setRanges(RangeController())
        case .noRanges:
            hasGaps = true
            setRanges(nil)
        case .toggleUpdates:
            hasGaps = true
            mayUpdate.toggle()
            view.setNeedsLayout()
        default: change(action)
        }
    }

    /// Records the direction of scrolling.
    private func scroll(_ body: () -> Void) {
        view.layoutIfNeeded()
        let before = view.contentOffset
        body()
        let after = view.contentOffset
        if after.x != before.x { direction.x = after.x > before.x ? 1 : -1 }
        if after.y != before.y { direction.y = after.y > before.y ? 1 : -1 }
    }

    private func change(_ action: Action) {
        guard let ranges else { return }
        switch action {
        case .seen:
            conditions.isSeen.toggle()
            ranges.isContainerVisible.toggle()
        case .pressure(let pressure):
            conditions.pressure = pressure
            ranges.memoryPressure = pressure
        case .request(let mode):
            conditions.requestedMode = mode
            ranges.requestedMode = mode
        case .background:
            conditions.isInBackground.toggle()
            if conditions.isInBackground { return ranges.applicationDidEnterBackground() }
            conditions.hasScrolled = false
            ranges.applicationWillEnterForeground()
        case .tune(let type, let mode, let parameters):
            tuning["\(type) \(mode)"] = parameters
            ranges.setTuningParameters(parameters, for: type, in: mode)
        default: break
        }
    }

    // MARK: Expected states

    private func parameters(_ type: RangeType) -> RangeTuningParameters {
        tuning["\(type) \(conditions.mode)"] ?? .standard(for: type, in: conditions.mode)
    }

    /// Returns the extent of a range.
    private func reach(_ type: RangeType) -> Rect {
        let (bounds, content, inset) = (view.bounds, view.contentSize, view.contentInset)
        let parameters = parameters(type)
        func span(_ start: Double, _ extent: Double, _ content: Double, _ isForward: Bool)
            -> (start: Double, extent: Double)
        {
            guard content > extent else { return (start, extent) }
            let before = (isForward ? parameters.trailing : parameters.leading) * extent
            let after = (isForward ? parameters.leading : parameters.trailing) * extent
            return (start - before, extent + before + after)
        }
        let x = span(
            bounds.minX,
            bounds.size.width,
            content.width + inset.left + inset.right,
            direction.x.map { $0 > 0 } ?? !view.isRightToLeft
        )
        let y = span(
            bounds.minY,
            bounds.size.height,
            content.height + inset.top + inset.bottom,
            direction.y.map { $0 > 0 } ?? true
        )
        return Rect(x: x.start, y: y.start, width: x.extent, height: y.extent)
    }

    private func state(isVisible: Bool, _ frame: Rect?) -> InterfaceState {
        let mode = conditions.mode
        func isIn(_ type: RangeType) -> Bool {
            if parameters(type) == .zero { return isVisible }
            return frame.map { $0.intersects(reach(type)) } ?? false
        }
        let isDisplayed = mode != .lowMemory && isIn(.display)
        if conditions.isSeen {
            if isVisible { return [.preload, .display, .visible] }
            let display: InterfaceState = isDisplayed ? .display : []
            return isIn(.preload) ? display.union(.preload) : display
        }
        if isVisible { return mode == .lowMemory ? .preload : [.preload, .display] }
        return isDisplayed ? .preload : []
    }

    private func check(_ view: SimulatedCollectionView) {
        let visible = Set(view.visibleViews.compactMap(\.element))
        var (expected, current): ([CollectionElement: InterfaceState], Set<ObjectIdentifier>) = (
            [:], []
        )
        var displayed: [CollectionElement] = []
        for item in view.map.items {
            let element = item.element
            let attributes = view.collectionViewLayout.layoutAttributesForItem(at: item.path)
            // A hidden item is in no range.
            let frame = attributes.flatMap { $0.isHidden ? nil : $0.frame }
            let isVisible = visible.contains(element)
            let isEmpty = view.bounds.isEmpty || ranges == nil
            let state = isEmpty ? [] : state(isVisible: isVisible, frame)
            expected[element] = state
            if state.contains(.display) { displayed.append(element) }
            if !state.isEmpty, !isVisible { numberNear += 1 }
            let node = element.nodeIfAllocated as? RangedNode
            if let node { current.insert(ObjectIdentifier(node)) }
            check(node, state, frame, "\(item.path)")
            if !state.isEmpty, element.content.size == nil {
                faults.append("\(item.path) is not measured")
            }
            if ranges != nil { checkRelease(element, frame, isVisible, "\(item.path)") }
            if let found = ranges?.interfaceState(of: element), found != state {
                faults.append("\(item.path) expected \(state), found \(found)")
            }
        }
        for (element, state) in lastStates where ranges != nil && state != expected[element] ?? [] {
            faults.append("the delegate expected \(expected[element] ?? []), found \(state)")
        }
        for node in nodes.values where !current.contains(ObjectIdentifier(node)) {
            check(node, [], nil, "a former node, \(node.text),")
        }
        guard let ranges, !view.bounds.isEmpty else { return }
        if ranges.elements(in: .display) != displayed { faults.append("other elements displayed") }
        if ranges.mode != conditions.mode { faults.append("mode \(ranges.mode)") }
        let display = conditions.mode == .lowMemory ? Rect.zero : reach(.display)
        if ranges.displayRect != display || ranges.preloadRect != reach(.preload) {
            faults.append("unexpected ranges \(ranges.displayRect) \(ranges.preloadRect)")
        }
    }

    private func check(_ node: RangedNode?, _ state: InterfaceState, _ frame: Rect?, _ name: String)
    {
        guard let node else {
            if !state.isEmpty { faults.append("\(name) has no node") }
            return
        }
        if node.interfaceState != state {
            faults.append("\(name) expected \(state), found \(node.interfaceState)")
        }
        var part: Rect?
        if state.contains(.visible), let frame {
            let bounds = view.bounds
            let (left, top) = (max(frame.minX, bounds.minX), max(frame.minY, bounds.minY))
            let (right, low) = (min(frame.maxX, bounds.maxX), min(frame.maxY, bounds.maxY))
            part = Rect(
                x: left - frame.minX,
                y: top - frame.minY,
                width: right - left,
                height: low - top
            )
        }
        if node.visibleRect != part {
            faults.append(
                "\(name) expected visible rect \(part as Any), found \(node.visibleRect as Any)"
            )
        }
    }

    /// An element that was in a range and is more than a page outside all ranges has no node,
    /// wherever it moved.
    private func checkRelease(
        _ element: CollectionElement,
        _ frame: Rect?,
        _ isVisible: Bool,
        _ name: String
    ) {
        guard releasesNodes, isOnDemand, !hasGaps, lastStates[element] != nil, let frame,
            element.nodeIfAllocated != nil
        else { return }
        let (bounds, preload) = (view.bounds, reach(.preload))
        let display = conditions.mode == .lowMemory ? bounds : reach(.display)
        let isSmall = preload == bounds && display == bounds
        let page =
            isSmall ? Size.zero : Size(width: bounds.size.width * 3, height: bounds.size.height * 3)
        let isNear = [bounds, preload, display].contains { rect in
            frame.intersects(
                rect.inset(
                    by: EdgeInsets(
                        top: -page.height,
                        left: -page.width,
                        bottom: -page.height,
                        right: -page.width
                    )
                )
            )
        }
        if !isNear { faults.append("\(name) keeps its node") }
    }

    /// Within one pass, visible elements come first, then displayed ones, then preloaded ones, then
    /// those that left; each in the order of places.
    private func checkOrder() {
        list.onMain { [unowned self] view in
            var last = (rank: 0, place: LayoutPlace?.none)
            for case .interfaceState(let place, let new, _) in view.eventLog {
                let rank = [.visible, .display, .preload].firstIndex(where: new.contains) ?? 3
                let isOutOfOrder =
                    rank == last.rank && rank < 3 && last.place.map { $0 > place } ?? false
                if rank < last.rank || isOutOfOrder {
                    faults.append("\(place) is notified too late")
                }
                last = (rank, place)
            }
        }
    }

    // MARK: RangeControllerDelegate

    func rangeControllerShouldUpdate(_ rangeController: RangeController) -> Bool { mayUpdate }

    func rangeController(
        _ rangeController: RangeController,
        didChangeStateOf element: CollectionElement,
        to newState: InterfaceState,
        from oldState: InterfaceState
    ) {
        if lastStates[element] ?? [] != oldState { faults.append("the delegate missed a state") }
        lastStates[element] = newState
        if let node = element.nodeIfAllocated as? RangedNode, node.interfaceState != newState {
            faults.append("the delegate was notified before the node")
        }
    }
}
