/// What taking an update back comes to beside others' updates, of which nothing is undone.
struct TakenBack {
    /// From the newest state: what of the inverse is still to be done.
    let update: ValidatedChangeSet
    /// From the state that the inverse leads to, as it was then, to the one that `update` leads to.
    let others: ValidatedChangeSet
    /// What is not in `update`.
    let dropped: [DroppedEdit]
    /// The inverse of what others have changed since, and may bring back to what it was.
    var held: Held?

    struct Held {
        /// From the state in which everything else is taken back.
        let inverse: ValidatedChangeSet
        /// From there to the state that the update leads to.
        let others: ValidatedChangeSet
        /// From the state that the whole inverse starts from to the one that this one does; nil if it is the whole.
        var before: ValidatedChangeSet?
    }
}

extension ValidatedChangeSet {
    /// Takes back what this is the inverse of, as far as it is still as it was left.
    ///
    /// - Parameters:
    ///   - others: everything since, from this one's old shape.
    ///   - isAsLeft: whether an item that others have updated shows again what it did, given its path before all
    ///     that and the newest one.
    func takenBack(
        over others: ValidatedChangeSet,
        isAsLeft: (ItemPath, ItemPath) -> Bool
    ) throws(HierarchyUpdateError) -> TakenBack {
        try others.checkStart(oldShape)
        if isReloadData || others.isReloadData {
            return try reloadTakenBack(over: others, isAsLeft)
        }
        let updated = others.reconfigurations.filter { !isAsLeft($0.oldPath, $0.newPath) }
        let (mine, contested) = updated.isEmpty ? (self, []) : leaving(Set(updated.map(\.oldPath)))
        // An item that this one deletes, and others have updated, is kept as if they had moved it.
        let touched = updated.filter { mine.newPath(for: $0.oldPath) == nil }
        let theirs = others.alsoMoving(touched)
        if theirs.edits.isEmpty, contested.isEmpty {
            let after = try others.rebased(over: self, as: .earlier).update
            return TakenBack(update: self, others: after, dropped: [])
        }
        let merge = ChangeMerge(mine, theirs, mineIsLater: true, yielding: .mine)
        let dropped = contested.map { DroppedEdit($0, .overruled) } + merge.droppedEdits()
        let update = try merge.rebasedUpdate()
        var result = TakenBack(
            update: update,
            others: try theirs.prevailing(over: mine),
            dropped: dropped
        )
        guard update.changesSomething else {
            // All of it may be done when others have taken back theirs.
            let isGone = dropped.count { $0.reason != .overruled } == mine.subjectCount
            if changesSomething, !isGone || !contested.isEmpty {
                result.held = .init(inverse: self, others: others)
            }
            return result
        }
        let kept = dropped.filter { $0.reason == .overruled }
        guard !kept.isEmpty else { return result }
        // Beside an update that changes nothing, but has to do with what is kept, all else can be done.
        let keeping = ValidatedChangeSet.touching(kept, in: oldShape)
        let rest = ChangeMerge(mine, keeping, mineIsLater: true, yielding: .mine)
        let before = try rest.rebasedUpdate()
        let inverse = try keeping.prevailing(over: mine).inverted
        assert(inverse.oldShape == before.newShape && result.others.newShape == update.newShape)
        // Which of two neighbours moves past the other is not always the same in both; the rest is given up then.
        guard try before.yielding(over: theirs).agrees(with: update) else { return result }
        result.held = .init(
            inverse: inverse.reconfiguring(contested, from: before, to: self),
            others: try theirs.prevailing(over: before),
            before: before
        )
        return result
    }

    /// This one over an update that prevails over it.
    func yielding(
        over other: ValidatedChangeSet
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        if edits.isEmpty || other.edits.isEmpty { return try rebased(over: other).update }
        return try ChangeMerge(self, other, mineIsLater: true, yielding: .mine).rebasedUpdate()
    }

    /// This one over an update that yields to it.
    func prevailing(
        over other: ValidatedChangeSet
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        if edits.isEmpty || other.edits.isEmpty {
            return try rebased(over: other, as: .earlier).update
        }
        return try ChangeMerge(self, other, mineIsLater: false, yielding: .theirs).rebasedUpdate()
    }

    private func reloadTakenBack(
        over others: ValidatedChangeSet,
        _ isAsLeft: (ItemPath, ItemPath) -> Bool
    ) throws(HierarchyUpdateError) -> TakenBack {
        let isChanged = others.reconfigurations.contains { !isAsLeft($0.oldPath, $0.newPath) }
        guard !others.isReloadData, isChanged || !others.edits.isEmpty else {
            let rebased = try rebased(over: others, as: .earlier)
            let after = try others.rebased(over: self, as: .later).update
            return TakenBack(update: rebased.update, others: after, dropped: rebased.dropped)
        }
        return TakenBack(
            update: .unchanged(others.newShape),
            others: .reloadingData(from: newShape, to: others.newShape),
            dropped: droppedByReload(.overruled),
            held: .init(inverse: self, others: others)
        )
    }

    /// Whether another update from the same state leads to the same one, but for what both insert.
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

    /// The same update with reloaded items updated in place: for those of others, of which only the places count.
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

    /// Without what this does to the contents of some items, and what that is.
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

    /// This one, which also updates in place what another one was to.
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

    /// The same update, in which some items also count as moved to where they are.
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

    /// An update that changes nothing: it moves items and sections to where they are, and reloads sections.
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
                section.freshItemCount = shape.itemCounts[section.section] - own
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
