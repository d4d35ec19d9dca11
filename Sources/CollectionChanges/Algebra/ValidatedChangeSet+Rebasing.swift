extension ValidatedChangeSet {
    /// Returns an update that applies the changes of this update to the state after `other`.
    ///
    /// Both updates must start from the same state. Use it if a change was recorded against an
    /// older state than the current one: an edit made while a server's edits were on their way, an
    /// undo after edits of other users, or two replicas that exchange their changes. It needs only
    /// both updates, not the contents.
    ///
    /// ```swift
    /// // mine: A to B, theirs: A to C, both from the same shape
    /// let rebased = try mine.rebased(over: theirs)             // C to D
    /// let other = try theirs.rebased(over: mine, as: .earlier) // B to D
    /// for edit in rebased.dropped { log("not done: \(edit)") }
    /// ```
    ///
    /// **The diamond**: `theirs` then `rebased`, and `mine` then `other`, lead to the same state D
    /// with the same surviving items, provided that one of the two updates counts as later and the
    /// other as earlier. D is defined as follows:
    ///
    /// - An item or section that either update deletes is gone. All items of a section that either
    ///   update deletes or reloads are gone too, except items that the same update moves out of it;
    ///   items that the other update moved out of it, or inserted into it, are also gone.
    /// - An item that one update moves is at that update's target. If both move it, it is at the
    ///   target of the later update. A move into a section that the other update deletes or reloads
    ///   is not performed: the item is where the other update has it.
    /// - Items that both updates leave in their section keep their order. Between two such
    ///   neighbours, the items that the earlier update puts there come first, in its order,
    ///   followed by those of the later update.
    /// - An item that either update reloads is replaced, and the other update does not reconfigure
    ///   it. A section that both reload has the later update's items.
    /// - The same rules apply to sections: sections that both updates leave in place keep their
    ///   order, and new or moved sections are placed between them.
    /// - If one update is a `reloadData`, all edits of the other are dropped. If both are, the
    ///   edits of the earlier one are dropped.
    ///
    /// **Animation options**: every remaining edit keeps its option, wherever its target is now;
    /// the options of `other` are not used. If another kind of edit replaces an original edit, it
    /// has the original's option:
    ///
    /// - An item that `other` moved out of a section that this update deletes or reloads is deleted
    ///   with the option of the section's edit.
    /// - An item that `other` moved into such a section, and that returns to its own section, moves
    ///   with that option.
    /// - An item that this update reloads, and `other` moved, is deleted and inserted with the
    ///   option of the reload.
    ///
    /// A move that is needed only to keep something else in place has the default option,
    /// ``AnimationOption/automatic``.
    ///
    /// An edit without any remaining effect is dropped and reported with a reason; nothing else is
    /// lost. The result has as few moves as possible. If `other` has no edits, the result is this
    /// update. It equals what validation returns for it in the `standard` profile.
    ///
    /// Threading: a pure function.
    ///
    /// Complexity: O((k + m) log (k + m) + s) for k and m edits and s sections, independent of the
    /// number of items.
    ///
    /// - Parameters:
    ///   - other: An update from the same state and therefore the same shape.
    ///   - order: Whether this update counts as the later of the two, which is the default, or the
    ///     earlier.
    /// - Throws: `sectionCount` or `itemCount` if `other` starts from another shape; `tooManyItems`
    ///   if the resulting number of items in a section exceeds `Int.max`.
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

    /// The number of subjects that can be dropped.
    var subjectCount: Int {
        namedEdits.count { _ in true } + reconfigurations.count + supplementaryReloads.count
    }

    /// The edits that name a change: inserts, and all removals. A move or reload is named by its
    /// removal.
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

/// The order that two updates from the same state count as having when one is rebased over the
/// other.
///
/// The order resolves conflicts: at the same gap, the insertions of the earlier update come first;
/// if both updates moved or reloaded the same item or section, the later update prevails. For two
/// replicas to agree, one must rebase as `later` the update over which the other rebases as
/// `earlier`. The application decides which update is which, for example by the order in which a
/// server accepted them, or by the order of the replicas' names.
public enum RebaseOrder: Hashable, Sendable {
    /// The rebased update counts as the later one: its insertions come after the others, and its
    /// moves prevail.
    case later
    /// The rebased update counts as the earlier one: its insertions come first, and its moves
    /// yield.
    case earlier
}

/// The result of rebasing: the update from the newer state, and the edits that it no longer
/// contains.
public struct RebasedChangeSet: Sendable {
    /// The update that starts from the new state of the other update.
    public let update: ValidatedChangeSet

    /// The edits that were dropped because they have no remaining effect, in the order of the
    /// update's edits, then reconfigurations, then reloads of supplementary elements.
    public let dropped: [DroppedEdit]

    package init(update: ValidatedChangeSet, dropped: [DroppedEdit]) {
        self.update = update
        self.dropped = dropped
    }
}

/// An edit that has no remaining effect after rebasing, with the reason.
public struct DroppedEdit: Hashable, Sendable {
    /// The kind of change that was dropped, in the index spaces of the update that was rebased. A
    /// move or reload is represented by its removal.
    public enum Subject: Hashable, Sendable {
        /// An edit in one of the four runs.
        case edit(HierarchyEdit)
        /// An in-place update of an item.
        case reconfiguration(ItemReconfiguration)
        /// A reload of supplementary elements.
        case supplementaryReload(SupplementaryReload)
    }

    /// The reason why an edit has no remaining effect.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The other update removed the same item or section, alone or with its section, so the
        /// intended result already exists.
        case removedAlready
        /// The other update removed the item or section that the edit moves, reloads or
        /// reconfigures, alone or with its section; or it replaced the item that the edit
        /// reconfigures.
        case gone
        /// The other update removed or replaced the target section of the edit. An item that the
        /// edit would move there stays where the other update has it.
        case targetGone
        /// The other update moved or reloaded the same item or section and counts as the later one.
        case overruled
    }

    /// The dropped change.
    public var subject: Subject

    /// The reason why the edit was dropped.
    public var reason: Reason

    /// Creates a dropped edit from its subject and reason.
    public init(_ subject: Subject, _ reason: Reason) {
        self.subject = subject
        self.reason = reason
    }
}

extension DroppedEdit: CustomStringConvertible {
    /// A textual representation of the edit and the reason, such as
    /// `remove item 0 - 2 (delete): removedAlready`.
    public var description: String {
        switch subject {
        case .edit(let edit): "\(edit): \(reason.rawValue)"
        case .reconfiguration(let edit): "reconfigure item \(edit.oldPath): \(reason.rawValue)"
        case .supplementaryReload(let reload):
            "reload \(reload): \(reason.rawValue)"
        }
    }
}
