/// The undo history of one user of a collection that other users edit at the same time.
///
/// Pass every accepted update to the history, in order: the user's own updates to ``record(_:_:)``,
/// and all others to ``observe(_:)-(ValidatedChangeSet)``. To undo or redo, the history returns an
/// update from the newest state: the inverse of the recorded update, rebased over everything since.
/// It stores no contents except the context that the caller passes with each update.
///
/// ```swift
/// var history = ChangeHistory<[ItemPath: Row]>()
/// try history.record(mine, removedRows)
/// try history.observe(theirs)
/// if let step = try history.undoStep() {
///     try step.update.apply(to: &rows) { path in
///         let origin = step.origin(of: path)!
///         return step.parts[origin.part].context[origin.path]!
///     }
///     try history.perform(step)
/// }
/// ```
///
/// If no other user has changed anything, undoing leads back to the previous state, item for item,
/// and redoing to the state after it. Otherwise the history reverts only the parts that are
/// still as the user left them, and keeps the edits of other users:
///
/// | the user | other users since then | undoing |
/// |---|---|---|
/// | moved an item or a section | moved it too | leaves it where they put it |
/// | | updated it | moves it back, with their content |
/// | updated or reloaded an item | updated or reloaded it too | leaves their content |
/// | | moved it | restores the content, at the place where they put the item |
/// | inserted an item | moved, updated or reloaded it | keeps the item |
/// | inserted a section | moved or reloaded it, put items into it, moved or updated items in it, or moved items out of it | keeps the section and its items, except items that the user moved into it |
/// | reloaded a section | inserted, deleted, moved or updated items in it, or reloaded it too | keeps their section |
/// | reloaded everything | changed anything | keeps everything |
/// | deleted an item or a section | put something else there | restores it next to theirs, with another identity |
/// | | deleted or reloaded the section that the item was in | does nothing |
/// | anything | deleted it, alone or with its section, or reloaded everything | does nothing |
///
/// ``HistoryStep/dropped`` lists the edits that a step does not revert. The history retains
/// them: they can be undone as soon as the other users have reverted their edits. Until then,
/// undo continues with earlier steps. If all users undo, in any order, until nothing is left to
/// undo, the first state is restored, with two exceptions. Items that are restored to the same gap
/// are in the order in which they were restored. An item that other users deleted and restored has
/// another identity if the history keeps only the net effect of their updates, or if they reverted
/// only part of an update.
///
/// A history does not know the contents of items. The caller therefore decides, with `isRestored`,
/// whether other users have restored an item's content. Without this closure, an item that other
/// users have updated never counts as unchanged.
///
/// Threading: a value type; its owner must serialize access to it.
///
/// Complexity: amortized O(1) to record and observe, plus the cost of inverting and storing an
/// update. Updates of other users are composed to their net effect each time their number has
/// doubled. A step takes O(k log k + s) for s sections and k edits, including those of other users
/// since.
public struct ChangeHistory<Context: Sendable>: Sendable {
    /// The maximum number of steps that can be undone; older steps are dropped.
    public let limit: Int

    private var undoable = HistoryStack<Context>()
    private var redoable = HistoryStack<Context>()
    private var shape: HierarchyShape?
    private var groupDepth = 0
    private var lastGroup = 0

    /// Creates an empty history.
    ///
    /// - Parameter limit: The maximum number of steps that can be undone; with 0 or less nothing is
    ///   kept.
    public init(limit: Int = 100) { self.limit = max(0, limit) }

    /// The number of steps that can be undone, including steps that may have no remaining effect.
    public var undoCount: Int { undoable.groupCount }

    /// The number of steps that can be redone, including steps that may have no remaining effect.
    public var redoCount: Int { redoable.groupCount }

    // MARK: Accepted updates

    /// Records an accepted update of the user. Steps that were undone before can no longer be
    /// redone.
    ///
    /// - Parameters:
    ///   - update: An update from the newest state.
    ///   - context: The data that undo needs. To restore contents: for example, the removed rows by
    ///     their old paths. To compare contents: the inserted or updated rows by their new paths.
    /// - Throws: `sectionCount` or `itemCount` if `update` does not start from the shape of the
    ///   newest state; nothing is recorded.
    public mutating func record(
        _ update: ValidatedChangeSet,
        _ context: Context
    ) throws(HierarchyUpdateError) {
        try follow(update)
        if groupDepth == 0 { lastGroup += 1 }
        redoable = HistoryStack()
        undoable.push(update, context, group: lastGroup)
        undoable.forget(beyond: limit)
    }

