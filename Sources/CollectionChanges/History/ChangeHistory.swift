/// What one user did to a collection, to be undone and redone while others go on changing it.
///
/// A value that is told of every update in turn: of the user's own with ``record(_:_:)``, of all others with
/// ``observe(_:)``. What it gives to undo or redo is an update from the newest state: the inverse of what was done,
/// rebased over everything since. Of the contents nothing is kept but what the caller gives it with each update.
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
/// Where nobody else changed anything, undoing leads back to the state before, item for item, and redoing to the one
/// after. Where others did, their edits stay: what they removed does not come back, and what they inserted or moved
/// is where they put it. A step that others have left nothing to do for is passed over.
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
    ///   - context: what is needed to take it back, such as the rows that it removed, by their old paths.
    /// - Throws: `sectionCount` or `itemCount` where the update before led to another shape; nothing is recorded.
    public mutating func record(
        _ update: ValidatedChangeSet,
        _ context: Context
    ) throws(HierarchyUpdateError) {
        try follow(update)
        if groupDepth == 0 { lastGroup += 1 }
        redoable = HistoryStack()
        undoable.push(update.inverted, context, group: lastGroup)
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

    /// What undoing would do now; nil where nothing is left to undo.
    ///
    /// - Throws: `tooManyItems` where an `Int` cannot hold how many items a section would have.
    public func undoStep() throws(HierarchyUpdateError) -> HistoryStep<Context>? {
        try undoable.step(.undo)
    }

    /// What redoing would do now; nil where nothing is left to redo.
    ///
    /// - Throws: `tooManyItems` where an `Int` cannot hold how many items a section would have.
    public func redoStep() throws(HierarchyUpdateError) -> HistoryStep<Context>? {
        try redoable.step(.redo)
    }

    /// A step was accepted, in the state that it was given for: what was undone can be redone, and the other way
    /// around.
    ///
    /// - Parameters:
    ///   - step: what ``undoStep()`` or ``redoStep()`` gave, with nothing recorded or observed since.
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
            undoable.drop(step)
            redoable.pushInverse(of: step, contexts, group: group)
        case .redo:
            redoable.drop(step)
            undoable.pushInverse(of: step, contexts, group: group)
        }
    }
}
