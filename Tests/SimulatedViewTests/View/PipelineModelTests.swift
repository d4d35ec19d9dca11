import PipelineTestSupport
import SimulatedView
import Testing

/// A view and its controller, compared turn by turn with a model of the updates, while these wait in
/// the queue, are delayed, get lost or are rejected. ``ViewWalk`` and the simulation check what the
/// view shows meanwhile.
private final class PipelineWalk {
    private struct Submission {
        var id = 0
        let sheet: Sheet
        var update: SheetUpdate?
        var isAnimated = false
    }

    let courier: Courier
    private let simulation: Simulation
    private let controller: DataController<TextDataSource>
    private let outcomes = Journal<(id: Int, text: String)>()
    private var random: SeededGenerator
    private(set) var story: [String] = []

    // MARK: The model
    private var submissions: [Submission] = []
    private var newest: Sheet
    private var shown = Sheet([])
    private var (received, waiting): ([Int], [Int]) = ([], [])
    private var unfinished: [(id: Int, turn: Int)] = []
    private var (lastShown, rejectedID): (Int, Int?) = (0, nil)
    private var (turn, busyDepth) = (0, 0)
    private var expectedOutcomes: [Int: String] = [:]
    private var faults: [String] = []

    var view: SimulatedCollectionView { courier.view }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        newest = Sheet([5, 0, 7, 4])
        simulation = Simulation(seed: seed, strategy: .inOrder)
        courier = Courier(
            SimulatedCollectionView(size: Size(width: 40, height: 60), logCapacity: 100_000)
        )
        var configuration = PipelineConfiguration.unwatched
        // More than the number of submissions in a walk.
        configuration.backlogLimit = 1_000
        controller = DataController(
            dataSource: TextDataSource(newest.sections.map { .init($0.rows) }),
            view: courier,
            in: simulation,
            configuration: configuration
        )
        let identifier = SimulatedCollectionView.elementReuseIdentifier
        try courier.view.register(CollectionViewCell.self, forCellWithReuseIdentifier: identifier)
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
        switch random.next(below: 17) {
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
        newest = submission.sheet
        onMain { [controller, outcomes] in
            let list = controller.assumeIsolated()
            list.dataSource.sections = submission.sheet.sections.map { .init($0.rows) }
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
        let update = try SheetUpdate(of: newest, &random, rate: rate)
        courier.losesNext = random.isTrue(oneIn: 20)
        let submission = Submission(
            sheet: update.after,
            update: update,
            isAnimated: random.isTrue(oneIn: 2)
        )
        try submit(submission) { changes in
            for operation in update.operations { changes.record(operation) }
        }
        courier.losesNext = false
    }

    private func reload() throws {
        var sheet = newest
        sheet.replaceAll((0..<3).map { _ in random.next(below: 9) })
        try submit(Submission(sheet: sheet)) { $0.reloadData() }
    }

    /// Requests a new measurement of all rows.
    private func relayout() {
        var submission = Submission(sheet: newest)
        onMain { [self] in
            let list = controller.assumeIsolated()
            let paths = Array(submission.sheet.places.values)
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
        for event in events { take(event) }
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
            show(submission, id.rawValue)
        case .reloaded(let id?):
            guard let submission = takeNext(id, event) else { return }
            if let rejectedID, rejectedID < id.rawValue { self.rejectedID = nil }
            show(submission, id.rawValue)
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

    private func show(_ submission: Submission, _ id: Int) {
        shown = submission.sheet
        lastShown = id
        unfinished.append((id, turn))
    }

    // MARK: Checks

    private func check() {
        drain()
        let pending = courier.lane.count
        if !waiting.isEmpty, busyDepth == 0, pending == 0 {
            faults.append("no turn is scheduled for \(waiting)")
        }
        var isUpToDate = true
        onMain { [view] in
            view.clearEventLog()
            view.layoutIfNeeded()
            isUpToDate = !view.eventLog.contains { if case .layout = $0 { true } else { false } }
        }
        if !isUpToDate, pending == 0 { faults.append("no turn is scheduled for the layout") }
        drain()
        onMain { self.checkNow() }
    }

    private func checkNow() {
        func expect(_ isSo: Bool, _ text: @autoclosure () -> String) {
            if !isSo { faults.append(text()) }
        }
        expect(view.numberOfWaitingUpdates == waiting.count, "expected waiting updates \(waiting)")
        expect(view.isBusy == (busyDepth > 0), "isBusy is wrong")
        expect(view.map.texts == shown.texts, "expected \(shown.texts), found \(view.map.texts)")
        for cell in view.visibleCells {
            guard let path = cell.attributes?.indexPath else { continue }
            let isNewest = cell.content == view.map.content(at: path)
            expect(isNewest && cell.content?.model as? String == shown[path], "text of \(path)")
        }
        expect(view.mistakes == [] && view.lookUpMistakes == [], "\(view.mistakes)")
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
            if shown != newest, courier.lost.last ?? 0 < lastShown {
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

/// Passes updates on to a view whose turns run on a lane of the test. It can delay and lose
/// updates.
private final class Courier: CollectionView, @unchecked Sendable {
    // Unchecked: used on the main lane of its controller only.
    let view: SimulatedCollectionView
    let lane = ManualLane()
    var isLate = false
    var losesNext = false
    private(set) var lost: [Int] = []
    private(set) var held: [ViewUpdate] = []
    /// Whether each received update is animated.
    private(set) var animations: [Int: Bool] = [:]

    init(_ view: SimulatedCollectionView) { self.view = view }

    func attach(to lane: any Lane) { view.attach(to: self.lane) }

    var elementSizeRange: SizeRange { view.elementSizeRange }

    var firstVisiblePath: ItemPath? { view.firstVisiblePath }

    func perform(_ update: ViewUpdate) {
        let number = update.submission.rawValue
        animations[number] = update.isAnimated
        if losesNext {
            losesNext = false
            lost.append(number)
        } else if isLate || !held.isEmpty {
            held.append(update)
        } else {
            view.perform(update)
        }
    }

    func deliver(_ count: Int) {
        for _ in 0..<min(count, held.count) { view.perform(held.removeFirst()) }
    }

    func updatesInFlightDidChange(_ areInFlight: Bool) {
        view.updatesInFlightDidChange(areInFlight)
    }

    func controllerDidClose() {
        held = []
        view.controllerDidClose()
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
