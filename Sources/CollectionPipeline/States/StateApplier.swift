import CollectionElements

/// Applies states, whatever their type is; on the main lane.
protocol StateApplying: AnyObject {
    /// Whether every state that was applied is submitted, or was rejected.
    var isEmpty: Bool { get }

    /// The controller closes: whatever is not submitted is rejected.
    func closed()
}

/// Does what an ``ApplyQueue`` says: compares on a lane of its own, and submits on the main lane what came of it.
///
/// Nobody else changes the data source's state, so what was compared is still what is there when the result comes
/// in, whatever the pipeline did meanwhile.
// Confined to the main lane.
final class StateApplier<State: CollectionState>: StateApplying, @unchecked Sendable {
    /// A state on its way.
    struct Request: Sendable {
        let id: SubmissionID
        let state: State
        let isAnimated: Bool
        /// Whether to replace everything, without comparing.
        let reloads: Bool
        let context: (any Sendable)?
        let cancellation: CancellationBox
        let completion: UpdateCompletion
    }

    // The core owns this and the data source.
    private unowned let core: PipelineCore
    private unowned(unsafe) let source: SnapshotDataSource<State>
    private let lane: LazyLane
    private let options: DifferenceOptions
    /// Whether the controller closes; read by the comparison too.
    private let closing = Closing()
    private var queue = ApplyQueue<Request>()

    init(_ core: PipelineCore, _ source: SnapshotDataSource<State>) {
        self.core = core
        self.source = source
        lane = LazyLane(core.environment, label: "\(core.configuration.name).comparing")
        var options = source.options
        options.profile = core.configuration.profile
        self.options = options
    }

    var isEmpty: Bool { queue.isEmpty }

    /// A state has come to the main lane.
    func arrived(_ request: Request) {
        guard core.shutdown.isOpen else { return reject(request, core.closingError) }
        if queue.arrived(request) { begin() }
        // The one that is compared is asked for its cancellation, and told of it where it waits to come in.
        guard queue.underWay.last?.id != request.id else { return }
        request.cancellation.onCancel { [weak self, lane = core.lane] in
            lane.enqueue { [weak self] in self?.cancelled(request.id) }
        }
    }

    private func cancelled(_ id: SubmissionID) {
        guard let request = queue.cancelled({ $0.id == id }) else { return }
        cancel(request)
        core.proceed()
    }

    func closed() {
        closing.begin()
        for request in queue.closed() { reject(request, core.closingError) }
    }

    /// Begins with the newest of those that wait.
    private func begin() {
        while true {
            let (target, cancelled) = queue.begin { $0.cancellation.isCancelled }
            for request in cancelled { cancel(request) }
            guard let target else { return core.proceed() }
            // Without a first load there is nothing to compare with.
            let replaces = !core.sourceState.hasLoaded || queue.underWay.contains(where: \.reloads)
            if !replaces || options.duplicates == .refuse {
                return compare(target.id, with: replaces ? State() : source.state, replaces)
            }
            guard let error = faultOfLimits(target.state) else {
                return submit(target, Comparison(state: target.state))
            }
            if let failed = queue.failed() { reject(failed, error) }
        }
    }

    /// Compares the one under way on a lane of its own.
    private func compare(_ id: SubmissionID, with base: State, _ replaces: Bool) {
        let (core, options, requests, closing) = (core, options, queue.underWay, closing)
        lane.lane.enqueue { [self] in
            // What may be in it once is looked for there all the same.
            let result = Self.compare(requests, with: base, options) {
                requests[requests.count - 1].cancellation.isCancelled || closing.hasBegun
            }.map {
                replaces ? Comparison(state: $0.state) : $0
            }
            core.lane.enqueue { [self, core] in
                withExtendedLifetime(core) { compared(id, result) }
            }
        }
    }

    /// Why a state is too large, if it is.
    private func faultOfLimits(_ state: State) -> UpdateError? {
        do throws(HierarchyUpdateError) {
            try core.configuration.limits.check(state.shape)
            return nil
        } catch {
            return UpdateError(error, dataSourceName: core.dataSourceName)
        }
    }

    /// The comparison of the one under way has ended, unless a close has come before.
    private func compared(_ id: SubmissionID, _ result: Result<Comparison, UpdateError>) {
        guard let target = queue.underWay.last, target.id == id else { return }
        switch result {
        case .failure(let error) where error.code == .cancelled: fail { self.cancel($0) }
        case .failure(let error):
            fail { self.reject($0, error) }
        case .success(let comparison):
            if let error = faultOfLimits(comparison.state) {
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
                context: target.context,
                needsRoom: core.configuration.backlogPolicy == .suspend,
                cancellation: target.cancellation,
                submit: { [self] in
                    target.cancellation.comeIn()
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
        let isAnimated = queue.underWay.contains(where: \.isAnimated)
        let superseded = queue.submitted().dropLast()
        for request in superseded { request.cancellation.comeIn() }
        let former = source.state
        let submission = try? core.performBatch(
            .rejects,
            id: target.id,
            animated: isAnimated,
            context: target.context,
            completion: { [core] result in
                for request in superseded { core.completed(request, inside: result) }
                target.completion(result)
            }
        ) { recorder in
            // Below, where nothing is submitted.
            core.admission.batch?.restoresModel = true
            source.current = comparison.state.accepted
            source.sectionsWithEdits = comparison.sectionsWithEdits
            guard let record = comparison.record else { return recorder.reloadData() }
            for operation in record.operations { recorder.record(operation) }
        }
        if submission == nil, !Mutant.keepsRejectedState.isActive { source.current = former }
        source.sectionsWithEdits = nil
        begin()
    }

    // MARK: What is not submitted

    /// The one under way ends as `end` says; those that it would have superseded go on without it.
    private func fail(_ end: (Request) -> Void) {
        if let failed = queue.failed() { end(failed) }
        begin()
    }

    private func cancel(_ request: Request) {
        core.complete([request.completion], request.id, .cancelled, context: request.context)
    }

    private func reject(_ request: Request, _ error: UpdateError) {
        let error = core.located(error, request.id)
        core.reject(error, completions: [request.completion], context: request.context)
    }
}

extension PipelineCore {
    /// A state ends that a later one superseded before it was submitted: the same as that one, or inside it.
    fileprivate func completed<State>(
        _ request: StateApplier<State>.Request,
        inside result: UpdateResult
    ) {
        var outcome = result.outcome
        switch outcome {
        case .deployed, .deployedByReload: outcome = .superseded(by: result.submission)
        case .rejected(var error):
            error.submission = request.id
            outcome = .rejected(error)
        case .refused(var error):
            error.submission = request.id
            outcome = .refused(error)
        default: break
        }
        request.completion(
            UpdateResult(
                submission: request.id,
                outcome: outcome,
                generation: result.generation,
                context: request.context
            )
        )
        observe(.completed, request.id, request.context)
    }
}
