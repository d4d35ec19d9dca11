import CollectionElements
import Synchronization

/// Step 3: one change set after the other is prepared, each fanned out to the workers.
///
/// The lane is free while workers measure; the next change set begins when this one has joined.
/// Everything that changes belongs to the editing lane.
final class Preparer: @unchecked Sendable {  // editing-lane confined
    private unowned let core: PipelineCore
    private let lane: any Lane
    private var waiting = FIFO<Submission>()
    private var isBusy = false

    init(core: PipelineCore) {
        self.core = core
        lane = core.environment.makeLane(label: "\(core.configuration.name).editing")
    }

    /// Takes in an accepted change set; from the main lane.
    func add(_ submission: Submission) {
        // The work holds the core, so that it outlives a dropped controller until it has joined.
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

    /// Step 3 of a change set that brings nothing to prepare; on any lane, behind all sets before it.
    func skip(_ submission: Submission, _ core: PipelineCore) {
        finish(submission, core, start(submission, core))
    }

    private func start(_ submission: Submission, _ core: PipelineCore) -> Duration {
        let now = core.observe(.measuringStarted, submission.id, submission.context) {
            $0.elementCount = submission.workCount
        }
        submission.arrived(at: now)
        return now
    }

    /// Step 4: back to the main lane, behind everything that went there before.
    private func finish(_ submission: Submission, _ core: PipelineCore, _ start: Duration) {
        let now = core.observe(
            .measuringFinished,
            submission.id,
            submission.context,
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
        // Small enough to balance and to keep the order of work, large enough that taking a part
        // costs nothing beside it.
        let grain = max(1, min(64, count / (max(1, core.environment.workerCount) * 8)))
        let work = submission.takeWork()
        let (plan, rest) = PreparationPlan(work, grain: grain).split(after: work.limit)
        if let rest, core.configuration.measuringPolicy.measuresRest { submission.putOff(rest) }
        core.environment.fork(
            parts: plan.parts.count,
            joinOn: lane,
            body: { part in core.prepare(submission, plan, part) },
            join: join
        )
    }
}

extension PipelineCore {
    /// Prepares some of the elements of a change set; on a worker.
    func prepare(_ submission: Submission, _ plan: PreparationPlan, _ part: Int) {
        plan.forEach(inPart: part) { content in
            let preparation = content.element.prepare(content) {
                isCancelled.load(ordering: .acquiring)
            }
            report(preparation, of: content, submission)
        }
    }

    /// Lets the layout delegate lay out the new map of a change set; on a worker.
    func layOut(_ submission: Submission) {
        guard let layoutDelegate, let context = submission.layoutContext,
            !isCancelled.load(ordering: .acquiring)
        else { return }
        // Which node takes a new model is settled whether or not the layout measures it; of models alone none does.
        for content in submission.reconfigured + submission.remeasured.filter(\.mayReplaceNode)
        where itemMaker.makesNodes || content.hasProvider {
            report(content.element.allocate(content), of: content, submission)
        }
        let map = submission.newMap
        do {
            let measurer = LayoutMeasurer(core: self, submission: submission)
            if let layout = try layoutDelegate.layOut(map, in: context, measurer) {
                submission.setLayout(layout)
            }
        } catch {
            observe(.layoutFailed, submission.id, submission.context) { $0.error = error }
        }
    }

    private func report(
        _ preparation: CollectionElement.Preparation,
        of content: ElementContent,
        _ submission: Submission
    ) {
        if case .failed(let error) = preparation { report(error, of: content, submission) }
    }

    /// Tells that a content failed, once: a layout may ask for it again and again.
    func report(_ error: any Error, of content: ElementContent, _ submission: Submission) {
        guard content.noteFailureTold() else { return }
        let failure = ElementFailure(
            submission: submission.id,
            content: content,
            dataSourcePath: submission.newMap.path(of: content.element),
            viewPath: visibleMap.path(of: content.element),
            error: error
        )
        submission.failed(failure)
        observe(.elementFailed, submission.id, submission.context) {
            $0.error = error
            $0.failedElement = failure
        }
    }
}
