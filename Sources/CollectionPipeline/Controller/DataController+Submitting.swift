import CollectionElements

// Submitting from any thread, with a completion or with `async`. Everything runs in turns of the
// main lane. With a full backlog the caller waits before its closure runs, or is rejected.

extension DataController {
    /// Records changes on the main lane and submits them as one change set. May be called from any
    /// thread.
    ///
    /// `updates` runs later, in a separate turn of the main lane, outside any batch that is open
    /// there. With a full backlog the submission waits, is rejected, or is accepted anyway, as
    /// configured. Waiting submissions are not counted against a limit: a producer that needs
    /// backpressure should use the asynchronous form.
    ///
    /// - Parameters:
    ///   - animated: Whether the view should animate.
    ///   - callerContext: A value of the caller that every outcome and event contains.
    ///   - updates: A closure that changes the model and records the changes. If it throws, the
    ///     whole record is dropped.
    ///   - completion: A closure that receives the outcome, on the main lane.
    public func enqueueBatchUpdates(
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) throws -> Void,
        completion: @escaping UpdateCompletion
    ) {
        enqueue(animated, callerContext, CancellationBox(), updates, completion)
    }

    /// Records changes on the main lane, submits them as one change set, and returns when it is
    /// deployed.
    ///
    /// Cancelling the task has an effect only until `updates` runs: before the turn of the call,
    /// and while the submission waits for the end of a batch or for capacity in the backlog.
    ///
    /// - Returns: The way in which the change set reached the view, and the elements that failed.
    /// - Throws: An error if the submission was rejected or cancelled.
    @discardableResult
    public func performBatchUpdates(
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await submission { cancellation, completion in
            self.enqueue(animated, callerContext, cancellation, updates, completion)
        }
    }

    /// Submits a change set that was recorded elsewhere against a map.
    ///
    /// - Parameters:
    ///   - changes: The record, in the index space of `map`.
    ///   - map: The pending map that the record was made against. If another change set has been
    ///     accepted since then, the submission is rejected as stale, and `updateModel` does not
    ///     run.
    ///   - animated: Whether the view should animate.
    ///   - callerContext: A value of the caller that every outcome and event contains.
    ///   - updateModel: A closure that brings the data source to the state after the record; it
    ///     runs on the main lane.
    /// - Returns: The way in which the change set reached the view, and the elements that failed.
    /// - Throws: An error if the submission was rejected or cancelled.
    @discardableResult
    public func submit(
        _ changes: HierarchyChangeSet,
        recordedAgainst map: ElementMap,
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        return try await submission { cancellation, completion in
            self.core.submitFromAnywhere(
                callerContext: callerContext,
                cancellation: cancellation,
                completion: completion
            ) { core, id in
                let newest = core.pendingMap
                guard
                    newest.generation == map.generation && newest.isIdentical(to: map)
                else {
                    let error = core.located(.stale(map, newest), id)
                    return core.reject(
                        error,
                        completions: [completion],
                        callerContext: callerContext
                    )
                }
                Self.perform(core, id, animated, callerContext, completion) { source, recorder in
                    try updateModel(source)
                    for operation in changes.operations { recorder.record(operation) }
                }
            }
        }
    }

    /// Replaces all content, and returns when the reload is deployed. The first call is the initial
    /// load.
    ///
    /// - Returns: The way in which the reload reached the view, and the elements that failed.
    /// - Throws: An error if the submission was rejected or cancelled.
    @discardableResult
    public func reloadData(
        animated: Bool = true,
        animation: AnimationOption = .automatic,
        callerContext: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult {
        try await performBatchUpdates(animated: animated, callerContext: callerContext) {
            _,
            changes in
            changes.reloadData(animation: animation)
        }
    }

    /// Measures the items at `dataSourcePaths` again, and returns when the relayout is deployed.
    ///
    /// - Throws: An error if the submission was rejected or cancelled.
    @discardableResult
    public func relayoutItems(
        at dataSourcePaths: [ItemPath],
        callerContext: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult {
        try await submission(callerContext) { core, request throws(UpdateError) in
            try core.relayout(.items(dataSourcePaths), request)
        }
    }

    /// Measures again all elements whose size range or traits have changed, and returns when the
    /// relayout is deployed.
    ///
    /// - Throws: An error if the submission was rejected or cancelled.
    @discardableResult
    public func relayoutAllNodes(
        callerContext: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult {
        try await submission(callerContext) { core, request throws(UpdateError) in
            try core.relayout(.all, request)
        }
    }

    /// Shows an empty collection, whatever the data source contains, and returns when that is
    /// deployed.
    ///
    /// - Throws: An error if the submission was rejected or cancelled.
    @discardableResult
    public func clear(callerContext: (any Sendable)? = nil) async throws(UpdateError)
        -> UpdateResult
    {
        try await submission(callerContext) { core, request throws(UpdateError) in
            try core.clear(request)
        }
    }

    // MARK: Implementation

    private func enqueue(
        _ animated: Bool,
        _ callerContext: (any Sendable)?,
        _ cancellation: CancellationBox,
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) throws -> Void,
        _ completion: @escaping UpdateCompletion
    ) {
        core.submitFromAnywhere(
            callerContext: callerContext,
            cancellation: cancellation,
            completion: completion
        ) { core, id in
            Self.perform(core, id, animated, callerContext, completion, updates)
        }
    }

    static func perform(
        _ core: PipelineCore,
        _ id: SubmissionID,
        _ animated: Bool,
        _ callerContext: (any Sendable)?,
        _ completion: @escaping UpdateCompletion,
        _ updates: (Source, inout BatchRecorder) throws -> Void
    ) {
        let source = typedSource(of: core)
        // The completion also receives a rejection; no caller exists here to throw to.
        _ = try? core.performBatch(
            .rejects,
            id: id,
            animated: animated,
            callerContext: callerContext,
            completion: completion
        ) { recorder in
            try updates(source, &recorder)
        }
    }

    /// Makes a synchronous call in a turn of the main lane.
    private func submission(
        _ callerContext: (any Sendable)?,
        _ call:
            @escaping @Sendable (PipelineCore, SubmissionRequest) throws(UpdateError) ->
            SubmissionID
    ) async throws(UpdateError) -> UpdateResult {
        try await submission { cancellation, completion in
            self.core.submitFromAnywhere(
                callerContext: callerContext,
                cancellation: cancellation,
                completion: completion
            ) { core, id in
                // The completion also receives a rejection; no caller exists here to throw to.
                _ = try? call(
                    core,
                    SubmissionRequest(
                        id: id,
                        callerContext: callerContext,
                        completions: [completion],
                        backlogEffect: .rejects
                    )
                )
            }
        }
    }

    /// Submits, and returns or throws the outcome.
    func submission(
        _ submit: @escaping @Sendable (CancellationBox, @escaping UpdateCompletion) -> Void
    ) async throws(UpdateError) -> UpdateResult {
        let cancellation = CancellationBox()
        let result: UpdateResult = await withTaskCancellationHandler {
            await suspend { resume in submit(cancellation, resume) }
        } onCancel: {
            cancellation.cancel()
        }
        switch result.outcome {
        case .rejected(let error), .refusedByView(let error): throw error
        case .cancelled:
            // After admission only a close cancels a submission.
            var error =
                cancellation.wasAdmitted
                ? UpdateError(.closed, "The controller closed before the edits reached the view")
                : UpdateError(.cancelled, "The task was cancelled before its edits were accepted")
            error.submission = result.submission
            throw error
        case .deployed, .deployedByReload, .superseded: return result
        }
    }

    // MARK: Rebasing

    /// Submits an update that was made elsewhere against a map, rebased onto the newest map if
    /// other change sets have been accepted since then.
    ///
    /// The edits of others are found by the identity of elements, so the controller keeps no
    /// history, and `map` may be of any age. The calling thread rebases the update onto the change
    /// sets that are known at the time of the call. The main lane rebases it onto those that are
    /// accepted before the call's turn.
    ///
    /// - Parameters:
    ///   - update: The update, which starts from the shape of `map`.
    ///   - map: The pending map that the update was made against: the current one or an earlier
    ///     one.
    ///   - policy: The policy if another change set has been accepted since then.
    ///   - animated: Whether the view should animate.
    ///   - callerContext: A value of the caller that every outcome and event contains.
    ///   - updateModel: A closure that brings the data source from the newest accepted state to the
    ///     state that the rebased update leads to; it runs on the main lane. If no edit has an
    ///     effect any longer, the update is empty.
    /// - Returns: The way in which the change set reached the view, and the elements that failed.
    /// - Throws: An error if the submission was rejected or cancelled. The code is
    ///   ``UpdateError/Code/stale`` even if `map` does not belong to this controller, and
    ///   ``UpdateError/Code/invalidUpdate`` if `update` does not start from its shape.
    /// - Complexity: O((k + m) log n + sections) for k edits and m edits of others since then, in
    ///   addition to the cost of any submission.
    @discardableResult
    public func submit(
        _ update: ValidatedChangeSet,
        recordedAgainst map: ElementMap,
        whenStale policy: StalePolicy,
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source, RebasedChangeSet) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        let seen = core.pendingMap
        // An update that cannot be rebased is rejected in its turn, like every submission.
        let early = Result { () throws(UpdateError) in
            try core.rebase(
                RebasedChangeSet(update: update, dropped: []),
                from: map,
                to: seen,
                policy
            )
        }
        return try await submission { cancellation, completion in
            self.core.submitFromAnywhere(
                callerContext: callerContext,
                cancellation: cancellation,
                completion: completion
            ) { core, id in
                do throws(UpdateError) {
                    let newest = core.pendingMap
                    let rebased = try core.rebase(try early.get(), from: seen, to: newest, policy)
                    Self.perform(core, id, animated, callerContext, completion) {
                        source,
                        recorder in
                        try updateModel(source, rebased)
                        let record = HierarchyChangeSet(recording: rebased.update)
                        for operation in record.operations { recorder.record(operation) }
                    }
                } catch {
                    let error = core.located(error, id)
                    core.reject(error, completions: [completion], callerContext: callerContext)
                }
            }
        }
    }
}

