// From a record that passed every check to the four runs.

extension StandardValidator {
    func build(_ sections: IndexMapping) -> ValidatedChangeSet {
        let freshSections = freshSections(sections)
        let survival = itemSurvival
        func newPath(ofSurvivorAt oldPath: ItemPath) -> ItemPath {
            // Its section survives, or it would have been dropped before.
            let section = sections.newIndex(for: oldPath.section) ?? oldPath.section
            return ItemPath(section: section, item: survival.newItem(for: oldPath, in: section))
        }
        let (removals, insertions) = itemRuns(freshSections, newPath)
        let runs = ValidatedChangeSet.Edits(
            itemRemovals: removals,
            sectionRemovals: sectionRemovals(sections),
            sectionInsertions: sectionInsertions(sections, filledBy: insertions),
            itemInsertions: insertions
        )
        let storage = ValidatedChangeSet.Storage(
            oldShape: oldShape,
            newShape: newShape,
            isEmpty: operations.isEmpty,
            edits: runs,
            reconfigurations: reconfigurations(runs, newPath),
            supplementaryReloads: edits.sortedSupplementaryReloads(),
            sections: sections
        )
        return ValidatedChangeSet(storage)
    }

    private var isReconfiguring: Bool {
        !edits.itemReconfigurations.isEmpty || !edits.sectionReconfigurations.isEmpty
    }

    /// What places the items that stay, which nobody asks for unless some are reloaded or updated.
    /// What is in it of sections that are gone or fresh does no harm: no item stays there.
    private var itemSurvival: ItemSurvival {
        guard !edits.itemReloads.isEmpty || isReconfiguring else {
            return ItemSurvival(removed: [], inserted: [])
        }
        // Two sorted lists after one another are sorted by merging.
        let removed = edits.itemDeletes.map { $0.path } + edits.itemMoves.map { $0.oldPath }
        let inserted = edits.itemInserts.map { $0.path } + itemMovesByTarget.map { $0.newPath }
        return ItemSurvival(removed: removed.sorted(), inserted: inserted.sorted())
    }

    private func itemRuns(
        _ freshSections: [Int],
        _ newPathOfSurvivor: (ItemPath) -> ItemPath
    ) -> (removals: [ItemEdit], insertions: [ItemEdit]) {
        let moves = edits.itemMoves
        var removals: [ItemEdit] = []
        var insertions: [ItemEdit] = []
        removals.reserveCapacity(itemRemovals.count + moves.count)
        insertions.reserveCapacity(
            edits.itemInserts.count + itemRemovals.count - edits.itemDeletes.count + moves.count
        )
        for record in edits.itemInserts
        where freshSections.sortedPosition(of: record.path.section, by: { $0 }) == nil {
            insertions.append(
                ItemEdit(path: record.path, role: .insert, animation: record.animation)
            )
        }
        for removal in itemRemovals.reversed() where !isRemoved(section: removal.path.section) {
            if removal.isReload {
                let newPath = newPathOfSurvivor(removal.path)
                removals.append(half(removal.path, .reload, newPath, removal.animation))
                insertions.append(half(newPath, .reload, removal.path, removal.animation))
            } else {
                removals.append(half(removal.path, .delete, nil, removal.animation))
            }
        }
        removals += moves.lazy.map { half($0.oldPath, .move, $0.newPath, $0.animation) }
        insertions += itemMovesByTarget.lazy.map {
            half($0.newPath, .move, $0.oldPath, $0.animation)
        }
        // Each kind by itself came in order, so that little is left to do, and nothing for one alone.
        removals.sort { $0.path > $1.path }
        insertions.sort { $0.path < $1.path }
        return (removals, insertions)
    }

    private func half(
        _ path: ItemPath,
        _ role: EditRole,
        _ associatedWith: ItemPath?,
        _ animation: AnimationOption
    ) -> ItemEdit {
        ItemEdit(path: path, role: role, associatedWith: associatedWith, animation: animation)
    }

    /// New indexes of inserted and reloaded sections, ascending.
    private func freshSections(_ sections: IndexMapping) -> [Int] {
        let inserted = edits.sectionInserts.map { $0.section }
        // Those that are deleted have no new index.
        let reloaded = sectionRemovals.compactMap { sections.newIndex(for: $0.section) }
        return (inserted + reloaded).sorted()
    }

