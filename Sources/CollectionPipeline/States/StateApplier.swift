import CollectionElements

/// Applies states, whatever their type is; on the main lane.
protocol StateApplying: AnyObject {
    /// Whether every state that was applied is submitted, or was rejected.
    var isEmpty: Bool { get }

    /// The state that is being compared, and since when.
    var comparison: Stall? { get }

    /// The states that are being compared or wait for it, in their order, and since when.
    var comparisons: [Stall] { get }

    /// The controller closes: whatever is not submitted is rejected.
    func closed()
}

/// Does what an ``ApplyQueue`` says: compares on a worker, and submits on the main lane what came of it.
///
/// Nobody else changes the data source's state, so what was compared is still what is there when the result comes
/// in, whatever the pipeline did meanwhile.
// Confined to the main lane.
final class StateApplier<State: CollectionState>: StateApplying, @unchecked Sendable {
    /// A state on its way.
    struct Request: Sendable {
        let caller: StateCaller
        let state: State
        let isAnimated: Bool
        /// Whether to replace everything, without comparing.
        let reloads: Bool

        var id: SubmissionID { caller.id }
    }

    // The core owns this and the data source.
    private unowned let core: PipelineCore
    private unowned(unsafe) let source: SnapshotDataSource<State>
    private let options: DifferenceOptions
    /// Whether the controller closes; read by the comparison too.
    private let closing = Closing()
    private var queue = ApplyQueue<Request>()
    /// Since when the last of those under way is being compared; nil where it waits to come in, or there is none.
    private var comparingSince: Duration?

    init(_ core: PipelineCore, _ source: SnapshotDataSource<State>) {
        self.core = core
        self.source = source
        var options = source.options
        options.profile = core.configuration.profile
        if options.duplicates == .automatic { options.duplicates = .refuse }
        self.options = options
    }

    var isEmpty: Bool { queue.isEmpty }

    var comparison: Stall? {
        comparingSince.flatMap { since in
            queue.underWay.last.map { Stall(wait: .comparing, submission: $0.id, since: since) }
        }
    }

    var comparisons: [Stall] {
        // Of those under way, all are told of while one is compared; then it waits like any other submission.
        let requests = (comparingSince == nil ? [] : queue.underWay) + queue.waiting
        return requests.map {
            Stall(wait: .comparing, submission: $0.id, since: $0.caller.arrival)
        }
    }

    /// A state has come to the main lane.
    func arrived(_ request: Request) {
        guard core.shutdown.isOpen else { return reject(request, core.closingError) }
        if queue.arrived(request) { begin() }
        // The one that is compared is asked for its cancellation, and told of it where it waits to come in.
        guard queue.underWay.last?.id != request.id else { return }
        request.caller.cancellation.onCancel { [weak self, id = request.id, lane = core.lane] in
            lane.enqueue { [weak self] in self?.cancelled(id) }
        }
    }

    private func cancelled(_ id: SubmissionID) {
        guard let request = queue.cancelled({ $0.id == id }) else { return }
        cancel(request)
        core.proceed()
    }

    func closed() {
        closing.begin()
        comparingSince = nil
        for request in queue.closed() { reject(request, core.closingError) }
    }

    /// Begins with the newest of those that wait.
    private func begin() {
        while true {
            let (target, cancelled) = queue.begin { $0.caller.cancellation.isCancelled }
            for request in cancelled { cancel(request) }
            guard let target else { return core.proceed() }
            // Without a first load there is nothing to compare with.
            let replaces = !core.sourceState.hasLoaded || queue.underWay.contains { $0.reloads }
            if !replaces || options.duplicates == .refuse {
                return compare(target.id, with: replaces ? State() : source.state, replaces)
            }
            let reload = Comparison(reloading: target.state)
            guard let error = faultOfLimits(reload.shape) else { return submit(target, reload) }
            if let failed = queue.failed() { reject(failed, error) }
        }
    }

