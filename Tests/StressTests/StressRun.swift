import CollectionElements
import CollectionPipeline
import Foundation
import PipelineSimulation
import PipelineTestSupport

/// One run: eight threads and as many tasks submit everything at once to one controller, whose view is
/// busy and whose nodes fail; at the end everything has completed once, nothing was wrong, and nothing is
/// left of it.
///
/// The view is one that loses and refuses updates, or a simulated view to which a user does what users do
/// (`StressRun+View.swift`). The controller is closed, at rest or while everything is under way, or just
/// dropped; the view may go before it.
final class StressRun: @unchecked Sendable {  // the maps below are guarded as they say
    let seed: UInt64
    let submissionsEach: Int
    let nodes: WatchedNodes
    let lane: any Lane
    let ending: Ending
    let model: Unowned<ReferenceModel>
    /// What may go away in mid-flight.
    let held: Lock<Held>
    let cells = LifeCount()
    /// What the simulated view has come to do, by name.
    let marks = Lock<[String: Int]>([:])
    let doneClients = Counter()
    let submitted = Counter()
    let completed = Counter()
    let outcomes = Lock<[String: Int]>([:])
    let isClosed = Lock(false)
    let faults = Lock<[String]>([])

    struct Held {
        var controller: DataController<ReferenceModel>?
        var view: (any CollectionView)?
    }

    /// How the controller comes to its end.
    enum Ending: CaseIterable {
        case closedAtRest
        case closedInMidFlight
        /// Its last reference goes without a close.
        case droppedInMidFlight
    }

    var controller: DataController<ReferenceModel>? { held.withLock { $0.controller } }

    /// - Parameter viewPlan: the simulated view; nil for one that is faulty.
    init(seed: UInt64, submissionsEach: Int, viewPlan: ViewPlan? = nil) {
        self.seed = seed
        self.submissionsEach = submissionsEach
        var random = SeededGenerator(seed: seed)
        let jitter = Jitter(seed: random.next(), maximumMicroseconds: 60)
        let fates = JitteredFates(jitter, seed: random.next())
        let nodes = WatchedNodes(fates: fates)
        self.nodes = nodes
        var configuration = PipelineConfiguration()
        configuration.backlogLimit = 1 + random.next(below: 12)
        configuration.backlogPolicy = random.next(below: 4) == 0 ? .reject : .suspend
        configuration.rejectionPolicy = .reload
        configuration.decomposesMoves = random.next(below: 4) == 0
        let model = ReferenceModel(nodes: nodes, sections: 4, items: 8)
        self.model = Unowned(model)
        let checker = SnapshotChecker(model: model)
        let lane = JitteredLane(EmulatedMainLane(), jitter)
        self.lane = lane
        ending = Ending.allCases[random.next(below: Ending.allCases.count)]
        held = Lock(Held())
        let hasLayout = viewPlan != nil && random.next(below: 3) == 0
        if hasLayout { marks.withLock { $0["layout delegate"] = 1 } }
        if hasLayout { checker.expectsPrepared = false }
        let interferes = random.next(below: 3) == 0
        let view: any CollectionView =
            viewPlan.map {
                makeView($0, fates: interferes ? fates : nil, checker, hasLayout: hasLayout)
            } ?? FaultyView(nodes, checker)
        let controller = DataController(
            dataSource: ModelBox(model: model).model,
            view: view,
            configuration: configuration,
            lane: lane,
            environment: JitteredEnvironment(DispatchEnvironment(workerCount: 3), jitter),
            layoutDelegate: hasLayout ? SimulatedLayout(lane: lane, nodes: nodes) : nil,
            observer: StressObserver(lane: lane, model: model, view: view as? WatchedView)
        )
        let core = Unowned(controller)
        model.isDiverged = { core.value?.divergence?.countsSince != nil }
        model.acceptedGeneration = { core.value?.pendingMap.generation ?? 0 }
        (view as? WatchedView)?.visibleMap = { core.value?.visibleMap }
        held.withLock { $0 = Held(controller: controller, view: view) }
    }

    private static let clientCount = 16

    /// Whether everybody has submitted everything, and all of it has completed.
    var isDone: Bool {
        doneClients.count == Self.clientCount && completed.count == submitted.count
    }

    /// Runs to the end; what was wrong, or nothing.
    func run() async -> [String] {
        var random = SeededGenerator(seed: seed &+ 1)
        let seeds = (0..<Self.clientCount).map { _ in random.next() }
        let (closing, watching) = (random.next(), random.next())
        await withTaskGroup(of: Void.self) { group in
            for (index, seed) in seeds.enumerated() {
                group.addTask {
                    // A task that awaits an outcome has the controller live until then.
                    if index < 8 || self.ending == .droppedInMidFlight {
                        await self.submitFromThread(seed)
                    } else {
                        await self.submitFromTask(seed)
                    }
                    self.doneClients.add()
                }
            }
            useView(watching, in: &group)
            if ending != .closedAtRest { group.addTask { await self.end(closing) } }
        }
        await allCompleted()
        await checkViewAtRest()
        if ending == .closedAtRest { await end(closing) }
        await allCompleted()
        await checkViewAtRest()
        await checkNothingIsLeft()
        return verdict()
    }
}

/// Hands a model over to its controller while the run keeps a way to look at it from the main lane.
private struct ModelBox: @unchecked Sendable {  // used on the main lane only
    let model: ReferenceModel
}

final class Unowned<Value: AnyObject>: @unchecked Sendable {  // set once
    weak var value: Value?
    init(_ value: Value?) { self.value = value }
}

/// Lets the model forget what it noted for a latch that was refused, and the view look at what it shows.
private final class StressObserver: PipelineObserver, @unchecked Sendable {
    // Refusals and deployments happen on the main lane, where the model and the view live.
    private let lane: any Lane
    private weak var model: ReferenceModel?
    private weak var view: WatchedView?

    init(lane: any Lane, model: ReferenceModel, view: WatchedView?) {
        self.lane = lane
        self.model = model
        self.view = view
    }

    func observe(_ event: PipelineEvent) {
        switch event.kind {
        case .rejected where lane.isCurrent: model?.forgetLatch()
        case .viewRefused: view?.didReject(event.error)
        case .deployed where view != nil:
            lane.enqueue { [weak self] in self?.view?.check(isAtRest: false) }
        default: break
        }
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let value = Lock(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
}
