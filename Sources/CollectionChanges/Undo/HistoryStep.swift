/// The effect of an undo or redo: an update from the newest state, and the contexts of the updates
/// that it reverts.
public struct HistoryStep<Context: Sendable>: Sendable {
    /// The direction of a step in a history.
    public enum Direction: Hashable, Sendable {
        /// The step reverts an update.
        case undo
        /// The step applies an update again that was reverted.
        case redo
    }

    /// Whether the step undoes or redoes.
    public let direction: Direction

    /// The update from the newest state.
    public let update: ValidatedChangeSet

    /// The edits that are not reverted, in the index spaces of the inverse of the recorded
    /// update. Either others have removed their item or section (``DroppedEdit/Reason/gone``), or
    /// it is not as the user left it (``DroppedEdit/Reason/overruled``).
    public let dropped: [DroppedEdit]

    /// The part of a step that reverts one recorded update.
    public struct Part: Sendable {
        /// The update from the state after the previous parts.
        public let update: ValidatedChangeSet

        /// The context that was recorded with the update that this part reverts.
        public let context: Context

        /// The updates of others, which lead from the state that the inverse originally produced to
        /// the state that this part produces now.
        let others: ValidatedChangeSet

        /// The update that leads from the state of the context to the start state of `others`;
        /// `nil` if these states are equal.
        let before: ValidatedChangeSet?

        /// The update that this part reverts completely; `nil` if it reverts only some of it.
        let original: ValidatedChangeSet?
        private(set) var reconfigured: Set<ItemPath> = []

        init(
            update: ValidatedChangeSet,
            context: Context,
            others: ValidatedChangeSet,
            before: ValidatedChangeSet?,
            original: ValidatedChangeSet?
        ) {
            (self.update, self.context, self.others) = (update, context, others)
            (self.before, self.original) = (before, original)
            reconfigured = Set(update.reconfigurations.lazy.map(\.newPath))
        }

        /// Returns the path of an item before the update that this part reverts.
        ///
        /// - Parameter newPath: The path of an item that this part restores or reconfigures, in
        ///   this part's new state.
        /// - Returns: The path, or `nil` if there is no such item.
        public func origin(of newPath: ItemPath) -> ItemPath? {
            guard let path = others.oldPath(for: newPath) else { return nil }
            return before.map { $0.oldPath(for: path) } ?? path
        }
    }

    /// The parts of the step in order: one part, or the parts of a group, newest first. Together
    /// they have the same effect as ``update``.
    public let parts: [Part]

    /// The entries that can be reverted after the step was performed.
    let rest: HistoryStack<Context>

    /// The origin of an item that the step inserts, reloads or reconfigures.
    public struct Origin: Hashable, Sendable {
        /// The index in ``HistoryStep/parts`` of the part that restores the item.
        public let part: Int
        /// The item's path before the update that this part reverts.
        public let path: ItemPath
    }

    /// Returns the origin of an item: the place from which a restored item was removed, or the
    /// place at which a reconfigured item was updated.
    ///
    /// Complexity: O(parts · log k).
    ///
    /// - Parameter newPath: The path of the item in the step's new state.
    /// - Returns: The origin, or `nil` if there is no such item or if none of the updates that are
    ///   reverted removed or reconfigured it.
    public func origin(of newPath: ItemPath) -> Origin? {
        if case .part(let origin) = source(of: newPath, before: parts.count) { origin } else { nil }
    }

    /// The source of an item's current content.
    package enum Source {
        /// The item existed before the step, at this path.
        case old(ItemPath)
        /// A part restored the item's content.
        case part(Origin)
    }

    /// Returns the source of the content of an item that exists before the part with index `end`,
    /// or `nil` if there is no such item.
    package func source(of path: ItemPath, before end: Int) -> Source? {
        guard let source = Self.source(of: path, after: parts[..<end]) else { return nil }
        if case .old(let path) = source, !update.oldShape.contains(path) { return nil }
        return source
    }

    private static func source(of path: ItemPath, after parts: ArraySlice<Part>) -> Source? {
        var path = path
        for (position, part) in parts.enumerated().reversed() {
            guard let oldPath = part.survivor(at: path) else {
                return part.origin(of: path).map { .part(Origin(part: position, path: $0)) }
            }
            path = oldPath
        }
        return .old(path)
    }

    /// The content of an item, given by its source.
    public enum Content {
        /// The item shows the content of the item at this path of the newest state.
        case current(ItemPath)
        /// The item shows its content from before an update that the step reverts. The values
        /// are the context of that update, and the item's path before it.
        case former(Context, ItemPath)
    }

    static func content(of path: ItemPath, after parts: [Part]) -> Content? {
        switch source(of: path, after: parts[...]) {
        case .old(let path): .current(path)
        case .part(let origin): .former(parts[origin.part].context, origin.path)
        case nil: nil
        }
    }
}

extension HistoryStep.Part {
    /// Returns the path before this part of an item that this part leaves unchanged or only moves;
    /// otherwise `nil`.
    fileprivate func survivor(at newPath: ItemPath) -> ItemPath? {
        let insertions = update.itemInsertions
        let position = partitionPoint(insertions.count) { insertions[$0].path >= newPath }
        if position < insertions.count, insertions[position].path == newPath,
            insertions[position].role != .move
        {
            return nil
        }
        return reconfigured.contains(newPath) ? nil : update.oldPath(for: newPath)
    }
}
