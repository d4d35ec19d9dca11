// Step 0 on the main lane: recording. Nested batches form one change set, which is submitted when
// the outermost batch ends.

extension PipelineCore {
    /// The effect of a full backlog on a submission.
    enum BacklogEffect {
        /// No effect: the model has already changed, so the submission is accepted.
        case ignored
        /// The submission is rejected.
        case rejects
    }

    func beginUpdates(
        _ effect: BacklogEffect,
        id: SubmissionID? = nil,
        callerContext: (any Sendable)? = nil,
        from call: @autoclosure () -> SynchronousCall = .beginUpdates
    ) throws(UpdateError) {
        requirePlace(of: call())
        if let batch = admission.batch {
            batch.depth += 1
            return
        }
        let id = id ?? makeSubmissionID()
        if let reason = reasonToReject(effect) { throw located(reason, id) }
        let start = observe(.recordingStarted, id, callerContext)
        admission.began(OpenBatch(id: id, callerContext: callerContext, start: start))
        watch()
    }

    /// Returns the reason that nothing can be submitted now, or `nil` if a submission is possible.
    ///
    /// If the controller is calling the data source, this also records the attempt.
    func reasonToReject(_ effect: BacklogEffect) -> UpdateError? {
        if !shutdown.isOpen {
            return closingError
        }
        if sourceState.isCallingDataSource {
            sourceState.disturbed()
            return UpdateError(
                .reentrantSubmission,
                "A data source must not submit to its controller while the controller is calling it"
            )
        }
        if effect == .rejects, configuration.backlogPolicy != .coalesce,
            !admission.hasRoom(delivery.backlog)
        {
            return UpdateError(
                .backlogFull,
                "\(delivery.backlog) change sets are accepted and not yet deployed, and"
                    + " \(admission.backlogLimit) is the limit; nothing was called"
            )
        }
        return nil
    }

    /// Ends one nesting level. The end of the outermost level submits the record.
    @discardableResult
    func endUpdates(
        animated: Bool,
        callerContext: (any Sendable)? = nil,
        completion: UpdateCompletion?
    ) throws(UpdateError) -> SubmissionID {
        requirePlace(of: .endUpdates)
        guard let batch = admission.batch else {
            // A close may have cancelled the batch that this call would end. The caller need not
            // know of that close.
            let fault =
                reasonToReject(.ignored)
                ?? UpdateError(.unbalancedEnd, "endUpdates() was called without beginUpdates()")
            let error = located(fault, makeSubmissionID())
            reject(error, completions: completion.map { [$0] } ?? [], callerContext: callerContext)
            throw error
        }
        if let completion {
            batch.completions.append(completion)
        }
        if let callerContext { batch.callerContext = callerContext }
        batch.depth -= 1
        guard batch.depth == 0 else {
            if let failure = batch.failure { throw failure }
            return batch.id
        }
        _ = endBatch()
        defer { proceed() }
        let request = SubmissionRequest(
            id: batch.id,
            isAnimated: animated,
            callerContext: batch.callerContext,
            completions: batch.completions,
            declaresContentCurrent: batch.declaresContentCurrent,
            restoresModel: batch.restoresModel
        )
        if let failure = batch.failure { throw rejected(failure, request) }
        return try submit(batch.changes, request)
    }

    /// Ends the open batch, if there is one.
    func endBatch() -> OpenBatch? {
        guard let batch = admission.ended() else { return nil }
        observe(.recordingFinished, batch.id, batch.callerContext, since: batch.start)
        return batch
    }

    /// Runs `updates` in a batch, which is nested in the open batch if there is one.
    @discardableResult
    func performBatch(
        _ effect: BacklogEffect,
        id: SubmissionID? = nil,
        animated: Bool,
        callerContext: (any Sendable)?,
        completion: UpdateCompletion?,
        from call: @autoclosure () -> SynchronousCall = .performBatchUpdates,
        _ updates: (inout BatchRecorder) throws -> Void
    ) throws(UpdateError) -> SubmissionID {
        do {
            try beginUpdates(effect, id: id, callerContext: callerContext, from: call())
        } catch {
            reject(error, completions: completion.map { [$0] } ?? [], callerContext: callerContext)
            throw error
        }
        if let batch = admission.batch {
            var recorder = BatchRecorder(batch)
            do {
                try updates(&recorder)
            } catch {
                if batch.failure == nil {
                    let hasBegun = batch.depth > 1 || !batch.changes.isEmpty
                    batch.failure = located(
                        UpdateError(thrown: error, hasBegun: hasBegun),
                        batch.id
                    )
                }
            }
        }
        return try endUpdates(
            animated: animated,
            callerContext: callerContext,
            completion: completion
        )
    }
}

