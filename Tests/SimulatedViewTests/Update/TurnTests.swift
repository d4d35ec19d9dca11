import PipelineTestSupport
import SimulatedView
import Testing

/// Hands the updates of a controller to a view whose turns run on a lane of the test, and loses
/// some of them.
private final class Courier: CollectionView, @unchecked Sendable {
    // Unchecked: used on the main lane of its controller only.
    let view = SimulatedCollectionView(size: Size(width: 40, height: 60), logCapacity: 100_000)
    let lane = ManualLane()
    var losesNext = false
    private(set) var lost: [Int] = []
    private(set) var animated: Set<Int> = []

    func attach(to lane: any Lane) { view.attach(to: self.lane) }

    var elementSizeRange: SizeRange { view.elementSizeRange }

    var firstVisiblePath: ItemPath? { view.firstVisiblePath }

    func perform(_ update: ViewUpdate) {
        let number = update.submission.rawValue
        if update.isAnimated { animated.insert(number) }
        if losesNext { lost.append(number) } else { view.perform(update) }
        losesNext = false
    }

    func controllerDidClose() { view.controllerDidClose() }
}

/// Updates that arrive, wait while the view is busy, and get lost, in any order, compared with a
/// queue.
private final class TurnWalk {
    private let courier = Courier()
    private let simulation: Simulation
    private let controller: DataController<TextDataSource>
    private var random: SeededGenerator
    private(set) var story: [String] = []
    private(set) var faults: [String] = []

    // MARK: The model
    private var texts: [Int: [String]] = [:]
    /// The numbers of removals, insertions and reconfigurations of each submission.
    private var counts: [Int: [Int]] = [:]
    private var waiting: [Int] = []
    private var unfinished: [(id: Int, turn: Int)] = []
    private var (turn, busyDepth, lastShown) = (0, 0, 0)
    /// The update that the view refused, until a reload is applied.
    private var refused: Int?

