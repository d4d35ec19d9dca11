/// The result of reverting an update without undoing any update of others.
struct UndoResult {
    /// The part of the inverse that remains to be done, as an update from the newest state.
    let update: ValidatedChangeSet
    /// The updates of others, which lead from the state that the inverse originally produced to the
    /// state that `update` produces.
    let others: ValidatedChangeSet
    /// The edits of the inverse that `update` does not contain.
    let dropped: [DroppedEdit]
    /// The part of the inverse that others' changes prevent for now. It can be reverted when
    /// others have restored their changes.
    var held: HeldPart?

    struct HeldPart {
        /// The inverse of the held part, from the state in which everything else is reverted.
        let inverse: ValidatedChangeSet
        /// The updates of others, which lead from the start state of `inverse` to the state that
        /// `update` produces.
        let others: ValidatedChangeSet
        /// The update from the start state of the whole inverse to that of `inverse`; `nil` if
        /// `inverse` is the whole inverse.
        var before: ValidatedChangeSet?
    }
}

extension ValidatedChangeSet {
    /// Reverts the update of which this update is the inverse, as far as its results are still
    /// as the user left them.
    ///
    /// - Parameters:
    ///   - others: All later updates, composed, from this update's old shape.
    ///   - isRestored: A closure that returns whether an item that others have updated shows its
    ///     previous content again, given its path before `others` and its newest path.
    func reverted(
        over others: ValidatedChangeSet,
        isRestored: (ItemPath, ItemPath) -> Bool
    ) throws(HierarchyUpdateError) -> UndoResult {
        try others.checkStart(oldShape)
        if isReloadData || others.isReloadData {
            return try reloadReverted(over: others, isRestored)
        }
        let updated = others.reconfigurations.filter { !isRestored($0.oldPath, $0.newPath) }
        let (mine, contested) = updated.isEmpty ? (self, []) : leaving(Set(updated.map(\.oldPath)))
        // An item that this update deletes and others have updated is kept, as if others had moved
        // it.
        let touched = updated.filter { mine.newPath(for: $0.oldPath) == nil }
        let theirs = others.alsoMoving(touched)
        if theirs.edits.isEmpty, contested.isEmpty {
            let after = try others.rebased(over: self, as: .earlier).update
            return UndoResult(update: self, others: after, dropped: [])
        }
        let merge = ChangeMerge(mine, theirs, mineIsLater: true, yielding: .mine)
        let dropped = contested.map { DroppedEdit($0, .overruled) } + merge.droppedEdits()
        let update = try merge.rebasedUpdate()
        var result = UndoResult(
            update: update,
            others: try theirs.prevailing(over: mine),
            dropped: dropped
        )
        guard update.changesSomething else {
            // All of it can be reverted when others have reverted their edits.
            let isGone = dropped.count { $0.reason != .overruled } == mine.subjectCount
            if changesSomething, !isGone || !contested.isEmpty {
                result.held = .init(inverse: self, others: others)
            }
            return result
        }
        let kept = dropped.filter { $0.reason == .overruled }
        guard !kept.isEmpty else { return result }
        // All edits that do not conflict with an update that touches only the kept elements can be
        // done.
        let keeping = ValidatedChangeSet.touching(kept, in: oldShape)
        let rest = ChangeMerge(mine, keeping, mineIsLater: true, yielding: .mine)
        let before = try rest.rebasedUpdate()
        let inverse = try keeping.prevailing(over: mine).inverted
        assert(inverse.oldShape == before.newShape && result.others.newShape == update.newShape)
        // The two ways may choose different neighbours to move. The rest is then dropped.
        guard try before.yielding(over: theirs).agrees(with: update) else { return result }
        result.held = .init(
            inverse: inverse.reconfiguring(contested, from: before, to: self),
            others: try theirs.prevailing(over: before),
            before: before
        )
        return result
    }

    /// Returns this update rebased over an update that prevails over it.
    func yielding(
        over other: ValidatedChangeSet
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        if edits.isEmpty || other.edits.isEmpty { return try rebased(over: other).update }
        return try ChangeMerge(self, other, mineIsLater: true, yielding: .mine).rebasedUpdate()
    }

