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
struct HistoryStack<Context: Sendable>: Sendable {
    private struct Entry {
        let inverse: ValidatedChangeSet
        let context: Context
        /// Entries of one group are taken back together.
        let group: Int
        /// What others did since, in turn.
        var others: [ValidatedChangeSet] = []
        /// How many of them there may be before they are composed.
        var room = 8
    }

    private var entries: [Entry] = []
    private(set) var groupCount = 0

    // MARK: What happened

    mutating func push(_ inverse: ValidatedChangeSet, _ context: Context, group: Int) {
        if entries.last?.group != group { groupCount += 1 }
        entries.append(Entry(inverse: inverse, context: context, group: group))
    }

    /// What takes a step back that was just performed.
    mutating func pushInverse(
        of step: HistoryStep<Context>,
        _ contexts: [Context],
        group: Int
    ) {
        for (part, context) in zip(step.parts, contexts) {
            push(part.update.inverted, context, group: group)
        }
    }

    mutating func observe(_ update: ValidatedChangeSet) {
        guard let last = entries.indices.last, update.changesSomething else { return }
        entries[last].others.append(update)
        guard entries[last].others.count >= entries[last].room else { return }
        // To the net effect, in room that follows that.
        if let net = try? ValidatedChangeSet(composing: entries[last].others) {
            entries[last].others = [net]
            entries[last].room = 8 + net.edits.count
        }
    }

    /// Keeps so many groups, the newest.
    mutating func forget(beyond limit: Int) {
        while groupCount > limit, let first = entries.first {
            entries.removeFirst(entries.prefix { $0.group == first.group }.count)
            groupCount -= 1
        }
    }

    /// A step was performed.
    mutating func drop(_ step: HistoryStep<Context>) {
        while entries.count > step.rest.count {
            let last = entries.removeLast()
            if entries.last?.group != last.group { groupCount -= 1 }
        }
        observe(step.rest.others)
    }

    // MARK: What may be done

    /// The newest group that has something left to do, with those behind it that have not.
    func step(
        _ direction: HistoryStep<Context>.Direction
    ) throws(HierarchyUpdateError) -> HistoryStep<Context>? {
        guard let newest = entries.last else { return nil }
        var others = ValidatedChangeSet.unchanged(newest.inverse.oldShape)
        var count = entries.count
        while count > 0 {
            let group = entries[count - 1].group
            var parts: [HistoryStep<Context>.Part] = []
            var dropped: [DroppedEdit] = []
            while count > 0, entries[count - 1].group == group {
                count -= 1
                let entry = entries[count]
                let since = try Self.composed(entry.others + [others], from: entry.inverse.oldShape)
                let rebased = try entry.inverse.rebased(over: since, as: .later)
                others = try since.rebased(over: entry.inverse, as: .earlier).update
                parts.append(.init(update: rebased.update, context: entry.context, others: others))
                dropped += rebased.dropped
            }
            let first = parts[0].update.oldShape
            let update = try Self.composed(parts.map(\.update), from: first)
            if update.changesSomething {
                return HistoryStep(
                    direction: direction,
                    update: update,
                    dropped: dropped,
                    parts: parts,
                    rest: (count, others)
                )
            }
        }
        return nil
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
