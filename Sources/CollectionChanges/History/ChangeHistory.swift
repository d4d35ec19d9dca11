/// What one user did to a collection, to be undone and redone while others go on changing it.
///
/// A value that is told of every update in turn: of the user's own with ``record(_:_:)``, of all others with
/// ``observe(_:)-(ValidatedChangeSet)``. What it gives to undo or redo is an update from the newest state: the inverse
/// of what was done, rebased over everything since. Of the contents nothing is kept but what the caller gives it with
/// each update.
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
/// If nobody else has changed anything, undoing leads back to the state before, item for item, and redoing to the one
/// after. Otherwise only what is still as the user left it is taken back, and the edits of others stay:
///
/// | the user | others since then | undoing |
/// |---|---|---|
/// | moved an item or a section | moved it too | leaves it where they put it |
/// | | updated it | moves it back, with their content |
/// | updated or reloaded an item | updated or reloaded it too | leaves their content |
/// | | moved it | brings the content back, where they put the item |
/// | inserted an item | moved, updated or reloaded it | keeps the item |
/// | inserted a section | moved or reloaded it, put items into it, moved or updated items in it, or moved items out of it | keeps the section and what is in it, but for items that the user moved into it |
/// | reloaded a section | inserted, deleted, moved or updated items in it, or reloaded it too | keeps their section |
/// | reloaded everything | changed anything | keeps everything |
/// | deleted an item or a section | put something else there | brings it back beside that, with another identity |
/// | | deleted or reloaded the section that the item was in | does nothing |
/// | anything | deleted it, alone or with its section, or reloaded everything | does nothing |
///
/// What is kept is named in ``HistoryStep/dropped`` and is not forgotten: as soon as others have taken back theirs, it
/// can be undone. Until then undoing goes on with what was done before it. So if all users undo, in any order, until
/// nothing is left to undo, the first state comes back, within two limits. Items that come back to the same gap stand
/// there in the order in which they came back. And if a history keeps only the net effect of what others did, or if they
/// took back only part of an update, then what they deleted and brought back is another item.
///
/// Whether others have brought an item's content back to what it was is for the caller to say (`isAsLeft`), because a
/// history knows no contents. Without that an item that others have updated is never as it was left.
///
/// Threading: a value; whoever owns it guards it. Complexity: O(1) amortised to record and observe, besides the
/// inverse of an update and keeping it; others' updates are composed to their net effect whenever they have doubled. A
/// step takes O(k log k + sections) for its edits and those of others since.
public struct ChangeHistory<Context: Sendable>: Sendable {
    /// How many steps can be undone at most; the oldest are forgotten.
    public let limit: Int

    private var undoable = HistoryStack<Context>()
    private var redoable = HistoryStack<Context>()
    private var shape: HierarchyShape?
    private var groupDepth = 0
    private var lastGroup = 0

    /// Makes an empty history.
    ///
    /// - Parameter limit: how many steps can be undone at most; with 0 or less nothing is kept.
    public init(limit: Int = 100) { self.limit = max(0, limit) }

    /// How many steps there are to be undone; some of them may have nothing left to do.
    public var undoCount: Int { undoable.groupCount }

    /// How many steps there are to be redone; some of them may have nothing left to do.
    public var redoCount: Int { redoable.groupCount }

    // MARK: What happened

    /// The user's own update was accepted; what was undone before cannot be redone any more.
    ///
    /// - Parameters:
    ///   - update: from the newest state.
    ///   - context: what is needed to take it back, such as the rows that it removed, by their old paths; and what
    ///     is needed to compare contents, the rows that it brought or updated, by their new paths.
    /// - Throws: `sectionCount` or `itemCount` where the update before led to another shape; nothing is recorded.
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

    /// Somebody else's update was accepted.
    ///
    /// - Parameter update: from the newest state.
    /// - Throws: `sectionCount` or `itemCount` where the update before led to another shape; nothing is noted.
    public mutating func observe(_ update: ValidatedChangeSet) throws(HierarchyUpdateError) {
        try follow(update)
        undoable.observe(update)
        redoable.observe(update)
    }

    /// Somebody else's step was accepted, which takes back or does again what another history recorded.
    ///
    /// Prefer this to ``observe(_:)-(ValidatedChangeSet)`` of its update: what is taken back altogether then counts as
    /// if it had never been done, so that an item which was deleted and brought back is the same.
    ///
    /// - Parameter step: from the newest state; the other history was told of the same updates as this one.
    /// - Throws: `sectionCount` or `itemCount` where the update before led to another shape; nothing is noted.
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

    /// What is recorded from here to the end of the group is one step. Groups nest; the outermost counts.
    public mutating func beginGroup() {
        if groupDepth == 0 { lastGroup += 1 }
        groupDepth += 1
    }

    /// Ends a group; where none has begun, nothing happens.
    public mutating func endGroup() { groupDepth = max(0, groupDepth - 1) }

    // MARK: Undoing and redoing

    /// Compares the contents of an item that others have updated: whether it shows the same as directly after an
    /// update of the user's. It is given what came with that update, the item's path after it, and what it shows now.
    public typealias ContentComparison = (Context, ItemPath, HistoryStep<Context>.Content) -> Bool

    /// Returns what undoing would do now; nil if nothing is left to undo.
    ///
    /// - Parameter isAsLeft: compares contents; without it, nothing that others have updated is as it was left.
    /// - Throws: `tooManyItems` if an `Int` cannot hold how many items a section would have.
    public func undoStep(
        isAsLeft: ContentComparison = { _, _, _ in false }
    ) throws(HierarchyUpdateError) -> HistoryStep<Context>? {
        try undoable.step(.undo, isAsLeft)
    }

    /// Returns what redoing would do now; nil if nothing is left to redo.
    ///
    /// - Parameter isAsLeft: compares contents; without it, nothing that others have updated is as it was left.
    /// - Throws: `tooManyItems` if an `Int` cannot hold how many items a section would have.
    public func redoStep(
        isAsLeft: ContentComparison = { _, _, _ in false }
    ) throws(HierarchyUpdateError) -> HistoryStep<Context>? {
        try redoable.step(.redo, isAsLeft)
    }

    /// A step was accepted, in the state that it was given for: what was undone can be redone, and the other way
    /// around.
    ///
    /// - Parameters:
    ///   - step: what ``undoStep(isAsLeft:)`` or ``redoStep(isAsLeft:)`` gave, with nothing recorded or observed since.
    ///   - contexts: what is needed to take each of its parts back; by default what came with them.
    /// - Throws: `sectionCount` or `itemCount` where the step starts from another shape; nothing changes.
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
            // What is held of a step that was undone in part is one more.
            undoable.forget(beyond: limit)
        }
    }
}
