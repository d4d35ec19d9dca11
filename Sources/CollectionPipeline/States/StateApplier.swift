import CollectionElements

/// An object that applies states of any type, on the main lane.
protocol StateApplying: AnyObject {
    /// Whether every applied state has been submitted or rejected.
    var isEmpty: Bool { get }

    /// The state that is being compared, with the time at which the comparison began.
    var comparison: Stall? { get }

    /// The states that are being compared or wait for a comparison, in order, with their times of
    /// arrival.
    var comparisons: [Stall] { get }

    /// Rejects all states that are not submitted, because the controller closes.
    func closed()
}

/// The driver of an ``ApplyQueue``: it compares states on a worker, and submits the results on the
/// main lane.
///
/// No other code changes the data source's state, so the compared state is still the current one
/// when the result is submitted, whatever the pipeline did in the meantime.
// Unchecked: confined to the main lane.
final class StateApplier<State: CollectionState>: StateApplying, @unchecked Sendable {
    /// A state that was applied and has not been submitted yet.
    struct Request: Sendable {
        let caller: StateCaller
        let state: State
        let isAnimated: Bool
        /// Whether to replace all content instead of recording edits.
        let reloads: Bool

        var id: SubmissionID { caller.id }
    }

    // The core owns this object and the data source.
    private unowned let core: PipelineCore
    private unowned(unsafe) let source: SnapshotDataSource<State>
    private let options: DifferenceOptions
    /// The flag of a close, which the comparison reads too.
    private let closing = Closing()
    private var queue = ApplyQueue<Request>()
    /// The time at which the current comparison began; `nil` if the compared state waits to be
    /// admitted, or no state is in progress.
    private var comparingSince: Duration?

    init(_ core: PipelineCore, _ source: SnapshotDataSource<State>) {
        self.core = core
        self.source = source
        var options = source.options
        options.profile = core.configuration.profile
        if options.duplicates == .automatic { options.duplicates = .reject }
        self.options = options
    }

    var isEmpty: Bool { queue.isEmpty }

    var comparison: Stall? {
        comparingSince.flatMap { since in
            queue.underWay.last.map { Stall(wait: .comparing, submission: $0.id, since: since) }
        }
    }

    var comparisons: [Stall] {
        // While one state is compared, all states in progress are reported. After that, the
        // compared state waits like any other submission.
        let requests = (comparingSince == nil ? [] : queue.underWay) + queue.waiting
        return requests.map {
            Stall(wait: .comparing, submission: $0.id, since: $0.caller.arrival)
        }
    }