    private func sectionRemovals(_ sections: IndexMapping) -> [SectionEdit] {
        let removals = sectionRemovals.map { removal in
            SectionEdit(
                section: removal.section,
                role: removal.isReload ? .reload : .delete,
                associatedWith: sections.newIndex(for: removal.section),
                animation: removal.animation
            )
        }
        let moves = edits.sectionMoves.map { move in
            SectionEdit(
                section: move.oldSection,
                role: .move,
                associatedWith: move.newSection,
                animation: move.animation
            )
        }
        return (removals + moves).sorted { $0.section > $1.section }
    }

    private func sectionInsertions(
        _ sections: IndexMapping,
        filledBy itemInsertions: [ItemEdit]
    ) -> [SectionEdit] {
        func freshItemCount(_ newSection: Int) -> Int {
            newShape.itemCounts[newSection]
                - itemInsertions.positions(inSection: newSection) { $0.path.section }.count
        }
        let inserts = edits.sectionInserts.map { record in
            SectionEdit(
                section: record.section,
                role: .insert,
                freshItemCount: freshItemCount(record.section),
                animation: record.animation
            )
        }
        let reloads = sectionRemovals.compactMap { removal in
            sections.newIndex(for: removal.section).map { newSection in
                SectionEdit(
                    section: newSection,
                    role: .reload,
                    associatedWith: removal.section,
                    freshItemCount: freshItemCount(newSection),
                    animation: removal.animation
                )
            }
        }
        let moves = edits.sectionMoves.map { move in
            SectionEdit(
                section: move.newSection,
                role: .move,
                associatedWith: move.oldSection,
                animation: move.animation
            )
        }
        return (inserts + reloads + moves).sorted { $0.section < $1.section }
    }

    /// Items and the items of sections, once each, without those that are deleted or replaced.
    private func reconfigurations(
        _ runs: ValidatedChangeSet.Edits,
        _ newPathOfSurvivor: (ItemPath) -> ItemPath
    ) -> [ItemReconfiguration] {
        var records = edits.itemReconfigurations
        for record in edits.sectionReconfigurations {
            records += (0..<oldShape.itemCounts[record.section]).lazy.map { item in
                RecordedEdits.ItemRecord(
                    path: ItemPath(section: record.section, item: item),
                    operation: record.operation,
                    animation: record.animation
                )
            }
        }
        records.sort { ($0.path, $0.operation) < ($1.path, $1.operation) }
        var result: [ItemReconfiguration] = []
        for (index, record) in records.enumerated() {
            // Of an item named twice the last recorded option counts.
            let next = index + 1
            if next < records.count, records[next].path == record.path { continue }
            let oldPath = record.path
            let newPath: ItemPath
            let position = partitionPoint(runs.itemRemovals.count) {
                runs.itemRemovals[$0].path <= oldPath
            }
            if position < runs.itemRemovals.count, runs.itemRemovals[position].path == oldPath {
                let removal = runs.itemRemovals[position]
                guard removal.role == .move, let target = removal.associatedWith else { continue }
                newPath = target
            } else {
                guard !isRemoved(section: oldPath.section) else { continue }
                newPath = newPathOfSurvivor(oldPath)
            }
            result.append(
                ItemReconfiguration(oldPath: oldPath, newPath: newPath, animation: record.animation)
            )
        }
        return result.sorted { $0.newPath < $1.newPath }
    }
}

extension RecordedEdits {
    /// Every kind and section once, the last recorded option counting.
    func sortedSupplementaryReloads() -> [SupplementaryReload] {
        var latest: [SupplementaryReload] = []
        for (kind, sections) in supplementaryReloads {
            for record in sections {
                latest.append(
                    SupplementaryReload(
                        kind: kind,
                        newSection: record.section,
                        animation: record.animation
                    )
                )
            }
        }
        latest.sort { ($0.newSection, $0.kind) < ($1.newSection, $1.kind) }
        var result: [SupplementaryReload] = []
        for reload in latest {
            if let last = result.last, last.newSection == reload.newSection,
                last.kind == reload.kind
            {
                result[result.count - 1] = reload
            } else {
                result.append(reload)
            }
        }
        return result
    }
}