    /// Returns this update rebased over an update that yields to it.
    func prevailing(
        over other: ValidatedChangeSet
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        if edits.isEmpty || other.edits.isEmpty {
            return try rebased(over: other, as: .earlier).update
        }
        return try ChangeMerge(self, other, mineIsLater: false, yielding: .theirs).rebasedUpdate()
    }

    private func reloadReverted(
        over others: ValidatedChangeSet,
        _ isRestored: (ItemPath, ItemPath) -> Bool
    ) throws(HierarchyUpdateError) -> UndoResult {
        let isChanged = others.reconfigurations.contains { !isRestored($0.oldPath, $0.newPath) }
        guard !others.isReloadData, isChanged || !others.edits.isEmpty else {
            let rebased = try rebased(over: others, as: .earlier)
            let after = try others.rebased(over: self, as: .later).update
            return UndoResult(update: rebased.update, others: after, dropped: rebased.dropped)
        }
        return UndoResult(
            update: .unchanged(others.newShape),
            others: .reloadingData(from: newShape, to: others.newShape),
            dropped: droppedByReload(.overruled),
            held: .init(inverse: self, others: others)
        )
    }

    /// Returns whether another update from the same state leads to the same state, apart from the
    /// identity of inserted elements.
    func agrees(with other: ValidatedChangeSet) -> Bool {
        guard newShape == other.newShape, let way = try? inverted.composed(with: other) else {
            return false
        }
        let sections = way.sectionRemovals.reversed().map(\.section)
        return way.edits.allSatisfy { edit in
            switch edit {
            case .removeItem(let edit), .insertItem(let edit): edit.role != .move
            case .removeSection(let edit), .insertSection(let edit): edit.role != .move
            }
        } && way.itemRemovals.reversed().map(\.path) == way.itemInsertions.map(\.path)
            && sections == way.sectionInsertions.map(\.section)
    }

    // MARK: Contents

    /// The same update with reloaded items updated in place. It is used for updates of others, of
    /// which only the places matter.
    var withItemsKept: ValidatedChangeSet {
        guard itemRemovals.contains(where: { $0.role == .reload }) else { return self }
        let replaced = itemInsertions.filter { $0.role == .reload }.map {
            ItemReconfiguration(
                oldPath: $0.associatedWith ?? $0.path,
                newPath: $0.path,
                animation: $0.animation
            )
        }
        return with(
            itemRemovals: itemRemovals.filter { $0.role != .reload },
            itemInsertions: itemInsertions.filter { $0.role != .reload },
            reconfigurations: merged(reconfigurations, replaced) { $0.newPath < $1.newPath }
        )
    }

    /// Returns this update without its changes to the contents of some items, and the removed
    /// changes.
    private func leaving(_ oldPaths: Set<ItemPath>) -> (ValidatedChangeSet, [DroppedEdit.Subject]) {
        func isReload(_ edit: ItemEdit) -> Bool { edit.role == .reload }
        let reloads = itemRemovals.filter { isReload($0) && oldPaths.contains($0.path) }
        let newPaths = Set(reloads.lazy.compactMap(\.associatedWith))
        let dropped = reconfigurations.filter { oldPaths.contains($0.oldPath) }
        let update = with(
            itemRemovals: itemRemovals.filter { !isReload($0) || !oldPaths.contains($0.path) },
            itemInsertions: itemInsertions.filter { !isReload($0) || !newPaths.contains($0.path) },
            reconfigurations: reconfigurations.filter { !oldPaths.contains($0.oldPath) }
        )
        let subjects = reloads.map { DroppedEdit.Subject.edit(.removeItem($0)) }
        return (update, subjects + dropped.map { .reconfiguration($0) })
    }

