import CollectionElements

/// What one user does to a controller's list, to be undone and redone while others go on changing it.
///
/// Every user of a list may have one. What is submitted through it is the user's own; everything else that the
/// controller accepts is others', and stays when the user undoes: only what is still as the user left it is taken back,
/// as the table of `ChangeHistory` says, which this notifies of every update. The models that come back are those that
/// the data source gave when they were there, so it must give some (``CollectionDataSource/model(forItemAt:)``). If
/// models are `Equatable`, an item that others have updated and then brought back counts as it was left.
///
/// ```swift
/// let history = UndoHistory(of: controller)
/// try await history.performBatchUpdates { list, changes in
///     list.rows[0].removeLast()
///     changes.deleteItems(at: [ItemPath(section: 0, item: list.rows[0].count)])
/// }
/// try await history.undo { list, step in try step.apply(to: &list.rows) }
/// ```
///
/// A `reloadData` of others leaves nothing to undo; one's own can be undone, at the cost of every model. A model that is
/// not brought to where such a step leads was reloaded as it is, which leaves nothing to undo either.
///
/// Threading: from anywhere. Retains: the controller; the controller does not retain the history.
public final class UndoHistory<Source: CollectionDataSource>: UpdateHistory, @unchecked Sendable {
    // What changes belongs to the main lane, but for the counts.
    private let controller: DataController<Source>
    private var history: ChangeHistory<ChangedModels>
    private var performing = Performing.nothing
    private let counts = Lock((undo: 0, redo: 0))

    /// What is being submitted right now.
    private enum Performing {
        case nothing
        case own
        case step(UndoStep)
    }

    /// Makes an empty history, which sees what is accepted from the next turn of the main lane on.
    ///
    /// - Parameters:
    ///   - controller: the controller of the list.
    ///   - limit: how many steps can be undone at most; the oldest are forgotten.
    public init(of controller: DataController<Source>, limit: Int = 100) {
        self.controller = controller
        history = ChangeHistory(limit: limit)
        let core = controller.core
        core.lane.enqueue { [weak self] in
            if let self { core.histories.append(WeakHistory(history: self)) }
        }
    }

    /// How many steps there are to be undone; some may have nothing left to do.
    public var undoCount: Int { counts.withLock { $0.undo } }

    /// How many steps there are to be redone; some may have nothing left to do.
    public var redoCount: Int { counts.withLock { $0.redo } }

    // MARK: Submitting

    /// Submits the user's own change, as ``DataController/performBatchUpdates(animated:context:_:)`` does.
    ///
    /// Parameters, result and errors are those of that call; what is rejected or cancelled is not recorded.
    @discardableResult
    public func performBatchUpdates(
        animated: Bool = true,
        context: (any Sendable)? = nil,
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await submit(context) { [self] core, id, completion in
            performing = .own
            defer { performing = .nothing }
            DataController<Source>.perform(core, id, animated, context, completion, updates)
        }
    }

    /// What is submitted through the history until `body` returns is one step.
    public func group<Result>(
        _ body: () async throws -> sending Result
    ) async rethrows -> sending Result {
        await onMain { $0.beginGroup() }
        do {
            let result = try await body()
            await onMain { $0.endGroup() }
            return result
        } catch {
            await onMain { $0.endGroup() }
            throw error
        }
    }

