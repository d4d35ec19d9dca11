import CollectionElements
import CollectionPipeline
import Foundation
import PipelineSimulation
import PipelineTestSupport

/// One run: eight threads and eight tasks submit everything at the same time to one controller,
/// whose view is busy and whose nodes fail. At the end every submission has completed once, without
/// faults, and all objects are released.
///
/// The view loses and refuses updates. Other clients request nodes on demand. The controller is
/// closed, at rest or in mid-flight, or just dropped; the view may be released before it.
final class StressRun: @unchecked Sendable {  // mutable state is in locks
    let seed: UInt64
    let submissionsEach: Int
    let nodes: WatchedNodes
    let lane: any Lane
    let ending: Ending
    let model: Unowned<ReferenceModel>
    /// The objects that may be released in mid-flight.
    let held: Lock<ReleasableObjects>
    let doneClients = Counter()
    let submitted = Counter()
    let completed = Counter()
    let outcomes = Lock<[String: Int]>([:])
    let isClosed = Lock(false)
    let faults = Lock<[String]>([])

    struct ReleasableObjects {
        var controller: DataController<ReferenceModel>?
        var view: (any CollectionView)?
    }

    enum Ending: CaseIterable {
        case closedAtRest
        case closedInMidFlight
        /// Its last reference is released without a close.
        case droppedInMidFlight
    }

    var controller: DataController<ReferenceModel>? { held.withLock { $0.controller } }

    init(seed: UInt64, submissionsEach: Int) {
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
        held = Lock(ReleasableObjects())
        let hasLayout = random.next(below: 3) == 0
        checker.expectsPrepared = !hasLayout
        let view = FaultyView(nodes, checker)
        let controller = DataController(
            dataSource: ModelBox(model: model).model,
            view: view,
            configuration: configuration,
            lane: lane,
            environment: JitteredEnvironment(DispatchEnvironment(workerCount: 3), jitter),
            layoutDelegate: hasLayout ? SimulatedLayout(lane: lane, nodes: nodes) : nil,
            observer: StressObserver(lane: lane, model: model)
        )
        let core = Unowned(controller)
        model.isDiverged = { core.value?.divergence?.countsSince != nil }
        model.acceptedGeneration = { core.value?.pendingMap.generation ?? 0 }
        held.withLock { $0 = ReleasableObjects(controller: controller, view: view) }
    }

    private static let clientCount = 16

    /// Whether all clients have submitted everything and all submissions have completed.
    var isDone: Bool {
        doneClients.count == Self.clientCount && completed.count == submitted.count
    }

    /// Runs to the end and returns the faults that were found.
    func run() async -> [String] {
        var random = SeededGenerator(seed: seed &+ 1)
        let seeds = (0..<Self.clientCount).map { _ in random.next() }
        let (closing, requesting) = (random.next(), random.next())
        await withTaskGroup(of: Void.self) { group in
            for (index, seed) in seeds.enumerated() {
                group.addTask {
                    // A task that awaits an outcome retains the controller until then.
                    if index < 8 || self.ending == .droppedInMidFlight {
                        await self.submitFromThread(seed)
                    } else {
                        await self.submitFromTask(seed)
                    }
                    self.doneClients.add()
                }
            }
            requestNodes(requesting, in: &group)
            if ending != .closedAtRest { group.addTask { await self.end(closing) } }
        }
        await allCompleted()
        if ending == .closedAtRest { await end(closing) }
        await allCompleted()
        await checkNothingIsLeft()
        return verdict()
    }
}

/// Passes a model to its controller while the run can still access it on the main lane.
private struct ModelBox: @unchecked Sendable {  // used on the main lane only
    let model: ReferenceModel
}

final class Unowned<Value: AnyObject>: @unchecked Sendable {  // set once
    weak var value: Value?
    init(_ value: Value?) { self.value = value }
}

/// Makes the model forget its record of a refused latch.
private final class StressObserver: PipelineObserver, @unchecked Sendable {
    // Rejections happen on the main lane, where the model lives.
    private let lane: any Lane
    private weak var model: ReferenceModel?

    init(lane: any Lane, model: ReferenceModel) { (self.lane, self.model) = (lane, model) }