    /// Receives a state on the main lane.
    func arrived(_ request: Request) {
        guard core.shutdown.isOpen else { return reject(request, core.closingError) }
        if queue.arrived(request) == .begin { begin() }
        // A comparison checks the cancellation of its own state. While that state waits to be
        // admitted, the admission handles its cancellation.
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

    /// Begins with the newest of the waiting states.
    private func begin() {
        while true {
            let (target, cancelled) = queue.begin { $0.caller.cancellation.isCancelled }
            for request in cancelled { cancel(request) }
            guard let target else { return core.proceed() }
            // Before a first load there is nothing to compare with.
            let replaces = !core.sourceState.hasLoaded || queue.underWay.contains { $0.reloads }
            if !replaces || options.duplicates == .reject {
                return compare(target.id, with: replaces ? State() : source.state, replaces)
            }
            let reload = Comparison(reloading: target.state)
            guard let error = faultOfLimits(reload.shape) else { return submit(target, reload) }
            if let failed = queue.failed() { reject(failed, error) }
        }
    }

    /// Compares the current state on a worker.
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
                // The comparison runs even for a reload, because it finds duplicate identifiers.
                $0 = comparison.map { replaces ? $0.asReload : $0 }
            }
        } join: { [self, core] in
            guard let result = result.withLock({ $0.take() }) else { return }
            withExtendedLifetime(core) { compared(id, result) }
        }
    }

    /// Returns an error if a state is too large, and `nil` otherwise.
    private func faultOfLimits(_ shape: HierarchyShape) -> UpdateError? {
        do throws(HierarchyUpdateError) {
            try core.configuration.limits.check(shape)
            return nil
        } catch {
            return UpdateError(error, dataSourceName: core.dataSourceName)
        }
    }

    /// Handles the end of a comparison, unless a close precedes it.
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

    /// Submits the current state, outside any batch and when the backlog has capacity.
    private func submit(_ target: Request, _ comparison: Comparison) {
        core.receive(
            IncomingSubmission(
                id: target.id,
                callerContext: target.caller.callerContext,
                needsCapacity: core.configuration.backlogPolicy == .suspend,
                cancellation: target.caller.cancellation,
                submit: { [self] in
                    target.caller.cancellation.markAdmitted()
                    record(target, comparison)
                },
                onRejection: { [self] reason in
                    switch reason {
                    case .cancelled: fail { self.cancel($0) }
                    // The close rejects this state together with the others.
                    case .closing: break
                    }
                }
            )
        )
    }

    private func record(_ target: Request, _ comparison: Comparison) {
        // Key paths are avoided here: in a generic type they take as long as a few edits.
        let isAnimated = queue.underWay.contains { $0.isAnimated }
        let requests = queue.submitted()
        let superseded = requests.dropLast().map { $0.caller }
        for caller in superseded { caller.cancellation.markAdmitted() }
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
            callerContext: target.caller.callerContext,
            completion: { [core, completion = target.caller.completion] result in
                for caller in superseded { core.completed(caller, inside: result) }
                completion(result)
            }
        ) { recorder in
            // The previous state is restored below if the submission fails.
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

    // MARK: States that are not submitted

    /// Ends the current state with `end`. The states that it would have superseded wait again.
    private func fail(_ end: (Request) -> Void) {
        if let failed = queue.failed() { end(failed) }
        begin()
    }

    private func cancel(_ request: Request) {
        let caller = request.caller
        core.complete(
            [caller.completion],
            caller.id,
            .cancelled,
            callerContext: caller.callerContext
        )
        core.free([request.state], like: [request.state.shape])
    }

    private func reject(_ request: Request, _ error: UpdateError) {
        let (caller, error) = (request.caller, core.located(error, request.id))
        core.reject(error, completions: [caller.completion], callerContext: caller.callerContext)
        core.free([request.state], like: [request.state.shape])
    }

    /// The result of a comparison.
    struct Comparison: Sendable {
        /// The state that the data source will have: the newest state, without actions to be
        /// performed once.
        let accepted: State
        /// The shape of that state.
        let shape: HierarchyShape
        /// The edits to record; `nil` for a reload.
        var record: HierarchyChangeSet?
        var sectionsWithEdits: SectionSet?

        /// Whether the state has the same content as the previous one.
        var changesNothing: Bool { record?.isEmpty == true }

        /// Creates the result for a reload.
        init(reloading state: State) { self.init(state.accepted, state.shape) }

        init(_ accepted: State, _ shape: HierarchyShape) {
            self.accepted = accepted
            self.shape = shape
        }

        /// The result as a reload, without the edits that the comparison found.
        var asReload: Comparison { Comparison(accepted, shape) }
    }

    /// A flag for the close of the controller, which the main lane sets and a comparison reads.
    private final class Closing: Sendable {
        private let state = Lock(false)

        var hasBegun: Bool { state.withLock { $0 } }

        func begin() { state.withLock { $0 = true } }
    }

    /// Compares the newest state with `base`, on a worker.
    ///
    /// - Parameters:
    ///   - requests: The states that the newest one supersedes, followed by that state.
    ///   - base: The state that the data source has.
    ///   - options: The options of the comparison.
    ///   - hasHeaders: Whether sections have headers.
    ///   - isCancelled: A closure that returns whether to cancel the comparison.
    /// - Returns: The edits that lead to the newest state, or an error.
    static func compare(
        _ requests: [Request],
        with base: State,
        _ options: DifferenceOptions,
        hasHeaders: Bool,
        isCancelled: () -> Bool
    ) -> Result<Comparison, UpdateError> {
        // Not one into the next, which would lose the marks of items that the next one lacks.
        var state = requests[requests.count - 1].state
        for older in requests.dropLast().reversed() { state = state.superseding(older.state) }
        do throws(DifferenceError) {
            let update = try state.changes(from: base, options: options, isCancelled: isCancelled)
            let (old, new) = (base.shape, state.shape)
            guard update.oldShape == old, update.newShape == new else {
                return .failure(
                    UpdateError(
                        .invalidState,
                        "changes(from:options:isCancelled:) returned an update from \(update.oldShape) to"
                            + " \(update.newShape), but the states are \(old) and \(new)"
                    )
                )
            }
            var comparison = Comparison(state.accepted, new)
            var record = HierarchyChangeSet(recording: update)
            if hasHeaders {
                let (sections, oldSections) = (state.sections, base.sections)
                let others = sections.indices.filter { section in
                    let oldSection = update.oldSection(for: section)
                    return oldSection.map { oldSections[$0] != sections[section] } ?? false
                }
                if !others.isEmpty {
                    record.reloadSupplementaries(ofKind: .header, in: SectionSet(others))
                }
            }
            comparison.record = record
            comparison.sectionsWithEdits = update.newSectionsWithEdits
            return .success(comparison)
        } catch {
            return .failure(error.code == .cancelled ? .cancelledComparison : UpdateError(error))
        }
    }
}