    /// Observes an accepted update of another user.
    ///
    /// - Parameter update: An update from the newest state.
    /// - Throws: `sectionCount` or `itemCount` if `update` does not start from the shape of the
    ///   newest state; nothing changes.
    public mutating func observe(_ update: ValidatedChangeSet) throws(HierarchyUpdateError) {
        try follow(update)
        undoable.observe(update)
        redoable.observe(update)
    }

    /// Observes an accepted undo or redo step of another user's history.
    ///
    /// Prefer this to ``observe(_:)-(ValidatedChangeSet)`` with the step's update. An update that
    /// is reverted completely then counts as never made, so that an item that was deleted and
    /// restored keeps its identity.
    ///
    /// - Parameter step: A step from the newest state. Its history must have received the same
    ///   updates as this one.
    /// - Throws: `sectionCount` or `itemCount` if `step` does not start from the shape of the
    ///   newest state; nothing changes.
    public mutating func observe(_ step: HistoryStep<Context>) throws(HierarchyUpdateError) {
        try follow(step.update)
        for part in step.parts {
            undoable.observe(part.update, takingBack: part.original)
            redoable.observe(part.update, takingBack: part.original)
        }
    }

    private mutating func follow(_ update: ValidatedChangeSet) throws(HierarchyUpdateError) {
        if let shape { try update.checkStart(shape) }
        shape = update.newShape
    }

    /// Begins a group. All updates recorded until the end of the group form one step. Groups can be
    /// nested; only the outermost group forms a step.
    public mutating func beginGroup() {
        if groupDepth == 0 { lastGroup += 1 }
        groupDepth += 1
    }

    /// Ends a group; does nothing if no group has begun.
    public mutating func endGroup() { groupDepth = max(0, groupDepth - 1) }

    // MARK: Undoing and redoing

    /// A function that compares the contents of an item that other users have updated. It returns
    /// whether the item shows the same content as directly after an update of the user.
    ///
    /// Its arguments are the context of that update, the item's path after that update, and the
    /// current content of the item.
    public typealias ContentComparison = (Context, ItemPath, HistoryStep<Context>.Content) -> Bool

    /// Returns the step that undo would perform now, or `nil` if nothing is left to undo.
    ///
    /// - Parameter isRestored: Compares contents; by default, no item that other users have updated
    ///   counts as unchanged.
    /// - Throws: `tooManyItems` if the resulting number of items in a section exceeds `Int.max`.
    public func undoStep(
        isRestored: ContentComparison = { _, _, _ in false }
    ) throws(HierarchyUpdateError) -> HistoryStep<Context>? {
        try undoable.step(.undo, isRestored)
    }

    /// Returns the step that redo would perform now, or `nil` if nothing is left to redo.
    ///
    /// - Parameter isRestored: Compares contents; by default, no item that other users have updated
    ///   counts as unchanged.
    /// - Throws: `tooManyItems` if the resulting number of items in a section exceeds `Int.max`.
    public func redoStep(
        isRestored: ContentComparison = { _, _, _ in false }
    ) throws(HierarchyUpdateError) -> HistoryStep<Context>? {
        try redoable.step(.redo, isRestored)
    }

    /// Marks a step as performed, after its update was accepted in the state for which the step was
    /// returned. An undo step can then be redone, and a redo step can be undone.
    ///
    /// - Parameters:
    ///   - step: The result of ``undoStep(isRestored:)`` or ``redoStep(isRestored:)``, with no
    ///     update recorded or observed since.
    ///   - contexts: The contexts with which the parts of the step can be reverted, one for each
    ///     part; by default the contexts of the parts themselves.
    /// - Throws: `sectionCount` or `itemCount` if the step starts from another shape; nothing
    ///   changes.
    public mutating func perform(
        _ step: HistoryStep<Context>,
        _ contexts: [Context]? = nil
    ) throws(HierarchyUpdateError) {
        try follow(step.update)
        lastGroup += 1
        let group = lastGroup
        var contexts = contexts ?? []
        contexts += step.parts.dropFirst(contexts.count).map(\.context)
        switch step.direction {
        case .undo:
            undoable = step.rest
            redoable.pushInverse(of: step, contexts, group: group)
            redoable.forget(beyond: limit)
        case .redo:
            redoable = step.rest
            undoable.pushInverse(of: step, contexts, group: group)
            // The retained edits of a partly undone step count as one more step.
            undoable.forget(beyond: limit)
        }
    }
}
