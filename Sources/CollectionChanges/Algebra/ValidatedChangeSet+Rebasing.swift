extension ValidatedChangeSet {
    /// The update that does to the state after `other` what this one does to the state that both start from.
    ///
    /// Use it where a change was recorded against an older state than there is now: an edit made while a
    /// server's were on their way, an undo after others edited, two replicas that exchange what they did. All
    /// it needs is both updates, not the contents.
    ///
    /// ```swift
    /// // mine: A to B, theirs: A to C, both from the same shape
    /// let rebased = try mine.rebased(over: theirs)             // C to D
    /// let other = try theirs.rebased(over: mine, as: .earlier) // B to D
    /// for edit in rebased.dropped { log("not done: \(edit)") }
    /// ```
    ///
    /// **The diamond**: `theirs` then `rebased` and `mine` then `other` lead to the same state D, with the same
    /// items surviving, provided that one of the two counts as later and the other as earlier. D is this:
    ///
    /// - What either deletes is gone. So is everything in a section that either deletes or reloads, but what
    ///   the same update moves out of it; what the other moved out of it, or inserted into it, goes too.
    /// - What one moves is where that puts it, and where both move it, where the later one does. A move into a
    ///   section that the other deletes or reloads is not done: the item is where the other update has it.
    /// - What both leave in its section keeps its order there. Between two such neighbours first comes what the
    ///   earlier update puts there, in its order, then what the later one does.
    /// - What either reloads is replaced, and not updated in place by the other. A section that both reload has the later one's items.
    /// - For sections the same holds as for items: what both leave keeps its order, and new or moved ones are put
    ///   between them.
    /// - With a `reloadData` on one side all of the other's edits are dropped, with one on both those of the
    ///   earlier.
    ///
    /// **Animation options**: every edit that is left keeps its option, wherever it is now; those of `other` do not
    /// count. Where one edit is done by others, these have its option:
    ///
    /// - An item that `other` moved out of a section that this update deletes or reloads is deleted with the option of
    ///   the section's edit.
    /// - An item that `other` moved into such a section, and that goes back to its own, moves with that option.
    /// - What this update reloads, and `other` moved, is deleted and inserted with the option of the reload.
    ///
    /// What moves only because something else is to stay has the default, ``AnimationOption/automatic``.
    ///
    /// An edit that nothing is left to do for is dropped and named, with the reason; nothing else is lost. The result
    /// has as few moves as possible, and where `other` has no edits, it is this update itself. It is what
    /// validation gives for it in the `standard` profile.
    ///
    /// Threading: a pure function. Complexity: O((k + m) log (k + m) + s) for k and m edits and s sections,
    /// whatever the number of items.
    ///
    /// - Parameters:
    ///   - other: an update from the same shape, of the same state.
    ///   - order: whether this update counts as the later of the two, which is the default, or the earlier.
    /// - Throws: `sectionCount` or `itemCount` where `other` starts from another shape; `tooManyItems` where an
    ///   `Int` cannot hold how many items a section then has.
    ///
    /// Source: the transformation property TP1 of operational transformation (Ressel et al. 1996).
    public func rebased(
        over other: ValidatedChangeSet,
        as order: RebaseOrder = .later
    ) throws(HierarchyUpdateError) -> RebasedChangeSet {
        try other.checkStart(oldShape)
        if isEmpty { return RebasedChangeSet(update: .unchanged(other.newShape), dropped: []) }
        if other.edits.isEmpty, !other.isReloadData {
            return RebasedChangeSet(update: self, dropped: [])
        }
        if isReloadData, !other.isReloadData || order == .later {
            let update = ValidatedChangeSet.reloadingData(
                from: other.newShape,
                to: newShape,
                animation: reloadDataAnimation
            )
            return RebasedChangeSet(update: update, dropped: [])
        }
        if other.isReloadData {
            return RebasedChangeSet(
                update: .unchanged(other.newShape),
                dropped: droppedByReload(isReloadData ? .overruled : .gone)
            )
        }
        let merge = ChangeMerge(self, other, mineIsLater: order == .later)
        return RebasedChangeSet(update: try merge.rebasedUpdate(), dropped: merge.droppedEdits())
    }

    func droppedByReload(_ reason: DroppedEdit.Reason) -> [DroppedEdit] {
        let subjects = namedEdits.map { DroppedEdit.Subject.edit($0) }
        return
            (subjects + reconfigurations.map { .reconfiguration($0) }
            + supplementaryReloads.map { .supplementaryReload($0) }).map { DroppedEdit($0, reason) }
    }

    /// How many subjects there are that can be dropped.
    var subjectCount: Int {
        namedEdits.count { _ in true } + reconfigurations.count + supplementaryReloads.count
    }

    /// The edits, of moves and reloads the removal only.
    private var namedEdits: some Sequence<HierarchyEdit> {
        edits.lazy.filter { edit in
            switch edit {
            case .removeItem, .removeSection: true
            case .insertSection(let edit): edit.role == .insert
            case .insertItem(let edit): edit.role == .insert
            }
        }
    }
}

/// Which of two updates from the same state counts as the later one when one is rebased over the other.
///
/// It decides where both want the same: at the same gap the insertions of the earlier one stand first, and where
/// both moved or reloaded the same thing the later one has its way. For two replicas to agree, one must rebase as
/// `later` what the other rebases over as `earlier`; who is which is for the application to say (the order in
/// which a server accepted them, or of the replicas' names).
public enum RebaseOrder: Hashable, Sendable {
    /// The update that is rebased counts as later: its insertions stand behind, and its moves win.
    case later
    /// The update that is rebased counts as earlier: its insertions stand first, and its moves give way.
    case earlier
}

/// What rebasing gives: the update from the newer state, and what is not in it any more.
public struct RebasedChangeSet: Sendable {
    /// The update that starts where the other one ended.
    public let update: ValidatedChangeSet

    /// The edits that nothing is left to do for, in the order of the update's edits, then reconfigurations, then
    /// reloads of supplementary elements.
    public let dropped: [DroppedEdit]

    package init(update: ValidatedChangeSet, dropped: [DroppedEdit]) {
        self.update = update
        self.dropped = dropped
    }
}