extension UpdateError {
    /// The error of a cancelled comparison.
    fileprivate static var cancelledComparison: UpdateError {
        UpdateError(.cancelled, "The task was cancelled while its state was compared")
    }

    /// Creates the error for an applied state that cannot be compared.
    init(_ error: DifferenceError) {
        self.init(.invalidState, error.message, underlyingError: error)
    }
}

extension ValidatedChangeSet {
    /// The sections, by their current index, in which items were removed or inserted. New sections
    /// need not be included.
    fileprivate var newSectionsWithEdits: SectionSet {
        var sections = SectionSet()
        for edit in itemRemovals {
            if let section = newSection(for: edit.path.section) { sections.insert(section) }
        }
        for edit in itemInsertions { sections.insert(edit.path.section) }
        return sections
    }
}

/// The states that were applied and are not submitted yet: one is being compared with the current
/// state, and others wait. When the comparison has ended, the newest waiting state is compared next
/// and supersedes the others.
///
/// A value that receives events and returns actions. The main lane owns it.
///
/// | a state | becomes | until |
/// |---|---|---|
/// | arrives while none is in progress | current | it is submitted, fails or is cancelled |
/// | arrives while another is in progress | waiting | that one has ended; the newest then becomes current, and supersedes those before it |
/// | waits or is superseded, and its task is cancelled | removed | |
/// | is superseded, and the state that supersedes it is not submitted | waiting | as above |
struct ApplyQueue<Request> {
    /// The states in progress: the last one is compared or waits to be admitted, and supersedes the
    /// others.
    private(set) var underWay: [Request] = []

    /// The states that have arrived since the comparison began.
    private(set) var waiting: [Request] = []

    var isEmpty: Bool { underWay.isEmpty && waiting.isEmpty }

    enum Arrival { case begin, wait }

    /// Adds a state, with which the caller must begin if no state is in progress.
    mutating func arrived(_ request: Request) -> Arrival {
        waiting.append(request)
        return underWay.isEmpty ? .begin : .wait
    }

    /// Begins with the newest waiting state, if there is one.
    ///
    /// - Parameter isCancelled: A closure that returns whether a state's task was cancelled; such a
    ///   state is skipped.
    /// - Returns: The state to compare, and the cancelled ones, in order.
    mutating func begin(
        _ isCancelled: (Request) -> Bool
    ) -> (target: Request?, cancelled: [Request]) {
        let cancelled = waiting.filter(isCancelled)
        underWay = waiting.filter { !isCancelled($0) }
        waiting = []
        return (underWay.last, cancelled)
    }

    /// Records that the current state is submitted.
    ///
    /// - Returns: The states that it supersedes, followed by the current state.
    mutating func submitted() -> [Request] { exchange(&underWay, with: []) }

    /// Records that the current state will not be submitted, and returns it. The states that it
    /// would have superseded wait again.
    mutating func failed() -> Request? {
        let failed = underWay.popLast()
        waiting = exchange(&underWay, with: []) + waiting
        return failed
    }

    /// Records that the task of a state that is not being compared was cancelled.
    ///
    /// - Returns: The state, unless it is the current one or no longer in the queue.
    mutating func cancelled(_ isCancelled: (Request) -> Bool) -> Request? {
        if let position = waiting.firstIndex(where: isCancelled) {
            return waiting.remove(at: position)
        }
        return underWay.dropLast().firstIndex(where: isCancelled).map { underWay.remove(at: $0) }
    }

    /// Closes the queue.
    ///
    /// - Returns: All states that were not submitted, in order.
    mutating func closed() -> [Request] {
        defer { (underWay, waiting) = ([], []) }
        return underWay + waiting
    }
}
