import CollectionElements
import CollectionPipeline
import Foundation
import PipelineTestSupport
import PipelineTesting

/// One run: eight threads and as many tasks submit everything at once to one controller, whose view is
/// busy and whose nodes fail; at the end everything has completed once, and nothing was wrong.
final class StressRun: @unchecked Sendable {  // the maps below are guarded as they say
    let seed: UInt64
    private let submissionsEach: Int
    private let nodes: WatchedNodes
    private let controller: DataController<ReferenceModel>
    private let view: FaultyView
    private let submitted = Counter()
    private let completed = Counter()
    private let outcomes = Lock<[String: Int]>([:])
    private let isClosed = Lock(false)
    private let faults = Lock<[String]>([])

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
        let checker = SnapshotChecker(model: model)
        view = FaultyView(fates: fates, check: checker.check) { nodes.report($0) }
        let lane = JitteredLane(EmulatedMainLane(), jitter)
        controller = DataController(
            dataSource: ModelBox(model: model).model,
            view: view,
            configuration: configuration,
            lane: lane,
            environment: JitteredEnvironment(DispatchEnvironment(workerCount: 3), jitter),
            observer: RejectionObserver(lane: lane, model: model)
        )
        checker.report = { nodes.report($0) }
        let core = Unowned(controller)
        model.isDiverged = { core.value?.divergedSince != nil }
        model.acceptedGeneration = { core.value?.pendingMap.generation ?? 0 }
    }

    /// Runs to the end; what was wrong, or nothing.
    func run() async -> [String] {
        var random = SeededGenerator(seed: seed &+ 1)
        let closesEarly = random.next(below: 3) == 0
        let seeds = (0..<16).map { _ in random.next() }
        let closing = random.next()
        await withTaskGroup(of: Void.self) { group in
            for (index, seed) in seeds.enumerated() {
                if index < 8 {
                    group.addTask { await self.submitFromThread(seed) }
                } else {
                    group.addTask { await self.submitFromTask(seed) }
                }
            }
            if closesEarly { group.addTask { await self.close(closing, early: true) } }
        }
        if !closesEarly { await close(closing, early: false) }
        await allCompleted()
        return verdict()
    }

    // MARK: Submitting

    /// Submits from a thread of its own, with completions.
    private func submitFromThread(_ seed: UInt64) async {
        _ = await suspend { (resume: @escaping @Sendable (Bool) -> Void) in
            Thread.detachNewThread {
                var random = SeededGenerator(seed: seed)
                for _ in 0..<self.submissionsEach {
                    self.submitOnce(&random)
                    usleep(UInt32(random.next(below: 200)))
                }
                resume(true)
            }
        }
    }

    private func submitOnce(_ random: inout SeededGenerator) {
        let seed = random.next()
        switch random.next(below: 12) {
        case 0: onMain { try $0.relayoutAllNodes(completion: $1) }
        case 1:
            onMain { try $0.relayoutItems(at: [ItemPath(section: 0, item: 0)], completion: $1) }
        case 2:
            // A single edit on the main lane, which is never refused for want of room.
            onMain { controller, completion in
                do throws(UpdateError) {
                    try controller.beginUpdates()
                } catch {
                    // It has no completion to tell, and nothing has changed.
                    return self.didComplete(.rejected(error), isLate: false)
                }
                if let path = controller.dataSource.insertAtTop() {
                    try controller.insertItems(at: [path])
                }
                if controller.divergedSince != nil { try controller.reloadData(completion: nil) }
                try controller.endUpdates(completion: completion)
            }
        case 3: onMain { try $0.reloadData(completion: $1) }
        case 4:
            controller.lane.enqueue { [controller] in
                guard controller.isOpen else { return }
                controller.environmentDidChange(Traits(textScale: Double(seed % 3)))
            }
        case 5: controller.waitUntilAllUpdatesAreProcessed()
        case 6:
            enqueue { model, changes in
                var random = SeededGenerator(seed: seed)
                model.lie(&random, &changes)
            }
        case 7: enqueue { _, _ in throw PlannedFailure() }
        default: enqueue(Self.editing(seed))
        }
    }

    private static func editing(
        _ seed: UInt64
    ) -> @Sendable (ReferenceModel, inout BatchRecorder) throws -> Void {
        { model, changes in
            var random = SeededGenerator(seed: seed)
            model.edit(&random, &changes)
        }
    }

    private func enqueue(
        _ updates: @escaping @Sendable (ReferenceModel, inout BatchRecorder) throws -> Void
    ) {
        submitted.add()
        let isLate = isClosed.withLock { $0 }
        controller.enqueueBatchUpdates(animated: true, updates) {
            self.didComplete($0.outcome, isLate: isLate)
        }
    }

    /// Makes a synchronous call on the main lane, unless the controller is closed by then.
    private func onMain(
        _ call:
            @escaping @Sendable (DataController<ReferenceModel>, @escaping UpdateCompletion)
            throws -> Void
    ) {
        submitted.add()
        controller.lane.enqueue { [self] in
            guard controller.isOpen else {
                return didComplete(.cancelled, isLate: true)
            }
            // A refusal is thrown, and the completion is told as well.
            try? call(controller) { [self] in didComplete($0.outcome, isLate: false) }
        }
    }

    /// Submits with `async`, and is cancelled now and then.
    private func submitFromTask(_ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<submissionsEach {
            let seed = random.next()
            submitted.add()
            let task = Task { [controller] in
                if seed % 5 == 0 { return try await controller.reloadData() }
                return try await controller.performBatchUpdates(Self.editing(seed))
            }
            if random.next(below: 6) == 0 { task.cancel() }
            switch await task.result {
            case .success(let outcome): count(outcome)
            case .failure(let error as UpdateError):
                count(error.code == .cancelled ? .cancelled : .rejected(error))
            case .failure(let error): fail("an unexpected error: \(error)")
            }
            completed.add()
        }
    }

    // MARK: Ending

    private func close(_ seed: UInt64, early: Bool) async {
        var random = SeededGenerator(seed: seed)
        if early { usleep(UInt32(random.next(below: 20_000))) }
        let draining = random.next(below: 2) == 0
        let deadline: Duration? =
            random.next(below: 2) == 0 ? .microseconds(random.next(below: 3000)) : nil
        await controller.close(draining: draining, deadline: deadline)
        isClosed.withLock { $0 = true }
    }

    private func didComplete(_ outcome: UpdateOutcome, isLate: Bool) {
        if !controller.lane.isCurrent { fail("a completion ran off the main lane") }
        // A submission that is made while the close ends may be told so after it.
        if !isLate, outcome.text != "cancelled", isClosed.withLock({ $0 }) {
            fail("a completion came after the close: \(outcome)")
        }
        count(outcome)
        completed.add()
    }

    /// Turns of the main lane pass until every submission has completed; a lost completion would
    /// hang here, and the time limit of the suite would tell.
    private func allCompleted() async {
        while completed.count < submitted.count {
            await controller.lane.run { () -> Void in _ = usleep(100) }
        }
    }

    private func verdict() -> [String] {
        var faults = faults.withLock { $0.map { $0 } } + nodes.reported
        if completed.count != submitted.count {
            faults.append("\(submitted.count) submitted, \(completed.count) completed")
        }
        return faults
    }

    private func count(_ outcome: UpdateOutcome) {
        let name = outcome.text.prefix { $0 != "(" }
        outcomes.withLock { $0[String(name), default: 0] += 1 }
    }

    private func fail(_ fault: String) { faults.withLock { $0.append(fault) } }

    /// How often each outcome occurred, and what was measured.
    var summary: String {
        let counts = outcomes.withLock { $0.sorted { $0.key < $1.key } }
        return counts.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            + "; measured \(nodes.measured)"
    }
}

extension DataController {
    /// Whether synchronous calls are still allowed. Main lane.
    fileprivate var isOpen: Bool { !isClosed }
}

/// Hands a model over to its controller while the run keeps a way to look at it from the main lane.
private struct ModelBox: @unchecked Sendable {  // used on the main lane only
    let model: ReferenceModel
}

private final class Unowned<Value: AnyObject>: @unchecked Sendable {  // set once
    weak var value: Value?
    init(_ value: Value) { self.value = value }
}

/// Lets the model forget what it noted for a latch that was refused.
private final class RejectionObserver: PipelineObserver, @unchecked Sendable {
    // Refusals happen on the main lane, where the model lives.
    private let lane: any Lane
    private weak var model: ReferenceModel?

    init(lane: any Lane, model: ReferenceModel) {
        self.lane = lane
        self.model = model
    }

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
