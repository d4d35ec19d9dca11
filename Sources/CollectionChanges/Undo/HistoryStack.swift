/// A stack of updates that can be reverted, newest last. Each entry also contains the updates
/// that other users made between it and the next entry.
///
/// | state | reached by |
/// |---|---|
/// | S0 | |
/// | S1 | the update whose inverse is the first entry |
/// | S1' | the later updates of others, which the first entry contains |
/// | S2 | the update whose inverse is the second entry |
/// | … | |
///
/// To revert the second entry, its inverse is rebased over the later updates of others. The
/// updates of others, rebased over the inverse, lead from S1' to the resulting state, as if the
/// second update had never been made. They are appended to the others of the first entry.
///
/// If others have changed part of an entry, the rest of the entry is held when the entries below it
/// are reverted. A held entry no longer belongs to this sequence. All later updates, including
/// those of the user, are appended to its others.
///
/// If other users revert one of their updates, this update is removed from the sequence, and
/// everything after it is rebased over its inverse. The entries then do not see an item that was
/// deleted and restored as another item. If the result differs from the update that the others
/// made, that update is appended like any other.
struct HistoryStack<Context: Sendable>: Sendable {
    /// An update that another user made.
    fileprivate struct ForeignUpdate: Sendable {
        /// The update in the form that other histories know; `nil` for the net effect of several
        /// updates.
        var original: ValidatedChangeSet?
        var update: ValidatedChangeSet
    }

    fileprivate struct Entry: Sendable {
        var inverse: ValidatedChangeSet
        /// The user's update in the form that other histories know; `nil` if the entry is only a
        /// part of it.
        var original: ValidatedChangeSet?
        let context: Context
        /// The group of the entry. All entries of one group are reverted together.
        let group: Int
        /// The later updates of others, in order.
        var others: [ForeignUpdate] = []
        /// The number of updates in `others` at which they are composed to their net effect.
        var room = 8
        /// Updates from the states before and after the user's update to the corresponding states
        /// of the inverse; `nil` if the states are equal.
        var before: ValidatedChangeSet?
        var after: ValidatedChangeSet?

        mutating func observe(_ update: ValidatedChangeSet, _ original: ValidatedChangeSet? = nil) {
            guard update.changesSomething else { return }
            others.append(ForeignUpdate(original: original, update: update.withItemsKept))
            guard others.count >= room else { return }
            // The new limit depends on the size of the net effect.
            if let net = try? ValidatedChangeSet(composing: others.lazy.map(\.update)) {
                others = [ForeignUpdate(update: net)]
                room = 8 + net.edits.count
            }
        }

        /// Returns the held part of the entry, which is reverted when others have reverted
        /// their edits.
        ///
        /// - Parameters:
        ///   - held: The held part of the inverse.
        ///   - more: The updates of others that follow those in the entry.
        func holding(
            _ held: UndoResult.HeldPart,
            _ more: [ValidatedChangeSet]
        ) throws(HierarchyUpdateError) -> Entry {
            var entry = self
            guard let part = held.before else {
                for update in more { entry.observe(update) }
                return entry
            }
            (entry.inverse, entry.original, entry.others) = (held.inverse, nil, [])
            entry.observe(held.others)
            entry.after = try after?.composed(with: part) ?? part
            return entry
        }
    }

    private var entries: [Entry] = []
    /// The entries that could not be reverted because of others' edits, ascending by group.
    private var held: [Entry] = []
    private(set) var groupCount = 0

    // MARK: Accepted updates

    mutating func push(_ update: ValidatedChangeSet, _ context: Context, group: Int) {
        for position in held.indices { held[position].observe(update) }
        if entries.last?.group != group { groupCount += 1 }
        let inverse = update.inverted
        entries.append(Entry(inverse: inverse, original: update, context: context, group: group))
    }

    /// Pushes the inverses of the parts of a step that was just performed.
    mutating func pushInverse(of step: HistoryStep<Context>, _ contexts: [Context], group: Int) {
        for (part, context) in zip(step.parts, contexts) {
            push(part.update, context, group: group)
        }
    }

    /// Records an update of another user.
    ///
    /// - Parameters:
    ///   - update: The update from the newest state.
    ///   - original: The earlier update that `update` reverts completely, or `nil`.
    mutating func observe(
        _ update: ValidatedChangeSet,
        takingBack original: ValidatedChangeSet? = nil
    ) {
        if let original, let without = Self.without(original, revertedBy: update, entries) {
            entries = without
        } else if let last = entries.indices.last {
            entries[last].observe(update, update)
        }
        for position in held.indices {
            if let original,
                let without = Self.without(original, revertedBy: update, [held[position]])
            {
                held[position] = without[0]
            } else {
                held[position].observe(update, update)
            }
        }
    }