    func observe(_ event: PipelineEvent) {
        if event.kind == .rejected, lane.isCurrent { model?.forgetLatch() }
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let value = Lock(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
}

/// Fates for real threads: chances from one seed, and pauses that make threads overlap.
struct JitteredFates: FaultInjector {
    private let jitter: Jitter
    private let chances: Chances

    private final class Chances: Sendable {
        private let random: Lock<SeededGenerator>

        init(seed: UInt64) { random = Lock(SeededGenerator(seed: seed)) }

        func draw(_ rate: Double) -> Bool { random.withLock { $0.chance(rate) } }
    }

    init(_ jitter: Jitter, seed: UInt64) {
        self.jitter = jitter
        chances = Chances(seed: seed)
    }

    func happens(_ fault: FaultPoint) -> Bool { chances.draw(Self.rate(of: fault)) }

    private static func rate(of fault: FaultPoint) -> Double {
        switch fault {
        case .viewIsBusy: 0.4
        case .viewRefuses, .viewDropsUpdate, .viewDropsLater, .providerThrows, .measurementThrows,
            .layoutThrows:
            0.03
        default: 0
        }
    }

    func pause() { jitter.sleep() }
}

// The end of a run and its final checks.

extension StressRun {
    func end(_ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        if ending != .closedAtRest { usleep(Self.delay(&random)) }
        guard ending != .droppedInMidFlight else {
            // Its contents are released outside the lock.
            let dropped = held.withLock { held in
                defer { held.controller = nil }
                return held.controller
            }
            _ = dropped
            return
        }
        let draining = random.next(below: 2) == 0
        let timeout: Duration? =
            random.next(below: 2) == 0 ? .microseconds(random.next(below: 3000)) : nil
        await controller?.close(draining: draining, timeout: timeout)
        isClosed.withLock { $0 = true }
    }

    func didComplete(_ outcome: UpdateOutcome, isLate: Bool) {
        if !lane.isCurrent { fail("a completion ran off the main lane") }
        // A submission made while the close ends may complete after it.
        let endsLate = ["cancelled", "rejected(closed)"].contains(outcome.text)
        if !isLate, !endsLate, isClosed.withLock({ $0 }) {
            fail("a completion came after the close: \(outcome)")
        }
        count(outcome)
        completed.add()
    }

    /// Waits, turn by turn of the main lane, until every submission has completed. A lost
    /// completion would hang here until the suite's time limit ends the test.
    func allCompleted() async {
        while completed.count < submitted.count {
            await lane.run { () -> Void in _ = usleep(100) }
        }
    }

    func verdict() -> [String] {
        var faults = faults.withLock { $0.map { $0 } } + nodes.reported.map(\.description)
        if completed.count != submitted.count {
            faults.append("\(submitted.count) submitted, \(completed.count) completed")
        }
        return faults
    }

    /// Checks that the run has the only references to the controller, its model and its view, and
    /// that nothing else survives them.
    func checkNothingIsLeft() async {
        let (controller, view) = held.withLock { held in
            defer { held = ReleasableObjects() }
            return (Unowned(held.controller), Unowned<AnyObject>(held.view))
        }
        // Workers and the freeing lane release their references soon.
        var turns = 0
        while turns < 10_000,
            nodes.numberAlive > 0 || controller.value != nil || model.value != nil
                || view.value != nil
        {
            turns += 1
            await lane.run { () -> Void in _ = usleep(1000) }
        }
        if controller.value != nil { fail("the controller was not released") }
        if model.value != nil { fail("the model was not released") }
        if view.value != nil { fail("the view was not released") }
        if nodes.numberAlive > 0 { fail("\(nodes.numberAlive) nodes were not released") }
    }

    func count(_ outcome: UpdateOutcome) {
        let name = outcome.text.prefix { $0 != "(" }
        outcomes.withLock { $0[String(name), default: 0] += 1 }
    }

    func fail(_ fault: String) { faults.withLock { $0.append(fault) } }

    /// The number of each outcome, and the number of measurements.
    var summary: String {
        let counts = outcomes.withLock { $0.sorted { $0.key < $1.key } }
        return (["\(ending)"] + counts.map { "\($0.key) \($0.value)" })
            .joined(separator: ", ") + "; measured \(nodes.measured)"
    }
}
