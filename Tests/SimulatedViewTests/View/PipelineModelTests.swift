import PipelineTestSupport
import SimulatedView
import Testing

/// A view and its controller, compared turn by turn with a model of the content and the
/// notifications, while updates wait in the queue, are delayed, get lost or are rejected.
private final class PipelineWalk {
    private struct State {
        var sheet: Sheet
        var stretch = 0
    }

    private struct Submission {
        var id = 0
        let state: State
        var update: SheetUpdate?
        var isReload = false
        var isAnimated = false
    }

    let courier: Courier
    let ledger = Watcher()
    private let simulation: Simulation
    private let controller: DataController<SheetSource>
    private let outcomes = Journal<(id: Int, text: String)>()
    private var random: SeededGenerator
    private(set) var story: [String] = []

    // MARK: The model
    private var submissions: [Submission] = []
    private var newest: State
    private var shown = State(sheet: Sheet([]))
    /// The last place of each name, and its place before the newest update.
    private var (lastPlaces, oldPlaces): ([String: LayoutPlace], [String: LayoutPlace]) =
        ([:], [:])
    private var (received, waiting): ([Int], [Int]) = ([], [])
    private var unfinished: [(id: Int, turn: Int)] = []
    private var (lastShown, rejectedID): (Int, Int?) = (0, nil)
    private var (turn, busyDepth) = (0, 0)
    private var expectedOutcomes: [Int: String] = [:]
    private var touches = TouchModel(Sheet([]))
    private var faults: [String] = []

