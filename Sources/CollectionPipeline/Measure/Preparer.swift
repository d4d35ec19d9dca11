import CollectionElements
import Synchronization

/// Step 3: prepares one change set after the other, each in parallel on the workers.
///
/// The lane is free while workers measure; the next change set begins when the current one has
/// joined. All variable state belongs to the editing lane.
final class Preparer: @unchecked Sendable {  // editing-lane confined
    private unowned let core: PipelineCore
    private let lane: any Lane
    private var waiting = FIFO<Submission>()
    private var isBusy = false

    init(core: PipelineCore) {
        self.core = core
        lane = core.environment.makeLane(label: "\(core.configuration.name).editing")
    }

    /// Adds an accepted change set; called on the main lane.
    func add(_ submission: Submission) {
        // The closure retains the core, so that the work outlives a dropped controller until it has
        // joined.
        lane.enqueue { [self, core] in
            waiting.append(submission)
            startNext(core)
        }
    }

    private func startNext(_ core: PipelineCore) {
        while !isBusy, let submission = waiting.popFirst() {
            guard submission.needsPreparing else {
                skip(submission, core)
                continue
            }
            let start = start(submission, core)
            isBusy = true
            fork(submission, core) { [self] in
                isBusy = false
                finish(submission, core, start)
                startNext(core)
            }
        }
    }

    /// Performs step 3 of a change set without elements to prepare. It may be called on any lane,
    /// after step 3 of all earlier change sets.
    func skip(_ submission: Submission, _ core: PipelineCore) {
        finish(submission, core, start(submission, core))
    }

    private func start(_ submission: Submission, _ core: PipelineCore) -> Duration {
        let now = core.observe(.measuringStarted, submission.id, submission.callerContext) {
            $0.elementCount = submission.workCount
        }
        submission.arrived(at: now)
        return now
    }

    /// Begins step 4: returns to the main lane, after everything that was enqueued there before.
    private func finish(_ submission: Submission, _ core: PipelineCore, _ start: Duration) {
        let now = core.observe(
            .measuringFinished,
            submission.id,
            submission.callerContext,
            since: start
        ) {
            $0.elementCount = submission.workCount
        }
        submission.arrived(at: now)
        core.mainSerialQueue.perform { core.handOver(submission) }
    }

    private func fork(
        _ submission: Submission,
        _ core: PipelineCore,
        join: @escaping @Sendable () -> Void
    ) {
        guard submission.layoutContext == nil else {
            core.environment.fork(
                parts: 1,
                joinOn: lane,
                body: { _ in core.layOut(submission) },
                join: join
            )
            return
        }
        let count = submission.workCount
        // The parts are small enough to balance the load and to keep the order of work, and large
        // enough that the overhead of a part is negligible.
        let grain = max(1, min(64, count / (max(1, core.environment.workerCount) * 8)))
        let work = submission.takeWork()
        let (plan, rest) = PreparationPlan(work, grain: grain).split(after: work.limit)
        if let rest, core.configuration.measuringPolicy.measuresRest {
            submission.deferMeasuring(rest)
        }
        core.environment.fork(
            parts: plan.parts.count,
            joinOn: lane,
            body: { part in core.prepare(submission, plan, part) },
            join: join
        )
    }
}

extension PipelineCore {
    /// Prepares some of the elements of a change set, on a worker.
    func prepare(_ submission: Submission, _ plan: PreparationPlan, _ part: Int) {
        plan.forEach(inPart: part) { content in
            let preparation = content.element.prepare(content) {
                isCancelled.load(ordering: .acquiring)
            }
            report(preparation, of: content, submission)
        }
    }

    /// Lets the layout delegate lay out the new map of a change set, on a worker.
    func layOut(_ submission: Submission) {
        guard let layoutDelegate, let layoutContext = submission.layoutContext,
            !isCancelled.load(ordering: .acquiring)
        else { return }
        // The choice of the node that receives a new model does not depend on whether the layout
        // measures it. Elements with models alone have no nodes.
        for content in submission.reconfigured + submission.remeasured.filter(\.mayReplaceNode)
        where itemMaker.makesNodes || content.hasProvider {
            report(content.element.allocate(content), of: content, submission)
        }
        let map = submission.newMap
        do {
            let measurer = LayoutMeasurer(core: self, submission: submission)
            if let layout = try layoutDelegate.layOut(map, in: layoutContext, measurer) {
                submission.setLayout(layout)
            }
        } catch {
            observe(.layoutFailed, submission.id, submission.callerContext) { $0.error = error }
        }
    }

    private func report(
        _ preparation: CollectionElement.Preparation,
        of content: ElementContent,
        _ submission: Submission
    ) {
        if case .failed(let error) = preparation { report(error, of: content, submission) }
    }

    /// Reports that a content failed, once: a layout may request its size repeatedly.
    func report(_ error: any Error, of content: ElementContent, _ submission: Submission) {
        guard content.noteFailure() == .report else { return }
        let failure = ElementFailure(
            submission: submission.id,
            content: content,
            dataSourcePath: submission.newMap.path(of: content.element),
            viewPath: visibleMap.path(of: content.element),
            error: error
        )
        submission.failed(failure)
        observe(.elementFailed, submission.id, submission.callerContext) {
            $0.error = error
            $0.failedElement = failure
        }
    }
}

/// The deferred measurements of accepted change sets: the newest change set first, and within a
/// change set the nearest elements first.
///
/// A value that receives events and returns actions. The main lane owns it.
struct DeferredMeasurements {
    /// The approximate maximum number of elements that one update measures; the last part may
    /// exceed it. It is large enough to make the cost of an update comparatively small, and small
    /// enough that other requests do not wait long.
    static let stretch = 512

    private var plans: [(plan: PreparationPlan, nextPart: Int)] = []
    private var isUnderWay = false

    var isEmpty: Bool { plans.isEmpty }

    /// Adds the deferred part of a change set that was passed to the view.
    mutating func add(_ plan: PreparationPlan) {
        if !plan.parts.isEmpty { plans.append((plan, 0)) }
    }

    /// Drops all deferred measurements.
    mutating func removeAll() { plans = [] }

    /// Returns whether the caller has to enqueue a turn.
    ///
    /// - Parameter isPreparing: Whether other elements must be measured first; they precede
    ///   deferred ones.
    mutating func needsTurn(isPreparing: Bool) -> Bool {
        guard !isUnderWay, !isPreparing, !plans.isEmpty else {
            return false
        }
        isUnderWay = true
        return true
    }

    /// Begins a turn.
    ///
    /// - Returns: The contents to measure now; some may no longer be needed.
    mutating func beginTurn() -> [ElementContent] {
        var contents: [ElementContent] = []
        while contents.count < Self.stretch, let (plan, part) = plans.last {
            plan.forEach(inPart: part) { contents.append($0) }
            if part + 1 == plan.parts.count {
                plans.removeLast()
            } else {
                plans[plans.count - 1].nextPart += 1
            }
        }
        return contents
    }

    /// Records that the update of the turn has completed.
    mutating func turnEnded() { isUnderWay = false }
}
