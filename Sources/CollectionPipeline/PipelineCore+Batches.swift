import CollectionElements

// Step 0: recording. Nested batches collapse into one change set, which is submitted when the
// outermost one ends.

/// A batch that is being recorded.
final class OpenBatch {
    let id: SubmissionID
    /// How many ends are still to come.
    var depth = 1
    var changes = HierarchyChangeSet()
    var context: (any Sendable)?
    var completions: [UpdateCompletion] = []
    /// The first closure that threw dooms the whole record.
    var failure: UpdateError?
    /// Whether a closure has declared content current.
    var declaresContentCurrent = false
    var isOpen = true

    init(id: SubmissionID) { self.id = id }
}

/// What an updates closure records into.
///
/// It is valid while its closure runs. Records of nested batches join in the order in which they are
/// made.
public struct BatchRecorder: ChangeRecording {
    private let batch: OpenBatch

    init(_ batch: OpenBatch) { self.batch = batch }

    /// Appends one operation to the batch; nothing is validated.
    public mutating func record(_ operation: HierarchyChangeSet.Operation) {
        require(batch.isOpen, "A batch must be recorded into before it ends, but was afterwards")
        batch.changes.record(operation)
    }

    /// Says that with this batch nothing is older than in the data source: whatever the closures of
    /// refused submissions changed has been recorded again, here or before, or was put back in the model.
    ///
    /// When the batch is accepted, it ends ``Divergence/content(since:)``; it goes with the record when
    /// that is refused or dropped. The controller cannot check it: what was forgotten is
    /// shown as it was, and nothing says so any more.
    public mutating func declareContentCurrent() {
        require(batch.isOpen, "A batch must be recorded into before it ends, but was afterwards")
        batch.declaresContentCurrent = true
    }
}

/// A submission that waits for room in the backlog.
struct Suspended {
    let cancellation: CancellationBox
    let context: (any Sendable)?
    let completion: UpdateCompletion
    let run: () -> Void
}

extension PipelineCore {
    /// How a submission comes in, which decides what a full backlog means to it.
    enum Admission {
        /// It follows a change of the model and is never refused.
        case always
        /// It is refused when the backlog is full.
        case refusable
    }

    func beginUpdates(_ admission: Admission, id: SubmissionID? = nil) throws(UpdateError) {
        lane.requireCurrent("Recording updates")
        requireNotClosed()
        if let batch {
            batch.depth += 1
            return
        }
        let id = id ?? makeSubmissionID()
        if let refusal = refusal(admission) { throw located(refusal, id) }
        batch = OpenBatch(id: id)
    }

    func refusal(_ admission: Admission) -> UpdateError? {
        if phase != .open {
            return UpdateError(.closed, "Controller '\(configuration.name)' is closing")
        }
        if isLatching {
            let fault = UpdateError(
                .submissionDuringLatch,
                "A data source must not submit to its controller while it is asked for content"
            )
            latchFault = UpdateError(
                .dataSourceChangedDuringLatch,
                "The data source submitted to its controller while it was asked for content"
            )
            return fault
        }
        if admission == .refusable, ledger.backlog >= backlogLimit {
            return UpdateError(
                .backlogFull,
                "\(ledger.backlog) change sets are accepted and not yet deployed, and"
                    + " \(backlogLimit) is the limit; nothing was called"
            )
        }
        return nil
    }

    /// Ends one level; at the outermost one the record is submitted.
    @discardableResult
    func endUpdates(
        animated: Bool,
        context: (any Sendable)? = nil,
        completion: UpdateCompletion?
    ) throws(UpdateError) -> SubmissionID {
        lane.requireCurrent("Ending updates")
        guard let batch else {
            // The batch that this would end may have been cancelled by somebody else's close, of
            // which its owner need not know.
            let fault =
                refusal(.always)
                ?? UpdateError(.unbalancedEnd, "endUpdates() was called without beginUpdates()")
            let error = located(fault, makeSubmissionID())
            reject(error, completions: completion.map { [$0] } ?? [], context: context)
            throw error
        }
        if let completion {
            batch.completions.insert(
                completion,
                at: isActive(.completesOuterFirst) ? 0 : batch.completions.count
            )
        }
        if let context { batch.context = context }
        batch.depth -= 1
        guard batch.depth == 0 else {
            if let failure = batch.failure { throw failure }
            return batch.id
        }
        // Detached first, so that callbacks of the data source find no open batch.
        batch.isOpen = false
        self.batch = nil
        defer {
            runDeferred()
            resumeSuspended()
        }
        let request = SubmissionRequest(
            id: batch.id,
            isAnimated: animated,
            context: batch.context,
            completions: batch.completions,
            declaresContentCurrent: batch.declaresContentCurrent
        )
        if let failure = batch.failure { throw refuse(failure, request) }
        return try submit(batch.changes, request)
    }

