import CollectionElements

/// The undo history of one user of a controller's list, which others may change at the same time.
///
/// Every user of a list may have a history. Changes submitted through it belong to the user. All
/// other accepted changes belong to other users, and undoing keeps them: it reverts only content
/// that is still as the user left it. The table of `ChangeHistory` has the details. The history is
/// notified of every update of the controller. Restored models are those that the data source
/// returned when the items existed, so the data source must return models
/// (``CollectionDataSource/model(forItemAt:)``). If models are `Equatable`, an item that others
/// have changed and then changed back counts as left by the user.
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
/// After another user's `reloadData`, there is nothing to undo. The user's own `reloadData` can be
/// undone, at the cost of retaining every model. If `updateModel` does not bring the model to the
/// state after such a step, the controller reloads the model as it is, and then there is nothing to
/// undo either.
///
/// Threading: may be used from any thread. Retains the controller; the controller does not retain
/// the history.
public final class UndoHistory<Source: CollectionDataSource>: UpdateHistory, @unchecked Sendable {
    // All variable state except the counts belongs to the main lane.
    private let controller: DataController<Source>
    private var history: ChangeHistory<ChangedModels>
    private var performing = SubmittedChange.nothing
    private let counts = Lock((undo: 0, redo: 0))

    /// The kind of change that is being submitted.
    private enum SubmittedChange {
        case nothing
        case own
        case step(UndoStep)
    }

    /// Creates an empty history. It starts to observe accepted change sets at the next turn of the
    /// main lane.
    ///
    /// - Parameters:
    ///   - controller: The controller of the list.
    ///   - limit: The maximum number of steps that can be undone; the oldest ones are dropped.
    public init(of controller: DataController<Source>, limit: Int = 100) {
        self.controller = controller
        history = ChangeHistory(limit: limit)
        let core = controller.core
        core.lane.enqueue { [weak self] in
            if let self { core.histories.append(WeakHistory(history: self)) }
        }
    }

    /// The number of steps that can be undone; some may no longer have an effect.
    public var undoCount: Int { counts.withLock { $0.undo } }

    /// The number of steps that can be redone; some may no longer have an effect.
    public var redoCount: Int { counts.withLock { $0.redo } }

    // MARK: Submitting

    /// Submits a change by the user, in the same way as
    /// ``DataController/performBatchUpdates(animated:callerContext:_:)``.
    ///
    /// The parameters, the result and the errors are the same as for that method. A rejected or
    /// cancelled change is not recorded.
    @discardableResult
    public func performBatchUpdates(
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await submit(callerContext) { [self] core, id, completion in
            performing = .own
            defer { performing = .nothing }
            DataController<Source>.perform(core, id, animated, callerContext, completion, updates)
        }
    }

    /// Combines all changes that are submitted through the history until `body` returns into one
    /// step.
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