    /// Returns the entries as if others had never made an update that they have now reverted, or
    /// `nil` if that is not possible.
    private static func without(
        _ original: ValidatedChangeSet,
        revertedBy update: ValidatedChangeSet,
        _ entries: [Entry]
    ) -> [Entry]? {
        for position in entries.indices.reversed() {
            let others = entries[position].others
            guard
                let place = others.lastIndex(where: {
                    $0.original?.isIdentical(to: original) ?? false
                })
            else { continue }
            var result = entries
            var inverse = others[place].update.inverted
            do throws(HierarchyUpdateError) {
                func pass(_ other: inout ValidatedChangeSet) throws(HierarchyUpdateError) {
                    let before = other
                    other = try before.prevailing(over: inverse)
                    inverse = try inverse.yielding(over: before)
                }
                result[position].others.remove(at: place)
                for next in place..<result[position].others.count {
                    try pass(&result[position].others[next].update)
                }
                for above in result.indices where above > position {
                    var own = result[above].inverse.inverted
                    let before = inverse
                    try pass(&own)
                    result[above].inverse = own.inverted
                    result[above].before =
                        try result[above].before?.composed(with: before) ?? before
                    result[above].after =
                        try result[above].after?.composed(with: inverse) ?? inverse
                    for next in result[above].others.indices {
                        try pass(&result[above].others[next].update)
                    }
                }
            } catch { return nil }
            return inverse.agrees(with: update) ? result : nil
        }
        return nil
    }

    /// Drops the oldest groups until at most `limit` remain.
    mutating func forget(beyond limit: Int) {
        while groupCount > limit {
            let oldest = min(entries.first?.group ?? .max, held.first?.group ?? .max)
            entries.removeFirst(entries.prefix { $0.group == oldest }.count)
            held.removeFirst(held.prefix { $0.group == oldest }.count)
            groupCount -= 1
        }
    }

    private mutating func countGroups() {
        groupCount = [entries, held].reduce(0) { sum, list in
            sum + zip(list, list.dropFirst()).count { $0.group != $1.group } + min(1, list.count)
        }
    }

    // MARK: Undo and redo

    /// Returns the step for the newest group that has a remaining effect.
    ///
    /// - Parameters:
    ///   - direction: The direction of the step.
    ///   - isRestored: A closure that returns whether an item that others have updated shows its
    ///     previous content again, given the context of the user's update, the item's path after
    ///     it, and the source of the item's current content.
    func step(
        _ direction: HistoryStep<Context>.Direction,
        _ isRestored: (Context, ItemPath, HistoryStep<Context>.Content) -> Bool
    ) throws(HierarchyUpdateError) -> HistoryStep<Context>? {
        // `below` contains the entries below the current group. `skipped` contains the entries of
        // groups without a remaining effect, which are to be held. `others` contains the updates of
        // others since the newest entry below.
        var below = self
        var skipped: [Entry] = []
        var others: ValidatedChangeSet?
        var original: ValidatedChangeSet?
        while let group = [below.entries.last, below.held.last].compactMap({ $0?.group }).max() {
            let isHeld = below.entries.last?.group != group
            var found = Group()
            while let entry = isHeld ? below.held.last : below.entries.last, entry.group == group {
                if isHeld { below.held.removeLast() } else { below.entries.removeLast() }
                let more = isHeld ? found.updates : [others].compactMap { $0 }
                let all = entry.others.map(\.update) + more
                let since = try Self.composed(all, from: entry.inverse.oldShape)
                let taken = try entry.inverse.reverted(over: since) { left, now in
                    guard let path = entry.after.map({ $0.oldPath(for: left) }) ?? left,
                        let content = HistoryStep.content(of: now, after: found.parts)
                    else { return false }
                    return isRestored(entry.context, path, content)
                }
                if !isHeld {
                    others = taken.others
                    // A single update is still the original one.
                    original =
                        more.isEmpty && entry.others.count == 1 ? entry.others[0].original : nil
                }
                try found.append(entry, taken, more)
            }
            let first = found.parts[0].update.oldShape
            let update = try Self.composed(found.updates, from: first)
            guard update.changesSomething else {
                skipped += found.held
                continue
            }
            if let others, let last = below.entries.indices.last {
                below.entries[last].observe(others, original)
            }
            for position in below.held.indices { below.held[position].observe(update) }
            if isHeld, let last = below.entries.indices.last { below.entries[last].observe(update) }
            for position in skipped.indices { skipped[position].observe(update) }
            below.held += (skipped + found.held).reversed()
            below.countGroups()
            return HistoryStep(
                direction: direction,
                update: update,
                dropped: found.dropped,
                parts: found.parts,
                rest: below
            )
        }
        return nil
    }

    /// The result of reverting a group.
    private struct Group {
        var parts: [HistoryStep<Context>.Part] = []
        var dropped: [DroppedEdit] = []
        var held: [Entry] = []
        var updates: [ValidatedChangeSet] { parts.map(\.update) }

        mutating func append(
            _ entry: Entry,
            _ taken: UndoResult,
            _ more: [ValidatedChangeSet]
        ) throws(HierarchyUpdateError) {
            for position in held.indices { held[position].observe(taken.update) }
            if let rest = taken.held { held.append(try entry.holding(rest, more)) }
            dropped += taken.dropped
            let isWhole = taken.dropped.isEmpty && taken.held == nil
            parts.append(
                .init(
                    update: taken.update,
                    context: entry.context,
                    others: taken.others,
                    before: entry.before,
                    original: isWhole ? entry.original : nil
                )
            )
        }
    }

    private static func composed(
        _ updates: [ValidatedChangeSet],
        from shape: HierarchyShape
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        let changing = updates.filter(\.changesSomething)
        if changing.count == 1 { return changing[0] }
        return try ValidatedChangeSet(composing: changing) ?? .unchanged(shape)
    }
}
