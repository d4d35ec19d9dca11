import CollectionElements

// Step 0: recording. Nested batches collapse into one change set, which is submitted when the
// outermost one ends.

extension PipelineCore {
    /// What a full backlog does to a submission.
    enum BacklogEffect {
        /// Nothing: the submission follows a change of the model.
        case ignored
        /// The submission is rejected.
        case rejects
    }

    func beginUpdates(
        _ effect: BacklogEffect,
        id: SubmissionID? = nil,
        context: (any Sendable)? = nil,
        from call: @autoclosure () -> SynchronousCall = .beginUpdates
    ) throws(UpdateError) {
        requirePlace(of: call())
        if let batch = admission.batch {
            batch.depth += 1
            return
        }
        let id = id ?? makeSubmissionID()
        if let reason = reasonToReject(effect) { throw located(reason, id) }
        let start = observe(.recordingStarted, id, context)
        admission.began(OpenBatch(id: id, context: context, start: start))
        watch()
    }

    /// Why nothing can be submitted now, if so. Where the data source is being asked, notes that somebody tried.
    func reasonToReject(_ effect: BacklogEffect) -> UpdateError? {
        if !shutdown.isOpen {
            return closingError
        }
        if sourceState.isAsking {
            sourceState.disturbed()
            return UpdateError(
                .submissionDuringLatch,
                "A data source must not submit to its controller while it is asked for content"
            )
        }
        if effect == .rejects, configuration.backlogPolicy != .merge,
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

    /// Ends one level; at the outermost one the record is submitted.
    @discardableResult
    func endUpdates(
        animated: Bool,
        context: (any Sendable)? = nil,
        completion: UpdateCompletion?
    ) throws(UpdateError) -> SubmissionID {
        requirePlace(of: .endUpdates)
        guard let batch = admission.batch else {
            // The batch that this would end may have been cancelled by somebody else's close, of
            // which its owner need not know.
            let fault =
                reasonToReject(.ignored)
                ?? UpdateError(.unbalancedEnd, "endUpdates() was called without beginUpdates()")
            let error = located(fault, makeSubmissionID())
            reject(error, completions: completion.map { [$0] } ?? [], context: context)
            throw error
        }
        if let completion {
            batch.completions.append(completion)
        }
        if let context { batch.context = context }
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
            context: batch.context,
            completions: batch.completions,
            declaresContentCurrent: batch.declaresContentCurrent,
            restoresModel: batch.restoresModel
        )
        if let failure = batch.failure { throw rejected(failure, request) }
        return try submit(batch.changes, request)
    }

    /// Ends the batch that is open, if one is.
    func endBatch() -> OpenBatch? {
        guard let batch = admission.ended() else { return nil }
        observe(.recordingFinished, batch.id, batch.context, since: batch.start)
        return batch
    }

    /// Runs `updates` in a batch, nested in the open one if there is one.
    @discardableResult
    func performBatch(
        _ effect: BacklogEffect,
        id: SubmissionID? = nil,
        animated: Bool,
        context: (any Sendable)?,
        completion: UpdateCompletion?,
        from call: @autoclosure () -> SynchronousCall = .performBatchUpdates,
        _ updates: (inout BatchRecorder) throws -> Void
    ) throws(UpdateError) -> SubmissionID {
        do {
            try beginUpdates(effect, id: id, context: context, from: call())
        } catch {
            reject(error, completions: completion.map { [$0] } ?? [], context: context)
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
        return try endUpdates(animated: animated, context: context, completion: completion)
    }
}
