import CollectionElements

// Submitting from any thread: with a completion, or with `async`. Everything runs in turns of the main
// lane; a full backlog makes the caller wait before its closure runs, or rejects it.

extension DataController {
    /// Records changes on the main lane and submits them as one change set; from any thread.
    ///
    /// `updates` runs later, in a turn of the main lane of its own, outside any batch that is open
    /// there. With a full backlog it waits for room, or the submission is rejected, or taken in all the same, as configured. What
    /// waits is not counted: a producer that this does not hold back may use the asynchronous form.
    ///
    /// - Parameters:
    ///   - animated: whether the view should animate.
    ///   - context: a value of the caller's, handed back in every outcome and event.
    ///   - updates: changes the model and records it. If it throws, the whole record is dropped.
    ///   - completion: told the outcome, on the main lane.
    public func enqueueBatchUpdates(
        animated: Bool = true,
        context: (any Sendable)? = nil,
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) throws -> Void,
        completion: @escaping UpdateCompletion
    ) {
        enqueue(animated, context, CancellationBox(), updates, completion)
    }

    /// Records changes on the main lane, submits them as one change set, and returns when it is
    /// deployed.
    ///
    /// Cancelling the task has an effect only until `updates` runs: before the turn of the call, and while
    /// it waits for the end of a batch or for room in the backlog.
    ///
    /// - Returns: how the change set reached the view, and which elements failed.
    /// - Throws: why it was rejected, or that it was cancelled.
    @discardableResult
    public func performBatchUpdates(
        animated: Bool = true,
        context: (any Sendable)? = nil,
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await submission { cancellation, completion in
            self.enqueue(animated, context, cancellation, updates, completion)
        }
    }

    /// Submits a change set that was recorded elsewhere against a map.
    ///
    /// - Parameters:
    ///   - changes: the record, in the index space of `map`.
    ///   - map: the pending map that the record was made against. If another change set was accepted
    ///     since, the submission is rejected as stale, and `updateModel` does not run.
    ///   - animated: whether the view should animate.
    ///   - context: a value of the caller's, handed back in every outcome and event.
    ///   - updateModel: brings the data source to the state that the record leads to; main lane.
    /// - Returns: how the change set reached the view, and which elements failed.
    /// - Throws: why it was rejected, or that it was cancelled.
    @discardableResult
    public func submit(
        _ changes: HierarchyChangeSet,
        recordedAgainst map: ElementMap,
        animated: Bool = true,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        return try await submission { cancellation, completion in
            self.core.submitFromAnywhere(
                context: context,
                cancellation: cancellation,
                completion: completion
            ) { core, id in
                let newest = core.pendingMap
                guard
                    newest.generation == map.generation && newest.isIdentical(to: map)
                else {
                    let error = core.located(.stale(map, newest), id)
                    return core.reject(error, completions: [completion], context: context)
                }
                Self.perform(core, id, animated, context, completion) { source, recorder in
                    try updateModel(source)
                    for operation in changes.operations { recorder.record(operation) }
                }
            }
        }
    }

    /// Replaces everything, and returns when that is deployed. The first call is the initial load.
    ///
    /// - Returns: how the reload reached the view, and which elements failed.
    /// - Throws: why it was rejected, or that it was cancelled.
    @discardableResult
    public func reloadData(
        animated: Bool = true,
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult {
        try await performBatchUpdates(animated: animated, context: context) { _, changes in
            changes.reloadData(animation: animation)
        }
    }

    /// Measures the items at `dataSourcePaths` again, and returns when that is deployed.
    ///
    /// - Throws: why it was rejected, or that it was cancelled.
    @discardableResult
    public func relayoutItems(
        at dataSourcePaths: [ItemPath],
        context: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult {
        try await submission(context) { core, request throws(UpdateError) in
            try core.relayout(.items(dataSourcePaths), request)
        }
    }

    /// Measures everything again whose size range or traits have changed, and returns when that is
    /// deployed.
    ///
    /// - Throws: why it was rejected, or that it was cancelled.
    @discardableResult
    public func relayoutAllNodes(
        context: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult {
        try await submission(context) { core, request throws(UpdateError) in
            try core.relayout(.all, request)
        }
    }

    /// Shows an empty collection, whatever the data source has, and returns when that is deployed.
    ///
    /// - Throws: why it was rejected, or that it was cancelled.
    @discardableResult
    public func clear(context: (any Sendable)? = nil) async throws(UpdateError) -> UpdateResult {
        try await submission(context) { core, request throws(UpdateError) in
            try core.clear(request)
        }
    }

    // MARK: Plumbing

    private func enqueue(
        _ animated: Bool,
        _ context: (any Sendable)?,
        _ cancellation: CancellationBox,
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) throws -> Void,
        _ completion: @escaping UpdateCompletion
    ) {
        core.submitFromAnywhere(
            context: context,
            cancellation: cancellation,
            completion: completion
        ) { core, id in
            Self.perform(core, id, animated, context, completion, updates)
        }
    }

    static func perform(
        _ core: PipelineCore,
        _ id: SubmissionID,
        _ animated: Bool,
        _ context: (any Sendable)?,
        _ completion: @escaping UpdateCompletion,
        _ updates: (Source, inout BatchRecorder) throws -> Void
    ) {
        let source = typedSource(of: core)
        // The completion is told of a rejection too; there is nobody here to throw to.
        _ = try? core.performBatch(
            .rejects,
            id: id,
            animated: animated,
            context: context,
            completion: completion
        ) { recorder in
            try updates(source, &recorder)
        }
    }

    /// Makes a synchronous call in a turn of the main lane.
    private func submission(
        _ context: (any Sendable)?,
        _ call:
            @escaping @Sendable (PipelineCore, SubmissionRequest) throws(UpdateError) ->
            SubmissionID
    ) async throws(UpdateError) -> UpdateResult {
        try await submission { cancellation, completion in
            self.core.submitFromAnywhere(
                context: context,
                cancellation: cancellation,
                completion: completion
            ) { core, id in
                // The completion is told of a rejection too; there is nobody here to throw to.
                _ = try? call(
                    core,
                    SubmissionRequest(
                        id: id,
                        context: context,
                        completions: [completion],
                        backlogEffect: .rejects
                    )
                )
            }
        }
    }

    /// Submits, and returns or throws what becomes of it.
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
        case .rejected(let error), .refused(let error): throw error
        case .cancelled:
            // Only a close cancels what came in.
            var error =
                cancellation.hasComeIn
                ? UpdateError(.closed, "The controller closed before the edits reached the view")
                : UpdateError(.cancelled, "The task was cancelled before its edits were accepted")
            error.submission = result.submission
            throw error
        case .deployed, .deployedByReload, .superseded: return result
        }
    }
}