    var view: SimulatedCollectionView { courier.view }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        newest = State(sheet: Sheet([5, 0, 7, 4]))
        simulation = Simulation(seed: seed, strategy: .inOrder)
        courier = Courier(
            SimulatedCollectionView(size: Size(width: 40, height: 60), logCapacity: 100_000)
        )
        var configuration = PipelineConfiguration.unwatched
        // More than the number of submissions in a walk.
        configuration.backlogLimit = 1_000
        controller = DataController(
            dataSource: SheetSource(newest.sheet),
            view: courier,
            in: simulation,
            configuration: configuration
        )
        let identifier = SimulatedCollectionView.elementReuseIdentifier
        try courier.view.register(LedgerCell.self, forCellWithReuseIdentifier: identifier)
        courier.view.delegate = ledger
        try reload()
        for _ in 0..<3 { runTurn() }
    }

    private func onMain(_ body: @escaping () throws -> Void) {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) let walk = self
        controller.lane.enqueue {
            do { try body() } catch { walk.faults.append("\(error)") }
        }
        if !simulation.run() { faults.append("the pipeline does not become idle") }
    }

    private func note(_ text: String) { story.append(text) }

    // MARK: Steps

    /// Performs one step.
    ///
    /// - Returns: The faults found afterwards.
    func step() throws -> [String] {
        let choice = random.next(below: 24)
        switch choice {
        case 0...4: for _ in 0...random.next(below: 3) { try submitUpdate() }
        case 5: if random.isTrue(oneIn: 3) { try reload() } else { relayout() }
        case 6:
            note("busy")
            onMain { self.view.beginBusy() }
            busyDepth += 1
        case 7 where busyDepth > 0, 8 where busyDepth > 0:
            note("idle")
            onMain { self.view.endBusy() }
            busyDepth -= 1
        case 9: deliver()
        case 10, 11: scroll()
        case 12, 13: select()
        case 14, 15: touchSomething()
        case 16: changeEnvironment()
        case 17:
            note("prefetch")
            let (toggles, count) = (random.isTrue(oneIn: 3), random.next(below: 4))
            onMain {
                if toggles { self.view.isPrefetchingEnabled.toggle() }
                self.view.idleTick(preparing: count)
            }
        default: for _ in 0...random.next(below: 3) { runTurn() }
        }
        check()
        return faults
    }

    private func submit(
        _ submission: Submission,
        _ record: @escaping (inout BatchRecorder) -> Void
    ) throws {
        var submission = submission
        newest = submission.state
        onMain { [controller, outcomes] in
            let list = controller.assumeIsolated()
            list.dataSource.sheet = submission.state.sheet
            let id = try list.performBatchUpdates(animated: submission.isAnimated) { _, changes in
                record(&changes)
            } completion: { result in
                outcomes.append((result.submission.rawValue, result.text))
            }
            submission.id = id.rawValue
        }
        submissions.append(submission)
        expectedOutcomes[submission.id] = "deployed"
        note("#\(submission.id)")
        drain()
    }

    private func submitUpdate() throws {
        let rate = random.isTrue(oneIn: 3) ? 0.4 : 0.08
        let update = try SheetUpdate(of: newest.sheet, &random, rate: rate)
        let state = State(sheet: update.after, stretch: newest.stretch)
        courier.losesNext = random.isTrue(oneIn: 20)
        let submission = Submission(
            state: state,
            update: update,
            isAnimated: random.isTrue(oneIn: 2)
        )
        try submit(submission) { changes in
            for operation in update.operations { changes.record(operation) }
        }
        courier.losesNext = false
    }

    private func reload() throws {
        var state = newest
        state.sheet.replaceAll((0..<3).map { _ in random.next(below: 9) })
        try submit(Submission(state: state, isReload: true)) { $0.reloadData() }
    }

    /// Requests a new measurement of all rows, which are higher now.
    private func relayout() {
        newest.stretch += 1
        var submission = Submission(state: newest)
        onMain { [self] in
            let list = controller.assumeIsolated()
            list.dataSource.stretch.number.withLock { $0 += 1 }
            let paths = Array(submission.state.sheet.places.values)
            submission.id = try list.relayoutItems(at: paths) { [outcomes] result in
                outcomes.append((result.submission.rawValue, result.text))
            }.rawValue
        }
        submissions.append(submission)
        expectedOutcomes[submission.id] = "deployed"
        note("relayout #\(submission.id)")
        drain()
    }

    private func deliver() {
        courier.isLate = random.isTrue(oneIn: 3)
        let count = courier.isLate ? random.next(below: 2) : courier.held.count
        note("deliver \(count)\(courier.isLate ? ", late" : "")")
        onMain { self.courier.deliver(count) }
    }

    private func scroll() {
        note("scroll")
        let distance = Double(random.next(below: 160) - 80)
        let before = view.contentOffset
        onMain { self.view.scroll(by: distance) }
        if view.contentOffset != before { touches.cancel() }
    }

    private func select() {
        guard let path = shown.sheet.somePath(&random) else { return }
        note("select \(path)")
        let name = shown.sheet.name(at: path)
        switch random.next(below: 5) {
        case 0:
            onMain { self.view.allowsMultipleSelection.toggle() }
            touches.allowsMultiple = view.allowsMultipleSelection
            if !touches.allowsMultiple { touches.keepLast(1) }
        case 1:
            onMain { self.view.deselectItem(at: path) }
            touches.set(false, name)
        default:
            onMain { try self.view.selectItem(at: path) }
            touches.select(name)
        }
    }

    private func touchSomething() {
        guard let path = shown.sheet.somePath(&random) else { return }
        note("touch \(path)")
        let isInside = random.isTrue(oneIn: 2)
        switch random.next(below: 4) {
        case 0, 1:
            onMain { self.view.touchDown(at: path) }
            touches.down(shown.sheet.name(at: path), allowed: true)
        case 2:
            onMain { self.view.touchMoved(inside: isInside) }
            touches.move(inside: isInside)
        default:
            onMain { self.view.touchUp() }
            touches.up(allowed: true)
        }
    }

    private func changeEnvironment() {
        note("changeEnvironment")
        let size = Size(
            width: Double(40 + random.next(below: 3)),
            height: random.isTrue(oneIn: 12) ? 0 : Double(30 + random.next(below: 60))
        )
        let inset = EdgeInsets(top: Double(random.next(below: 9)), bottom: 3)
        let (choice, isAnimated) = (random.next(below: 4), random.isTrue(oneIn: 2))
        onMain { [view] in
            switch choice {
            case 0, 1: view.resize(to: size, animated: isAnimated)
            case 2: view.contentInset = inset
            default: view.setCollectionViewLayout(ListLayout(), animated: isAnimated)
            }
        }
    }

    /// Runs the next work on the view's lane.
    private func runTurn() {
        turn += 1
        onMain { self.courier.lane.runOne() }
        drain()
    }

    // MARK: Notifications

    /// Processes and clears the log.
    private func drain() {
        let events = view.eventLog
        view.clearEventLog()
        var displays: [String] = []
        for event in events {
            switch event {
            case .willDisplay: displays.append(event.description)
            case .didEndDisplaying(let place):
                displays.append(event.description)
                guard !ledger.gone.isEmpty else { break }
                let name = ledger.gone.removeFirst()
                if lastPlaces[name] != place, oldPlaces[name] != place {
                    faults.append("\(name) disappeared at \(place)")
                }
            default: take(event)
            }
        }
        if displays != ledger.displays {
            faults.append("expected \(displays), found \(ledger.displays)")
        }
        ledger.clear()
    }

    private func state(of id: Int) -> Submission? { submissions.last { $0.id <= id } }

    private func take(_ event: ViewEvent) {
        switch event {
        case .received(let id):
            let number = id.rawValue
            if let last = received.last, last >= number { faults.append("\(event) out of order") }
            received.append(number)
            waiting.append(number)
        case .postponed(let count):
            if busyDepth == 0 || count != waiting.count { faults.append("unexpected \(event)") }
        case .applied(let id?, let removals, let insertions, let reconfigured):
            guard let submission = takeNext(id, event) else { return }
            if isRejected(id.rawValue) || rejectedID != nil {
                faults.append("\(event) from a wrong base")
            }
            let isOwn = submission.id == id.rawValue
            let expected = isOwn ? submission.update?.applied ?? [0, 0, 0] : [0, 0, 0]
            if expected != [removals, insertions, reconfigured] {
                faults.append("wrong counts in \(event)")
            }
            checkAnimations(of: submission, id.rawValue)
            show(submission, id.rawValue, isReload: false)
        case .reloaded(let id?):
            guard let submission = takeNext(id, event) else { return }
            if let rejectedID, rejectedID < id.rawValue { self.rejectedID = nil }
            show(submission, id.rawValue, isReload: true)
        case .refused(let id, let refusal):
            guard takeNext(id, event) != nil else { return }
            if !isRejected(id.rawValue) || refusal.code != .wrongBase {
                faults.append("\(refusal)")
            }
            rejectedID = id.rawValue
            expectedOutcomes[id.rawValue] = "deployedByReload"
        case .dropped(let id):
            guard takeNext(id, event) != nil else { return }
            if rejectedID == nil { faults.append("\(event) without a rejection before it") }
            expectedOutcomes[id.rawValue] = "superseded"
        case .finished(let id?):
            guard let first = unfinished.first, first.id == id.rawValue else {
                return faults.append("\(event) out of order")
            }
            unfinished.removeFirst()
            let isAnimated = courier.animations[id.rawValue] == true
            if (first.turn < turn) != isAnimated { faults.append("\(event) in turn \(turn)") }
        case .error(let error): faults.append(error.message)
        case .becameBusy: if busyDepth != 1 { faults.append("became busy twice") }
        case .becameIdle: if busyDepth != 0 { faults.append("became idle too early") }
        default: break
        }
    }

    private func takeNext(_ id: SubmissionID, _ event: ViewEvent) -> Submission? {
        guard waiting.first == id.rawValue, busyDepth == 0 else {
            faults.append("\(event) while \(waiting) wait, busy \(busyDepth)")
            return nil
        }
        waiting.removeFirst()
        return state(of: id.rawValue)
    }

    /// Whether an update does not start from the visible state because a previous one was lost.
    private func isRejected(_ id: Int) -> Bool {
        courier.lost.contains { $0 < id && $0 > lastShown }
    }

    private func checkAnimations(of submission: Submission, _ id: Int) {
        guard let isAnimated = courier.animations[id] else {
            return faults.append("#\(id) was not delivered")
        }
        guard submission.id == id, submission.update != nil else { return }
        if isAnimated != submission.isAnimated {
            faults.append("#\(id) has a wrong animation flag")
        }
    }

    private func show(_ submission: Submission, _ id: Int, isReload: Bool) {
        shown = submission.state
        lastShown = id
        unfinished.append((id, turn))
        var places: [String: LayoutPlace] = [:]
        for (name, path) in shown.sheet.places { places[name] = .cell(path) }
        for (index, section) in shown.sheet.sections.enumerated() {
            places[section.header] = .header(index)
            places["F\(section.name)"] = .footer(index)
        }
        oldPlaces = lastPlaces
        lastPlaces.merge(places) { $1 }
        isReload ? touches.reload(shown.sheet) : touches.show(shown.sheet)
    }

    // MARK: Visible content

    private func check() {
        drain()
        let pending = courier.lane.count
        if !waiting.isEmpty, busyDepth == 0, pending == 0 {
            faults.append("no turn is scheduled for \(waiting)")
        }
        var isUpToDate = true
        onMain { [self] in
            view.clearEventLog()
            ledger.clear()
            view.layoutIfNeeded()
            isUpToDate = !view.eventLog.contains { if case .layout = $0 { true } else { false } }
        }
        if !isUpToDate, pending == 0 { faults.append("no turn is scheduled for the layout") }
        drain()
        onMain { self.checkNow() }
    }

    private func checkNow() {
        let sheet = shown.sheet
        func expect(_ isSo: Bool, _ text: @autoclosure () -> String) {
            if !isSo { faults.append(text()) }
        }
        expect(view.numberOfWaitingUpdates == waiting.count, "expected waiting updates \(waiting)")
        expect(view.isBusy == (busyDepth > 0), "isBusy is wrong")
        expect(
            view.map.shape == sheet.shape,
            "expected shape \(sheet.shape), found \(view.map.shape)"
        )
        let counts = (0..<view.numberOfSections).map(view.numberOfItems)
        expect(counts == sheet.shape.itemCounts && view.numberOfItems(inSection: -1) == 0, "counts")
        let contexts = counts.indices.map {
            (view.context(forSection: $0) as? SheetSource.Context)?.name
        }
        expect(contexts == sheet.sections.map(\.name), "contexts \(contexts)")
        // Places
        let frames = self.frames()
        let visible = frames.filter { !view.bounds.isEmpty && $0.frame.intersects(view.bounds) }
        let attributes = view.visibleViews.compactMap(\.attributes)
        expect(
            attributes.map(\.place) == visible.map(\.place)
                && attributes.map(\.frame) == visible.map(\.frame),
            "expected \(visible.map(\.place)), found \(attributes.map(\.place))"
        )
        let height = frames.map(\.frame.maxY).max() ?? 0
        expect(
            view.contentSize.height == height,
            "expected height \(height), found \(view.contentSize)"
        )
        expect(view.mistakes == [], "\(view.mistakes)")
        expect(view.lookUpMistakes == [], "\(view.lookUpMistakes)")
        // Contents, display and reuse
        for shownView in view.visibleViews {
            guard let place = shownView.attributes?.place else { continue }
            expect(Watcher.name(shownView) == name(at: place), "wrong content at \(place)")
            expect(
                shownView.element === view.map.element(at: place)
                    && shownView.content == view.map.content(at: place),
                "\(place) is outdated"
            )
            let size = view.measuredSize(of: place)
            expect(size?.height == measuredHeight(place), "\(place) has size \(size as Any)")
            guard let cell = shownView as? LedgerCell else { continue }
            expect(cell.content?.model as? String == sheet[place.path], "text of \(place)")
            expect(
                cell.isHighlighted == (touches.highlighted == sheet.name(at: place.path)),
                "highlight"
            )
            guard touches.isIdle else { continue }
            let isSelected = touches.selected.contains(sheet.name(at: place.path))
            expect(cell.isSelected == isSelected, "\(place) looks selected: \(cell.isSelected)")
        }
        checkViews()
        // Selection
        let found = view.indexPathsForSelectedItems.map(sheet.name)
        expect(found == touches.selected, "expected selection \(touches.selected), found \(found)")
        expect(view.highlightedItem.map(sheet.name) == touches.highlighted, "highlighted")
        checkNodes()
    }

    private func name(at place: LayoutPlace) -> String {
        if place.category == .cell { return shown.sheet.name(at: place.path) }
        let section = shown.sheet.sections[place.path.section]
        return place == .footer(place.path.section) ? "F\(section.name)" : section.header
    }

    private func measuredHeight(_ place: LayoutPlace) -> Double {
        guard place.category == .cell else { return SelectionNode.height(name(at: place), 0) }
        return SelectionNode.height(shown.sheet[place.path], shown.stretch)
    }

    /// The frames of all elements one below the other, in the order of places.
    private func frames() -> [(place: LayoutPlace, frame: Rect)] {
        var (y, found): (Double, [(place: LayoutPlace, frame: Rect)]) = (0, [])
        func take(_ place: LayoutPlace, _ height: Double) {
            if height > 0 { found.append((place, Rect(x: 0, y: y, width: width, height: height))) }
            y += height
        }
        let width = view.bounds.size.width
        for (index, section) in shown.sheet.sections.enumerated() {
            take(.header(index), SheetSource.Context.extent(section.name))
            for item in section.rows.indices {
                let place = LayoutPlace.cell(ItemPath(index, item))
                take(place, measuredHeight(place))
            }
            if SheetSource.hasFooter(section.name) {
                take(.footer(index), measuredHeight(.footer(index)))
            }
        }
        return found.sorted { $0.place < $1.place }
    }

    /// Displayed views are visible or leave in an animation; every created view is displayed,
    /// prefetched or reusable.
    private func checkViews() {
        let visible = Set(view.visibleViews.map(ObjectIdentifier.init))
        let leaving = Set(ledger.displayed.keys).subtracting(visible)
        if !visible.isSubset(of: ledger.displayed.keys) {
            faults.append("visible but not announced")
        }
        let isAnimating = unfinished.contains { courier.animations[$0.id] == true }
        if !leaving.isEmpty, !isAnimating {
            faults.append("still displayed: \(leaving.compactMap { ledger.displayed[$0] })")
        }
        let prepared = view.preparedItems
        let (made, waiting) = (view.numberOfMadeViews, view.numberOfReusableViews)
        if made != visible.count + leaving.count + waiting + prepared.count {
            faults.append(
                "\(made) made, \(visible.count) visible, \(leaving.count) leaving, \(waiting) reusable,"
                    + " \(prepared.count) prepared"
            )
        }
        let isOdd = prepared.contains {
            view.cellForItem(at: $0) != nil || !shown.sheet.shape.contains($0)
        }
        if isOdd || !view.isPrefetchingEnabled && !prepared.isEmpty {
            faults.append("prepared \(prepared)")
        }
        let filled = ledger.views.values.count { $0.element != nil }
        if filled > visible.count + leaving.count + prepared.count {
            faults.append("\(filled) views have elements")
        }
        faults += ledger.contradictions + ledger.renamed + ledger.errors.map(\.message)
        faults += ledger.views.values.flatMap { ($0 as? LedgerCell)?.mistakes ?? [] }
    }

    /// Only the nodes of selected and touched items have these flags.
    private func checkNodes() {
        var expected: [ObjectIdentifier: [Bool]] = [:]
        for (name, path) in shown.sheet.places {
            guard let node = view.map.element(at: path)?.nodeIfAllocated else {
                faults.append("\(name) has no node")
                continue
            }
            expected[ObjectIdentifier(node)] = [
                touches.selected.contains(name), touches.highlighted == name,
            ]
        }
        let source = controller.assumeIsolated().dataSource
        for node in source.nodes.values {
            let flags = expected[ObjectIdentifier(node)] ?? [false, false]
            if node.flags != flags {
                faults.append("\(node.text) expected \(flags), found \(node.flags)")
            }
            faults += node.mistakes
        }
    }

    // MARK: The end

    /// Checks that everything is shown and every submission has completed; otherwise that the rest
    /// is cancelled.
    func end(isDrained: Bool) -> [String] {
        if isDrained {
            onMain { [self] in
                courier.isLate = false
                courier.deliver(courier.held.count)
                while view.isBusy { view.endBusy() }
            }
            busyDepth = 0
            while courier.lane.count > 0 { runTurn() }
            check()
            if shown.sheet != newest.sheet, courier.lost.last ?? 0 < lastShown {
                faults.append("the newest state is not shown")
            }
        }
        let dropped = waiting
        onMain { [controller] in controller.close(draining: false) {} }
        let closed = ViewEvent.closed(dropped: dropped.count)
        if !view.eventLog.contains(closed) { faults.append("expected \(closed)") }
        if view.numberOfWaitingUpdates != 0 { faults.append("updates still wait") }
        view.clearEventLog()
        onMain { self.courier.lane.run() }
        if view.eventLog.contains(where: { if case .applied = $0 { true } else { false } }) {
            faults.append("shown after the close")
        }
        var found: [Int: String] = [:]
        for (id, text) in outcomes.values {
            if found.updateValue(text, forKey: id) != nil {
                faults.append("#\(id) completed twice")
            }
        }
        let unseen = submissions.map(\.id).filter { $0 > lastShown }
        for submission in submissions {
            let (id, text) = (submission.id, found[submission.id] ?? "never")
            let expected = expectedOutcomes[id] ?? ""
            let mayBeCancelled = unseen.contains(id) && text == "cancelled"
            let mayBeSuperseded = courier.lost.contains(id) && text.hasPrefix("superseded")
            if !text.hasPrefix(expected), !mayBeCancelled, !mayBeSuperseded {
                faults.append("#\(id): expected \(expected), found \(text)")
            }
        }
        return faults
    }
}

@Suite("A view at the end of a pipeline as a model", .endsHangs)
struct PipelineModelTests {
    @Test(arguments: 1...Effort.number(60, usually: 12) as ClosedRange<UInt64>)
    func theViewFollowsTheModelThroughDelayedAndLostUpdates(
        _ seed: UInt64
    ) throws {
        let walk = try PipelineWalk(seed: seed)
        var faults: [String] = []
        for _ in 0..<Effort.number(120, usually: 70) where faults.isEmpty {
            faults = try walk.step()
        }
        if faults.isEmpty { faults = walk.end(isDrained: seed.isMultiple(of: 2)) }
        let story = walk.story.suffix(12).joined(separator: "; ")
        #expect(faults == [], "seed \(seed), after \(story)")
    }
}