    /// Reverts the latest step that still has something to revert.
    ///
    /// - Parameters:
    ///   - animated: Whether the view should animate.
    ///   - callerContext: A value of the caller that every outcome and event contains.
    ///   - updateModel: A closure that brings the data source to the state after the step, for
    ///     example with ``UndoStep/apply(to:)``; it runs on the main lane.
    /// - Returns: The way in which the change set reached the view, and the elements that failed.
    /// - Throws: ``UpdateError/Code/nothingToUndo``, or an error if the submission was rejected or
    ///   cancelled. The history is then unchanged.
    @discardableResult
    public func undo(
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source, UndoStep) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await take(.undo, animated, callerContext, updateModel)
    }

    /// Repeats the step that was reverted last. A new change ends this possibility.
    ///
    /// The parameters, the result and the errors are the same as for
    /// ``undo(animated:callerContext:updateModel:)``.
    @discardableResult
    public func redo(
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source, UndoStep) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await take(.redo, animated, callerContext, updateModel)
    }

    private func take(
        _ direction: UndoStep.Direction,
        _ animated: Bool,
        _ callerContext: (any Sendable)?,
        _ updateModel: @escaping @Sendable (Source, UndoStep) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await submit(callerContext) { [self] core, id, completion in
            let step: UndoStep
            do throws(UpdateError) {
                step = try next(direction, core)
            } catch {
                let error = core.located(error, id)
                return core.reject(error, completions: [completion], callerContext: callerContext)
            }
            performing = .step(step)
            defer { performing = .nothing }
            DataController<Source>.perform(core, id, animated, callerContext, completion) {
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
            func isRestored(
                _ models: ChangedModels,
                _ path: ItemPath,
                _ now: HistoryStep<ChangedModels>.Content
            ) -> Bool {
                switch now {
                case .current(let now): models.isRestored(path, map.content(at: now)?.model)
                case .former(let former, let old): models.isRestored(path, former.removed[old])
                }
            }
            let step =
                switch direction {
                case .undo: try history.undoStep(isRestored: isRestored)
                case .redo: try history.redoStep(isRestored: isRestored)
                }
            if let step { return UndoStep(step: step) }
        } catch {
            throw UpdateError(error, dataSourceName: core.dataSourceName)
        }
        throw UpdateError(.nothingToUndo, "There is nothing to \(direction)")
    }

    func step(of update: ValidatedChangeSet) -> HistoryStep<ChangedModels>? {
        // A reload uses the current model, which may not be in the state that the step leads to.
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
        // Every accepted update follows the previous state, so none of these calls fails.
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
        _ callerContext: (any Sendable)?,
        _ body: @escaping @Sendable (PipelineCore, SubmissionID, @escaping UpdateCompletion) -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await controller.submission { [core = controller.core] cancellation, completion in
            core.submitFromAnywhere(
                callerContext: callerContext,
                cancellation: cancellation,
                completion: completion
            ) { core, id in body(core, id, completion) }
        }
    }
}

/// An undo or redo step for a data source: an update that starts from the newest state of the data
/// source, and the models to restore.
public struct UndoStep: Sendable {
    let step: HistoryStep<ChangedModels>

    /// The direction of a step.
    public enum Direction: Hashable, Sendable {
        /// The step reverts a change.
        case undo
        /// The step repeats a reverted change.
        case redo
    }

    /// The direction of the step.
    public var direction: Direction { step.direction == .undo ? .undo : .redo }

    /// The update, which starts from the newest state of the data source.
    public var update: ValidatedChangeSet { step.update }

    /// The edits that are not reverted, because other users have since removed or changed their
    /// items.
    public var dropped: [DroppedEdit] { step.dropped }

    /// Returns the earlier model of an item that is restored or reconfigured; `nil` if the data
    /// source returned none.
    ///
    /// - Parameter newPath: A path in the index space of the update's new state.
    public func model(at newPath: ItemPath) -> (any Sendable)? {
        step.origin(of: newPath).flatMap { step.parts[$0.part].context.removed[$0.path] }
    }

    /// Applies the whole step to an array of models for each section.
    ///
    /// - Throws: ``MissingModel`` if the data source returned no model of that type, and
    ///   `sectionCount` or `itemCount` of `HierarchyUpdateError` if `sections` has another shape;
    ///   `sections` is then unchanged.
    /// - Complexity: The same as for applying the update.
    public func apply<Model>(to sections: inout [[Model]]) throws {
        func known(_ path: ItemPath) throws -> Model {
            guard let model = model(at: path) as? Model else { throw MissingModel(path: path) }
            return model
        }
        var result = try update.apply(to: sections, makeItem: known)
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            result[path.section][path.item] = try known(path)
        }
        sections = result
    }

    /// Returns the models that are needed to revert the step again, for each of its parts.
    func contexts(from oldMap: ElementMap) -> [ChangedModels] {
        func model(at path: ItemPath, before part: Int) -> (any Sendable)? {
            switch step.source(of: path, before: part) {
            case .old(let oldPath): oldMap.content(at: oldPath)?.model
            case .part(let origin): step.parts[origin.part].context.removed[origin.path]
            case nil: nil
            }
        }
        return step.parts.indices.map { part in
            ChangedModels(
                step.parts[part].update,
                { model(at: $0, before: part) },
                { model(at: $0, before: part + 1) }
            )
        }
    }
}
