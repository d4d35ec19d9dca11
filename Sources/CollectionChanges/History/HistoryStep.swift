/// What undoing or redoing does: an update from the newest state, and what came with the updates that it takes back.
public struct HistoryStep<Context: Sendable>: Sendable {
    /// Whether something is taken back or done again.
    public enum Direction: Hashable, Sendable {
        /// What was done is taken back.
        case undo
        /// What was taken back is done again.
        case redo
    }

    /// Whether something is taken back or done again.
    public let direction: Direction

    /// The update, from the newest state.
    public let update: ValidatedChangeSet

    /// What is not taken back, in the index spaces of the inverse of what was recorded: others have removed it
    /// (``DroppedEdit/Reason/gone``), or it is not as it was left (``DroppedEdit/Reason/overruled``).
    public let dropped: [DroppedEdit]

    /// The update that takes back one of those that were recorded.
    public struct Part: Sendable {
        /// From the state that the parts before it lead to.
        public let update: ValidatedChangeSet

        /// What came with the one that it takes back.
        public let context: Context

        /// From the state that it leads back to, as it was then, to the one that it leads to now: what others did.
        let others: ValidatedChangeSet

        /// From the state in which the context was taken to that one; nil where they are the same.
        let before: ValidatedChangeSet?

        /// The update of which it takes back all; nil where it does not.
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

        /// Where an item was before the update that this takes back.
        ///
        /// - Parameter newPath: in the space of this part's new state, of an item that it brings back or reconfigures.
        /// - Returns: nil where there is no such item.
        public func origin(of newPath: ItemPath) -> ItemPath? {
            guard let path = others.oldPath(for: newPath) else { return nil }
            return before.map { $0.oldPath(for: path) } ?? path
        }
    }

    /// What it consists of, in turn: one part, or those of a group, the newest first. One after the other they do
    /// what ``update`` does at once.
    public let parts: [Part]

    /// What can be taken back when the step was performed.
    let rest: HistoryStack<Context>

    /// Where an item comes from that the step inserts, reloads or reconfigures.
    public struct Origin: Hashable, Sendable {
        /// The position in ``HistoryStep/parts`` of the one that brings it.
        public let part: Int
        /// Where it was before the update that this takes back.
        public let path: ItemPath
    }

    /// Where an item was before the update that the step takes back: of one that comes back, where it was removed, and
    /// of one that is reconfigured, where that was.
    ///
    /// Complexity: O(parts · log k).
    ///
    /// - Parameter newPath: in the space of the step's new state.
    /// - Returns: nil where there is no such item, or where no update that is taken back removed or reconfigured it.
    public func origin(of newPath: ItemPath) -> Origin? {
        if case .part(let origin) = source(of: newPath, before: parts.count) { origin } else { nil }
    }

    /// Where what an item shows comes from.
    package enum Source {
        /// It was there before the step.
        case old(ItemPath)
        /// A part brought it.
        case part(Origin)
    }

    /// Where what an item shows comes from that is there before one of the parts; nil where there is none.
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

    /// What an item shows, by where it is known from.
    public enum Content {
        /// It shows what the item at a path of the newest state does.
        case current(ItemPath)
        /// It shows what the item showed at a path before one of the updates that the step takes back: that with
        /// which this context came.
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
    /// Where an item was before this part that it leaves as it is, wherever that is now.
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