    /// Runs `updates` in a batch, nested in the open one if there is one.
    @discardableResult
    func performBatch(
        _ admission: Admission,
        id: SubmissionID? = nil,
        animated: Bool,
        context: (any Sendable)?,
        completion: UpdateCompletion?,
        _ updates: (inout BatchRecorder) throws -> Void
    ) throws(UpdateError) -> SubmissionID {
        do {
            try beginUpdates(admission, id: id)
        } catch {
            reject(error, completions: completion.map { [$0] } ?? [], context: context)
            throw error
        }
        if let batch {
            var recorder = BatchRecorder(batch)
            do {
                try updates(&recorder)
            } catch {
                if batch.failure == nil {
                    batch.failure = located(
                        UpdateError(
                            .updatesThrew,
                            "The updates closure threw, so its whole record was dropped: \(error)",
                            underlyingError: error
                        ),
                        batch.id
                    )
                }
            }
        }
        return try endUpdates(animated: animated, context: context, completion: completion)
    }

    // MARK: From any thread

    /// Runs `work` on the main lane, outside every batch, when there is room in the backlog.
    ///
    /// `work` is given the number of its submission, and calls `completion` through it.
    func submitFromAnywhere(
        context: (any Sendable)?,
        cancellation: CancellationBox,
        completion: @escaping UpdateCompletion,
        _ work: @escaping @Sendable (PipelineCore, SubmissionID) -> Void
    ) {
        lane.enqueue { [self] in
            whenNoBatchIsOpen { [self] in
                guard phase == .open, !cancellation.isCancelled else {
                    return complete(
                        [completion],
                        makeSubmissionID(),
                        .cancelled,
                        context: context
                    )
                }
                let isFull = ledger.backlog >= backlogLimit || !suspended.isEmpty
                guard isFull, configuration.backlogPolicy == .suspend else {
                    return work(self, makeSubmissionID())
                }
                suspended.append(
                    Suspended(
                        cancellation: cancellation,
                        context: context,
                        completion: completion
                    ) { [self] in
                        work(self, makeSubmissionID())
                    }
                )
                cancellation.onCancel { [self] in
                    if isActive(.ignoresCancellation) { return }
                    lane.enqueue { [self] in cancelSuspended(cancellation) }
                }
            }
        }
    }

    /// Runs `work` now, or after another's batch that spans several turns, which must not swallow
    /// submissions of other threads; in the order of calling either way.
    func whenNoBatchIsOpen(_ work: @escaping () -> Void) {
        if batch == nil, deferred.isEmpty { work() } else { deferred.append(work) }
    }

    /// Lets what waits for the end of a batch go on, each in a turn of its own.
    private func runDeferred() {
        guard !deferred.isEmpty, !isRunningDeferred else { return }
        isRunningDeferred = true
        lane.enqueue { [self] in
            isRunningDeferred = false
            // The next batch that is open by now will call again.
            guard batch == nil else { return }
            deferred.popFirst()?()
            // A reload that was not needed any more completes nothing.
            notifyIfSynchronized()
            runDeferred()
        }
    }

    /// Lets as many suspended submissions in as there is room for; each in a turn of its own.
    func resumeSuspended() {
        // Once it is closing nobody is suspended any more.
        guard !suspended.isEmpty, ledger.backlog < backlogLimit, !isActive(.resumesNobody)
        else { return }
        lane.enqueue { [self] in
            guard batch == nil, ledger.backlog < backlogLimit,
                let entry = suspended.popFirst()
            else { return }
            entry.cancellation.forget()
            entry.run()
            resumeSuspended()
        }
    }

    private func cancelSuspended(_ cancellation: CancellationBox) {
        guard let entry = suspended.removeFirst(where: { $0.cancellation === cancellation })
        else { return }
        complete([entry.completion], makeSubmissionID(), .cancelled, context: entry.context)
    }
}