    /// Compares the one under way on a worker.
    private func compare(_ id: SubmissionID, with base: State, _ replaces: Bool) {
        let (core, options, requests, closing) = (core, options, queue.underWay, closing)
        let hasHeaders = source.makeHeader != nil
        let cancellation = requests[requests.count - 1].caller.cancellation
        let result = Lock<Result<Comparison, UpdateError>?>(nil)
        comparingSince = core.startTime()
        core.watch()
        core.environment.fork(parts: 1, joinOn: core.lane) { _ in
            let comparison = Self.compare(requests, with: base, options, hasHeaders: hasHeaders) {
                cancellation.isCancelled || closing.hasBegun
            }
            result.withLock {
                // What may be in it once is looked for there all the same.
                $0 = comparison.map { replaces ? $0.asReload : $0 }
            }
        } join: { [self, core] in
            guard let result = result.withLock({ $0.take() }) else { return }
            withExtendedLifetime(core) { compared(id, result) }
        }
    }

    /// Why a state is too large, if it is.
    private func faultOfLimits(_ shape: HierarchyShape) -> UpdateError? {
        do throws(HierarchyUpdateError) {
            try core.configuration.limits.check(shape)
            return nil
        } catch {
            return UpdateError(error, dataSourceName: core.dataSourceName)
        }
    }

    /// The comparison of the one under way has ended, unless a close has come before.
    private func compared(_ id: SubmissionID, _ result: Result<Comparison, UpdateError>) {
        guard let target = queue.underWay.last, target.id == id else { return }
        comparingSince = nil
        switch result {
        case .failure(let error) where error.code == .cancelled: fail { self.cancel($0) }
        case .failure(let error):
            fail { self.reject($0, error) }
        case .success(let comparison):
            if let error = faultOfLimits(comparison.shape) {
                fail { self.reject($0, error) }
            } else {
                submit(target, comparison)
            }
        }
    }

    /// The one under way comes in, outside of any batch and when there is room.
    private func submit(_ target: Request, _ comparison: Comparison) {
        core.receive(
            Visitor(
                id: target.id,
                context: target.caller.context,
                needsRoom: core.configuration.backlogPolicy == .suspend,
                cancellation: target.caller.cancellation,
                submit: { [self] in
                    target.caller.cancellation.comeIn()
                    comeIn(target, comparison)
                },
                sendAway: { [self] reason in
                    switch reason {
                    case .cancelled: fail { self.cancel($0) }
                    // The close tells this one with the others.
                    case .closing: break
                    }
                }
            )
        )
    }

    private func comeIn(_ target: Request, _ comparison: Comparison) {
        // No key paths here, which take as long as a few edits where a type is generic.
        let isAnimated = queue.underWay.contains { $0.isAnimated }
        let requests = queue.submitted()
        let superseded = requests.dropLast().map { $0.caller }
        for caller in superseded { caller.cancellation.comeIn() }
        let (former, formerShape) = (source.state, source.shape)
        if comparison.changesNothing, core.isAsSubmitted {
            source.replace(with: comparison.accepted, comparison.shape)
            core.join(target.caller, superseding: superseded)
            core.free([former] + requests.map { $0.state }, like: [formerShape, source.shape])
            return begin()
        }
        let submission = try? core.performBatch(
            .rejects,
            id: target.id,
            animated: isAnimated,
            context: target.caller.context,
            completion: { [core, completion = target.caller.completion] result in
                for caller in superseded { core.completed(caller, inside: result) }
                completion(result)
            }
        ) { recorder in
            // Below, where nothing is submitted.
            core.admission.batch?.restoresModel = true
            source.replace(with: comparison.accepted, comparison.shape)
            source.sectionsWithEdits = comparison.sectionsWithEdits
            guard let record = comparison.record else { return recorder.reloadData() }
            for operation in record.operations { recorder.record(operation) }
        }
        if submission == nil {
            source.replace(with: former, formerShape)
        }
        source.sectionsWithEdits = nil
        core.free([former] + requests.map { $0.state }, like: [formerShape, source.shape])
        begin()
    }

    // MARK: What is not submitted

    /// The one under way ends as `end` says; those that it would have superseded go on without it.
    private func fail(_ end: (Request) -> Void) {
        if let failed = queue.failed() { end(failed) }
        begin()
    }

    private func cancel(_ request: Request) {
        let caller = request.caller
        core.complete([caller.completion], caller.id, .cancelled, context: caller.context)
    }

    private func reject(_ request: Request, _ error: UpdateError) {
        let (caller, error) = (request.caller, core.located(error, request.id))
        core.reject(error, completions: [caller.completion], context: caller.context)
    }
}