    private var view: SimulatedCollectionView { courier.view }

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        simulation = Simulation(seed: seed, strategy: .inOrder)
        var configuration = PipelineConfiguration.unwatched
        // More than the number of submissions in a walk.
        configuration.backlogLimit = 1_000
        controller = DataController(
            dataSource: TextDataSource([["0"]]),
            view: courier,
            in: simulation,
            configuration: configuration
        )
        submit(0)
    }

    private func onMain(_ body: @escaping () throws -> Void) {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) let walk = self
        controller.lane.enqueue {
            do { try body() } catch { walk.faults.append("\(error)") }
        }
        if !simulation.run() { faults.append("the pipeline does not become idle") }
        for event in view.eventLog { take(event) }
        view.clearEventLog()
    }

    // MARK: Steps

    func step() {
        switch random.next(below: 12) {
        case 0...3: for _ in 0...random.next(below: 3) { submit(random.next(below: 4)) }
        case 4:
            story.append("busy")
            busyDepth += 1
            onMain { self.view.beginBusy() }
        case 5 where busyDepth > 0, 6 where busyDepth > 0:
            story.append("idle")
            busyDepth -= 1
            onMain { self.view.endBusy() }
        default:
            for _ in 0...random.next(below: 3) {
                turn += 1
                onMain { self.courier.lane.runOne() }
            }
        }
        if !waiting.isEmpty, busyDepth == 0, courier.lane.count == 0 {
            faults.append("no turn is scheduled for \(waiting)")
        }
        let state = (view.numberOfWaitingUpdates, view.isBusy)
        if state != (waiting.count, busyDepth > 0) { faults.append("\(state)") }
        let shown = texts.filter { $0.key <= lastShown }.max { $0.key < $1.key }?.value ?? []
        if view.map.texts.flatMap({ $0 }) != shown { faults.append("\(view.map.texts) is shown") }
    }

    /// Reloads, or inserts, deletes or reconfigures the first item.
    private func submit(_ kind: Int) {
        let isAnimated = random.isTrue(oneIn: 2)
        let text = "\(texts.count)"
        courier.losesNext = !texts.isEmpty && random.isTrue(oneIn: 20)
        onMain { [self] in
            let list = controller.assumeIsolated()
            var items = list.dataSource.sections[0].items
            let (path, kind) = (ItemPath(0, 0), items.isEmpty && kind > 1 ? 1 : kind)
            switch kind {
            case 0: items = [text]
            case 1: items.insert(text, at: 0)
            case 2: items.removeFirst()
            default: items[0] = text
            }
            let id = try list.performBatchUpdates(animated: isAnimated) { source, changes in
                source.sections[0].items = items
                switch kind {
                case 0: changes.reloadData()
                case 1: changes.insertItems(at: [path])
                case 2: changes.deleteItems(at: [path])
                default: changes.reconfigureItems(at: [path])
                }
            }
            texts[id.rawValue] = items
            counts[id.rawValue] = [kind == 2 ? 1 : 0, kind == 1 ? 1 : 0, kind == 3 ? 1 : 0]
            story.append("\(id)")
        }
        courier.losesNext = false
    }

    // MARK: Events

    private func take(_ event: ViewEvent) {
        switch event {
        case .received(let id):
            if let last = waiting.last, last >= id.rawValue { faults.append("\(event)") }
            waiting.append(id.rawValue)
        case .postponed(let count):
            if busyDepth == 0 || count != waiting.count { faults.append("\(event)") }
        case .applied(let id?, let removals, let insertions, let reconfigured):
            next(id, event)
            if lacksBase(id) || refused != nil { faults.append("\(event) from a wrong base") }
            let found = [removals, insertions, reconfigured]
            if counts[id.rawValue] != found { faults.append("\(event)") }
            show(id.rawValue)
        case .reloaded(let id?):
            next(id, event)
            if let number = refused, number < id.rawValue { refused = nil }
            show(id.rawValue)
        case .refused(let id, let refusal):
            next(id, event)
            if !lacksBase(id) || refusal.code != .wrongBase { faults.append("\(event)") }
            refused = id.rawValue
        case .dropped(let id):
            next(id, event)
            if refused == nil { faults.append("\(event) without a refusal before it") }
        case .finished(let id?):
            guard let first = unfinished.first, first.id == id.rawValue else {
                return faults.append("\(event) out of order")
            }
            unfinished.removeFirst()
            let isAnimated = courier.animated.contains(first.id)
            if (first.turn < turn) != isAnimated { faults.append("\(event) in turn \(turn)") }
        case .closed(let dropped):
            if dropped != waiting.count { faults.append("\(event), not \(waiting.count)") }
            waiting = []
        case .error(let error): faults.append(error.message)
        case .becameBusy: if busyDepth != 1 { faults.append("became busy twice") }
        case .becameIdle: if busyDepth != 0 { faults.append("became idle too early") }
        default: break
        }
    }

    private func next(_ id: SubmissionID, _ event: ViewEvent) {
        if waiting.first == id.rawValue, busyDepth == 0 {
            waiting.removeFirst()
        } else {
            faults.append("\(event) while \(waiting) wait, busy \(busyDepth)")
        }
    }

    /// Whether an update does not start from the visible state because a previous one was lost.
    private func lacksBase(_ id: SubmissionID) -> Bool {
        courier.lost.contains { $0 < id.rawValue && $0 > lastShown }
    }

    private func show(_ id: Int) {
        lastShown = id
        unfinished.append((id, turn))
    }

    /// Closes the controller; the updates that still wait are never applied.
    func close() {
        onMain { [controller] in controller.close(draining: false) {} }
        turn += 1
        onMain { self.courier.lane.run() }
        if view.numberOfWaitingUpdates != 0 { faults.append("updates wait after the close") }
    }
}

@Suite("The turns of a view", .endsHangs)
struct TurnTests {
    /// ``ViewWalk`` and the simulation check what the view shows meanwhile.
    @Test(arguments: 1...Effort.number(100, usually: 20) as ClosedRange<UInt64>)
    func eachTurnAppliesTheNextUpdateUnlessTheViewIsBusy(_ seed: UInt64) {
        let walk = TurnWalk(seed: seed)
        for _ in 0..<100 where walk.faults.isEmpty { walk.step() }
        if walk.faults.isEmpty { walk.close() }
        #expect(walk.faults == [], "seed \(seed), after \(walk.story.suffix(12))")
    }
}