    /// Returns this update with additional reconfigurations, for the items whose contents another
    /// update was to change.
    private func reconfiguring(
        _ contested: [DroppedEdit.Subject],
        from before: ValidatedChangeSet,
        to whole: ValidatedChangeSet
    ) -> ValidatedChangeSet {
        let more = contested.compactMap { subject -> ItemReconfiguration? in
            let (old, animation): (ItemPath, AnimationOption) =
                switch subject {
                case .edit(.removeItem(let edit)): (edit.path, edit.animation)
                case .reconfiguration(let edit): (edit.oldPath, edit.animation)
                default: preconditionFailure("only items have contents")
                }
            guard let oldPath = before.newPath(for: old), let newPath = whole.newPath(for: old)
            else { return nil }
            return ItemReconfiguration(oldPath: oldPath, newPath: newPath, animation: animation)
        }
        let sorted = more.sorted { $0.newPath < $1.newPath }
        return with(
            reconfigurations: merged(reconfigurations, sorted) { $0.newPath < $1.newPath }
        )
    }

    private func with(
        itemRemovals: [ItemEdit]? = nil,
        itemInsertions: [ItemEdit]? = nil,
        reconfigurations: [ItemReconfiguration]? = nil
    ) -> ValidatedChangeSet {
        ValidatedChangeSet(
            Storage(
                oldShape: oldShape,
                newShape: newShape,
                edits: Edits(
                    itemRemovals: itemRemovals ?? self.itemRemovals,
                    sectionRemovals: sectionRemovals,
                    sectionInsertions: sectionInsertions,
                    itemInsertions: itemInsertions ?? self.itemInsertions
                ),
                reconfigurations: reconfigurations ?? self.reconfigurations,
                supplementaryReloads: supplementaryReloads,
                sections: sectionMapping
            )
        )
    }

    // MARK: Moves that change nothing

    /// Returns the same update with some items also marked as moved to their current places.
    private func alsoMoving(_ items: [ItemReconfiguration]) -> ValidatedChangeSet {
        let moving = items.filter { item in
            let position = itemInsertions.sortedPosition(of: item.newPath) { $0.path }
            return position == nil
        }
        if moving.isEmpty { return self }
        let sources = moving.map {
            ItemEdit(path: $0.oldPath, role: .move, associatedWith: $0.newPath)
        }
        let targets = moving.map {
            ItemEdit(path: $0.newPath, role: .move, associatedWith: $0.oldPath)
        }
        return with(
            itemRemovals: merged(itemRemovals, sources.sorted { $0.path > $1.path }) {
                $0.path > $1.path
            },
            itemInsertions: merged(itemInsertions, targets) { $0.path < $1.path }
        )
    }

    /// Returns an update without any effect, which moves items and sections to their current
    /// places, and reloads sections.
    private static func touching(
        _ kept: [DroppedEdit],
        in shape: HierarchyShape
    ) -> ValidatedChangeSet {
        var items: [ItemEdit] = []
        var sections: [SectionEdit] = []
        for edit in kept {
            switch edit.subject {
            case .edit(.removeItem(let edit)) where edit.role != .reload:
                items.append(ItemEdit(path: edit.path, role: .move, associatedWith: edit.path))
            case .edit(.removeSection(let edit)):
                let role: EditRole = edit.role == .reload ? .reload : .move
                sections.append(
                    SectionEdit(section: edit.section, role: role, associatedWith: edit.section)
                )
            default: break
            }
        }
        items.sort { $0.path < $1.path }
        sections.sort { $0.section < $1.section }
        let moved = sections.filter { $0.role == .move }.map(\.section)
        let insertions = sections.map { section in
            var section = section
            if section.role == .reload {
                let own = items.count { $0.path.section == section.section }
                section.newItemCount = shape.itemCounts[section.section] - own
            }
            return section
        }
        return ValidatedChangeSet(
            Storage(
                oldShape: shape,
                newShape: shape,
                edits: Edits(
                    itemRemovals: items.reversed(),
                    sectionRemovals: sections.reversed(),
                    sectionInsertions: insertions,
                    itemInsertions: items
                ),
                sections: IndexMapping(
                    oldCount: shape.numberOfSections,
                    newCount: shape.numberOfSections,
                    removed: moved,
                    inserted: moved,
                    moves: moved.map { IndexMapping.Move(oldIndex: $0, newIndex: $0) }
                )
            )
        )
    }
}