extension PipelineCore {
    /// Rebases an update from one map of this controller onto another. May be called from any
    /// thread.
    fileprivate func rebase(
        _ mine: RebasedChangeSet,
        from map: ElementMap,
        to newest: ElementMap,
        _ policy: StalePolicy
    ) throws(UpdateError) -> RebasedChangeSet {
        guard map.isOfSameCollection(as: newest) else {
            throw UpdateError(
                .stale,
                "The update was made against a map of another controller; use the pendingMap of this one"
            )
        }
        let isNewest = map.generation == newest.generation
        guard case .rebase(let order) = policy else {
            if isNewest { return mine }
            throw .stale(map, newest)
        }
        do throws(HierarchyUpdateError) {
            try mine.update.checkStart(map.shape)
            if isNewest { return mine }
            let rebased = try mine.update.rebased(over: newest.changes(from: map), as: order)
            return RebasedChangeSet(
                update: rebased.update,
                dropped: mine.dropped + rebased.dropped
            )
        } catch {
            throw UpdateError(error, dataSourceName: dataSourceName)
        }
    }
}

extension UpdateError {
    /// Returns the error for a record that was made against an outdated map.
    static func stale(_ map: ElementMap, _ newest: ElementMap) -> UpdateError {
        UpdateError(
            .stale,
            "The change set was recorded against generation \(map.generation), but"
                + " \(newest.generation) is the newest; record it again"
        )
    }
}