    /// Takes back what was done last and still has something to take back.
    ///
    /// - Parameters:
    ///   - animated: whether the view should animate.
    ///   - context: a value of the caller's, handed back in every outcome and event.
    ///   - updateModel: brings the data source to the state that the step leads to, as by
    ///     ``UndoStep/apply(to:)``; main lane.
    /// - Returns: how the change set reached the view, and which elements failed.
    /// - Throws: ``UpdateError/Code/nothingToUndo``; or why it was rejected, or that it was cancelled, and the
    ///   history is then as before.
    @discardableResult
    public func undo(
        animated: Bool = true,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source, UndoStep) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await take(.undo, animated, context, updateModel)
    }

    /// Does again what was taken back last, until something else is done.
    ///
    /// Parameters, result and errors are those of ``undo(animated:context:updateModel:)``.
    @discardableResult
    public func redo(
        animated: Bool = true,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source, UndoStep) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await take(.redo, animated, context, updateModel)
    }

    private func take(
        _ direction: UndoStep.Direction,
        _ animated: Bool,
        _ context: (any Sendable)?,
        _ updateModel: @escaping @Sendable (Source, UndoStep) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await submit(context) { [self] core, id, completion in
            let step: UndoStep
            do throws(UpdateError) {
                step = try next(direction, core)
            } catch {
                let error = core.located(error, id)
                return core.reject(error, completions: [completion], context: context)
            }
            performing = .step(step)
            defer { performing = .nothing }
            DataController<Source>.perform(core, id, animated, context, completion) {
                source,
                recorder in
                try updateModel(source, step)
                let record = HierarchyChangeSet(recording: step.update)
                for operation in record.operations { recorder.record(operation) }
            }
        }
    }

    // MARK: On the main lane

    private func next(
        _ direction: UndoStep.Direction,
        _ core: PipelineCore
    ) throws(UpdateError) -> UndoStep {
        do throws(HierarchyUpdateError) {
            let map = core.pendingMap
            func isAsLeft(
                _ models: ChangedModels,
                _ path: ItemPath,
                _ now: HistoryStep<ChangedModels>.Content
            ) -> Bool {
                switch now {
                case .current(let now): models.isAsLeft(path, map.content(at: now)?.model)
                case .former(let former, let old): models.isAsLeft(path, former.removed[old])
                }
            }
            let step =
                switch direction {
                case .undo: try history.undoStep(isAsLeft: isAsLeft)
                case .redo: try history.redoStep(isAsLeft: isAsLeft)
                }
            if let step { return UndoStep(step: step) }
        } catch {
            throw UpdateError(error, dataSourceName: core.dataSourceName)
        }
        throw UpdateError(.nothingToUndo, "There is nothing to \(direction)")
    }

    func step(of update: ValidatedChangeSet) -> HistoryStep<ChangedModels>? {
        // A reload asks for what there is, which the model may not have brought to where the step leads.
        guard case .step(let step) = performing, update.newShape == step.update.newShape else {
            return nil
        }
        return step.step
    }

    func accepted(
        _ update: ValidatedChangeSet,
        _ step: HistoryStep<ChangedModels>?,
        from oldMap: ElementMap,
        to newMap: ElementMap
    ) {
        let current = performing
        performing = .nothing
        // Whatever is accepted follows on what was before, so that none of these fails.
        switch current {
        case .nothing:
            if let step { try? history.observe(step) } else { try? history.observe(update) }
        case .step where step == nil: try? history.observe(update)
        case .own:
            let models = ChangedModels(
                update,
                { oldMap.content(at: $0)?.model },
                { newMap.content(at: $0)?.model }
            )
            try? history.record(update, models)
        case .step(let step): try? history.perform(step.step, step.contexts(from: oldMap))
        }
        noteCounts()
    }

    private func noteCounts() {
        let now = (history.undoCount, history.redoCount)
        counts.withLock { $0 = now }
    }

    private func onMain(
        _ body: @escaping @Sendable (inout ChangeHistory<ChangedModels>) -> Void
    ) async {
        await controller.lane.run { [self] in body(&history) }
    }

    private func submit(
        _ context: (any Sendable)?,
        _ body: @escaping @Sendable (PipelineCore, SubmissionID, @escaping UpdateCompletion) -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await controller.submission { [core = controller.core] cancellation, completion in
            core.submitFromAnywhere(
                context: context,
                cancellation: cancellation,
                completion: completion
            ) { core, id in body(core, id, completion) }
        }
    }
}
