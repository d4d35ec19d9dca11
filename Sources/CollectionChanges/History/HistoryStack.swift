/// Updates that may be taken back, newest last, each with what others did between it and the next.
///
/// | state | reached by |
/// |---|---|
/// | S0 | |
/// | S1 | the update whose inverse is the first entry |
/// | S1' | what others did since, which that entry keeps |
/// | S2 | the update whose inverse is the second entry |
/// | … | |
///
/// To take the second entry back, its inverse goes over what others did since; and what they did, rebased over the
/// inverse, leads from S1' to the state that is then there, as if they had done it without that update. So it is added
/// to what the first entry keeps.
///
/// An entry of which others have changed something is held for the rest when those below it are taken back. It is then
/// no longer one of this sequence: it keeps all that happens from then on as others' updates, also the user's own.
///
/// When others take back one of their updates, that is taken out of this sequence, with all that came after it rebased
/// over its inverse: so the entries do not see that what was deleted and then brought back is another item. Where this
/// does not give the update that they made, that is noted as any other.
struct HistoryStack<Context: Sendable>: Sendable {
    /// One that others made.
    fileprivate struct Observed: Sendable {
        /// As it is known elsewhere; nil if it is the net effect of several.
        var original: ValidatedChangeSet?
        var update: ValidatedChangeSet
    }

    fileprivate struct Entry: Sendable {
        var inverse: ValidatedChangeSet
        /// The user's update as it is known elsewhere; nil for a part of it.
        var original: ValidatedChangeSet?
        let context: Context
        /// Entries of one group are taken back together.
        let group: Int
        /// What others did since, in turn.
        var others: [Observed] = []
        /// How many of them there may be before they are composed.
        var room = 8
        /// From the states around the user's update to those between which the inverse leads; nil where they are the
        /// same.
        var (before, after): (ValidatedChangeSet?, ValidatedChangeSet?)

        init(
            _ inverse: ValidatedChangeSet,
            of original: ValidatedChangeSet?,
            _ context: Context,
            group: Int
        ) {
            (self.inverse, self.original) = (inverse, original)
            (self.context, self.group) = (context, group)
        }

        mutating func observe(_ update: ValidatedChangeSet, _ original: ValidatedChangeSet? = nil) {
            guard update.changesSomething else { return }
            others.append(Observed(original: original, update: update.withItemsKept))
            guard others.count >= room else { return }
            // To the net effect, in room that follows that.
            if let net = try? ValidatedChangeSet(composing: others.lazy.map(\.update)) {
                others = [Observed(update: net)]
                room = 8 + net.edits.count
            }
        }

        /// What is held of it, to be taken back when others have taken back theirs.
        ///
        /// - Parameter more: what others did beyond what the entry keeps.
        func holding(
            _ held: TakenBack.Held,
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
    /// Those that others kept from being taken back, ascending by group.
    private var held: [Entry] = []
    private(set) var groupCount = 0

    // MARK: What happened

    mutating func push(_ update: ValidatedChangeSet, _ context: Context, group: Int) {
        for position in held.indices { held[position].observe(update) }
        if entries.last?.group != group { groupCount += 1 }
        entries.append(Entry(update.inverted, of: update, context, group: group))
    }

    /// What takes a step back that was just performed.
    mutating func pushInverse(of step: HistoryStep<Context>, _ contexts: [Context], group: Int) {
        for (part, context) in zip(step.parts, contexts) {
            push(part.update, context, group: group)
        }
    }

    /// - Parameter original: the update that this takes back all of.
    mutating func observe(
        _ update: ValidatedChangeSet,
        takingBack original: ValidatedChangeSet? = nil
    ) {
        if let original, let without = Self.without(original, takenBackBy: update, entries) {
            entries = without
        } else if let last = entries.indices.last {
            entries[last].observe(update, update)
        }
        for position in held.indices {
            if let original,
                let without = Self.without(original, takenBackBy: update, [held[position]])
            {
                held[position] = without[0]
            } else {
                held[position].observe(update, update)
            }
        }
    }

    /// The entries as if others had not made an update that one of theirs has taken back; nil if that is not known.
    private static func without(
        _ original: ValidatedChangeSet,
        takenBackBy update: ValidatedChangeSet,
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

    /// Keeps so many groups, the newest.
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

    // MARK: What may be done

    /// The newest group that has something left to do.
    ///
    /// - Parameter isAsLeft: whether an item that others have updated shows the same again: given what came with the
    ///   user's update and the item's path after it, and where what it shows now is from.
    func step(
        _ direction: HistoryStep<Context>.Direction,
        _ isAsLeft: (Context, ItemPath, HistoryStep<Context>.Content) -> Bool
    ) throws(HierarchyUpdateError) -> HistoryStep<Context>? {
        // What is below the groups that have nothing left to do, those of them that are to be held, and what others
        // did since the newest entry below.
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
                let taken = try entry.inverse.takenBack(over: since) { left, now in
                    guard let path = entry.after.map({ $0.oldPath(for: left) }) ?? left,
                        let content = HistoryStep.content(of: now, after: found.parts)
                    else { return false }
                    return isAsLeft(entry.context, path, content)
                }
                if !isHeld {
                    others = taken.others
                    // A single one is still that.
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

    /// What taking a group back comes to.
    private struct Group {
        var parts: [HistoryStep<Context>.Part] = []
        var dropped: [DroppedEdit] = []
        var held: [Entry] = []
        var updates: [ValidatedChangeSet] { parts.map(\.update) }

        mutating func append(
            _ entry: Entry,
            _ taken: TakenBack,
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
