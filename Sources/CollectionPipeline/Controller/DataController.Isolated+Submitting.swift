// The synchronous calls. They return as soon as the change set is accepted or rejected.

extension DataController.Isolated {
    /// Records changes and submits them as one change set.
    ///
    /// `updates` runs now; it changes the model beside recording what changed. Inside another batch
    /// the records join it, and the outermost end submits; completions run inner first.
    ///
    /// - Parameters:
    ///   - animated: whether the view should animate; the outermost call's counts.
    ///   - context: a value of the caller's, handed back in every outcome and event.
    ///   - updates: changes the model and records it. If it throws, the whole record is dropped.
    ///   - completion: told the outcome, on the main lane, in a turn of its own.
    /// - Returns: the number of the submission.
    /// - Throws: why it was rejected; the completion is told as well. With a full backlog the call is
    ///   rejected before `updates` runs.
    @discardableResult
    public func performBatchUpdates(
        animated: Bool = true,
        context: (any Sendable)? = nil,
        _ updates: (Source, inout BatchRecorder) throws -> Void = { _, _ in },
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        let source = DataController.typedSource(of: core)
        return try core.performBatch(
            .rejects,
            animated: animated,
            context: context,
            completion: completion
        ) { recorder in
            try updates(source, &recorder)
        }
    }

    /// Opens a batch, or a further level of the one that is open. Every begin needs an end.
    ///
    /// - Throws: where the backlog is full or the controller is closing, before the model has changed.
    public func beginUpdates() throws(UpdateError) { try core.beginUpdates(.rejects) }

    /// Ends one level of the open batch; the outermost end submits.
    ///
    /// - Returns: the number of the submission.
    /// - Throws: why it was rejected, or that no batch is open.
    @discardableResult
    public func endUpdates(
        animated: Bool = true,
        context: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        try core.endUpdates(animated: animated, context: context, completion: completion)
    }

    /// Submits one operation as a change set of its own, or records it in the open batch. It follows
    /// a change of the model, so a full backlog never rejects it.
    ///
    /// - Throws: why it was rejected.
    public func submit(_ operation: HierarchyChangeSet.Operation) throws(UpdateError) {
        try submit(operation, animated: true, context: context, completion: nil)
    }

    /// Replaces everything. Inside a batch the batch becomes a reload.
    ///
    /// - Returns: the number of the submission.
    /// - Throws: why it was rejected; a full backlog is no reason.
    @discardableResult
    public func reloadData(
        animated: Bool = true,
        animation: AnimationOption = .automatic,
        context: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        try submit(
            .reloadData(animation),
            animated: animated,
            context: context ?? self.context,
            completion: completion
        )
    }

    @discardableResult
    private func submit(
        _ operation: HierarchyChangeSet.Operation,
        animated: Bool,
        context: (any Sendable)?,
        completion: UpdateCompletion?
    ) throws(UpdateError) -> SubmissionID {
        try core.performBatch(
            .ignored,
            animated: animated,
            context: context,
            completion: completion,
            from: .edit(operation)
        ) { $0.record(operation) }
    }

    /// Measures the items at `dataSourcePaths` again, because something that their size depends on
    /// has changed; measuring happens on the workers, as always.
    ///
    /// - Returns: the number of the submission.
    /// - Throws: why it was rejected.
    @discardableResult
    public func relayoutItems(
        at dataSourcePaths: [ItemPath],
        context: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        core.requirePlace(of: .relayoutItems)
        return try core.relayout(.items(dataSourcePaths), request(context, completion))
    }

    /// Asks for every element's size range, and measures those again for which it, or the traits,
    /// changed.
    ///
    /// Complexity: O(elements) questions on the main lane.
    ///
    /// - Returns: the number of the submission.
    /// - Throws: why it was rejected.
    @discardableResult
    public func relayoutAllNodes(
        context: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        core.requirePlace(of: .relayoutAllNodes)
        return try core.relayout(.all, request(context, completion))
    }

    /// Shows an empty collection, whatever the data source has; the next submission is a first load.
    ///
    /// - Returns: the number of the submission.
    /// - Throws: why it was rejected.
    @discardableResult
    public func clear(
        context: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        core.requirePlace(of: .clear)
        return try core.clear(request(context, completion))
    }

    /// Hands every node new traits; nothing is measured until `relayoutAllNodes`.
    ///
    /// Complexity: O(elements) where the traits are others than before.
    public func environmentDidChange(_ traits: Traits) {
        requireLane("environmentDidChange(_:)")
        core.traitsDidChange(to: traits)
    }

    private func request(
        _ context: (any Sendable)?,
        _ completion: UpdateCompletion?
    ) -> SubmissionRequest {
        SubmissionRequest(
            id: core.makeSubmissionID(),
            context: context,
            completions: completion.map { [$0] } ?? []
        )
    }
}
