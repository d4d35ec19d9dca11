// The synchronous calls, for code on the main lane. They return as soon as the change set is accepted
// or rejected, and never wait for measuring.

extension DataController {
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
        completion: UpdateCompletion?
    ) throws(UpdateError) -> SubmissionID {
        let source = Self.typedSource(of: core)
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
    public func beginUpdates() throws(UpdateError) {
        try core.beginUpdates(.rejects)
    }

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

    /// Replaces everything. Inside a batch the batch becomes a reload.
    @discardableResult
    public func reloadData(
        animated: Bool = true,
        animation: AnimationOption = .automatic,
        completion: UpdateCompletion?
    ) throws(UpdateError) -> SubmissionID {
        try edit(.reloadData(animation), animated: animated, completion: completion)
    }

    /// Submits one operation as a change set of its own, or records it in the open batch. It follows
    /// a change of the model, so a full backlog never rejects it.
    @discardableResult
    func edit(
        _ operation: HierarchyChangeSet.Operation,
        animated: Bool = true,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        try core.performBatch(
            .ignored,
            animated: animated,
            context: nil,
            completion: completion
        ) { $0.record(operation) }
    }

    /// Measures the items at `dataSourcePaths` again, because something that their size depends on
    /// has changed. Main lane; measuring happens on the workers, as always.
    @discardableResult
    public func relayoutItems(
        at dataSourcePaths: [ItemPath],
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        core.lane.requireCurrent("relayoutItems(at:)")
        return try core.relayout(.items(dataSourcePaths), request(completion))
    }

    /// Asks for every element's size range, and measures those again for which it, or the traits,
    /// changed. Main lane. Complexity: O(elements) questions on the main lane.
    @discardableResult
    public func relayoutAllNodes(completion: UpdateCompletion? = nil) throws(UpdateError)
        -> SubmissionID
    {
        core.lane.requireCurrent("relayoutAllNodes()")
        return try core.relayout(.all, request(completion))
    }

    /// Shows an empty collection, whatever the data source has; the next submission is a first load.
    /// Main lane.
    @discardableResult
    public func clear(completion: UpdateCompletion? = nil) throws(UpdateError) -> SubmissionID {
        core.lane.requireCurrent("clear()")
        return try core.clear(request(completion))
    }

    /// Hands every node new traits; nothing is measured until ``relayoutAllNodes(completion:)``.
    /// Main lane. Complexity: O(elements) where the traits are others than before.
    public func environmentDidChange(_ traits: Traits) {
        core.lane.requireCurrent("environmentDidChange(_:)")
        core.traitsDidChange(to: traits)
    }

    private func request(_ completion: UpdateCompletion?) -> SubmissionRequest {
        SubmissionRequest(
            id: core.makeSubmissionID(),
            completions: completion.map { [$0] } ?? []
        )
    }
}