// Step 0 from any thread: a submission is made in a turn of the main lane, outside every batch,
// when the backlog has capacity.

/// A submission that arrives from another thread or in a later turn.
struct IncomingSubmission {
    /// The number of the submission.
    let id: SubmissionID
    /// The caller's context, which the submission carries.
    var callerContext: (any Sendable)?
    /// The time of arrival; zero without an observer.
    var arrival = Duration.zero
    /// Whether it waits if the backlog is full.
    let needsCapacity: Bool
    /// The cancellation of the caller's task.
    var cancellation: CancellationBox?
    /// Whether the caller's task was cancelled, so that the submission must not be admitted.
    var isCancelled: Bool {
        cancellation?.isCancelled == true
    }
    let submit: () -> Void
    /// Called if the submission is not admitted, with the reason.
    let onRejection: (Reason) -> Void

    /// The reason that a submission is not admitted.
    enum Reason {
        /// The caller's task was cancelled.
        case cancelled
        /// The controller is closing.
        case closing
    }
}

extension PipelineCore {
    /// Runs `submit` on the main lane, outside every batch, when the backlog has capacity.
    ///
    /// `submit` receives the number of its submission and is responsible for calling `completion`.
    func submitFromAnywhere(
        callerContext: (any Sendable)?,
        cancellation: CancellationBox,
        completion: @escaping UpdateCompletion,
        _ submit: @escaping @Sendable (PipelineCore, SubmissionID) -> Void
    ) {
        watchArrival()
        lane.enqueue { [self] in
            watchArrived()
            let id = makeSubmissionID()
            receive(
                IncomingSubmission(
                    id: id,
                    callerContext: callerContext,
                    needsCapacity: configuration.backlogPolicy == .suspend,
                    cancellation: cancellation,
                    submit: { [self] in
                        cancellation.markAdmitted()
                        submit(self, id)
                    },
                    onRejection: { [self] reason in
                        switch reason {
                        case .cancelled:
                            complete([completion], id, .cancelled, callerContext: callerContext)
                        case .closing:
                            let error = located(closingError, id)
                            reject(error, completions: [completion], callerContext: callerContext)
                        }
                    }
                )
            )
        }
    }

    /// Admits a submission now or in a later turn, or rejects it.
    func receive(_ incoming: IncomingSubmission) {
        guard !incoming.isCancelled else { return incoming.onRejection(.cancelled) }
        guard shutdown.isOpen else { return incoming.onRejection(.closing) }
        let (needsCapacity, backlog) = (incoming.needsCapacity, delivery.backlog)
        var incoming = incoming
        incoming.arrival = startTime()
        switch admission.arrived(incoming, needsCapacity: needsCapacity, backlog: backlog) {
        case .admit: return incoming.submit()
        case .wait(let wait):
            observe(.suspended, incoming.id, incoming.callerContext) { $0.wait = wait }
        }
        watch()
        guard let cancellation = incoming.cancellation else { return }
        cancellation.onCancel { [self] in
            lane.enqueue { [self] in
                guard let incoming = admission.cancelled({ $0.cancellation === cancellation })
                else { return }
                waitEnded(incoming)
                incoming.onRejection(.cancelled)
            }
        }
    }

    /// Ends the wait of a submission, which is then admitted or rejected.
    func waitEnded(_ incoming: IncomingSubmission) {
        incoming.cancellation?.forget()
        observe(.resumed, incoming.id, incoming.callerContext, since: incoming.arrival)
    }

    /// Runs a turn of the admission, which admits at most one waiting submission.
    func admitNext() {
        if let incoming = admission.beginTurn(backlog: delivery.backlog) {
            waitEnded(incoming)
            incoming.isCancelled ? incoming.onRejection(.cancelled) : incoming.submit()
        }
        proceed()
    }
}
