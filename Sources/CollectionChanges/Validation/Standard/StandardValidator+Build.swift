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
        let (takeOuts, putIns) = itemRuns(freshSections, newPath)
        let runs = ValidatedChangeSet.Edits(
            itemTakeOuts: takeOuts,
            sectionTakeOuts: sectionTakeOuts(sections),
            sectionPutIns: sectionPutIns(sections, filledBy: putIns),
            itemPutIns: putIns
        )
        let storage = ValidatedChangeSet.Storage(
            oldShape: oldShape,
            newShape: newShape,
            isEmpty: operations.isEmpty,
            isReloadData: false,
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
            return ItemSurvival(takenOut: [], putIn: [])
        }
        // Two sorted lists after one another are sorted by merging.
        let takenOut = edits.itemDeletes.map { $0.path } + edits.itemMoves.map { $0.oldPath }
        let putIn = edits.itemInserts.map { $0.path } + itemMovesByTarget.map { $0.newPath }
        return ItemSurvival(takenOut: takenOut.sorted(), putIn: putIn.sorted())
    }

    private func itemRuns(
        _ freshSections: [Int],
        _ newPathOfSurvivor: (ItemPath) -> ItemPath
    ) -> (takeOuts: [ItemEdit], putIns: [ItemEdit]) {
        let moves = edits.itemMoves
        var takeOuts: [ItemEdit] = []
        var putIns: [ItemEdit] = []
        takeOuts.reserveCapacity(itemRemovals.count + moves.count)
        putIns.reserveCapacity(
            edits.itemInserts.count + itemRemovals.count - edits.itemDeletes.count + moves.count
        )
        for record in edits.itemInserts
        where freshSections.sortedPosition(of: record.path.section, by: { $0 }) == nil {
            putIns.append(ItemEdit(path: record.path, role: .insert, animation: record.animation))
        }
        for removal in itemRemovals.reversed() where !isRemoved(section: removal.path.section) {
            if removal.isReload {
                let newPath = newPathOfSurvivor(removal.path)
                takeOuts.append(half(removal.path, .reload, newPath, removal.animation))
                putIns.append(half(newPath, .reload, removal.path, removal.animation))
            } else {
                takeOuts.append(half(removal.path, .delete, nil, removal.animation))
            }
        }
        takeOuts += moves.lazy.map { half($0.oldPath, .move, $0.newPath, $0.animation) }
        putIns += itemMovesByTarget.lazy.map { half($0.newPath, .move, $0.oldPath, $0.animation) }
        // Each kind by itself came in order, so that little is left to do, and nothing for one alone.
        takeOuts.sort { $0.path > $1.path }
        putIns.sort { $0.path < $1.path }
        return (takeOuts, putIns)
    }

    private func half(
        _ path: ItemPath,
        _ role: EditRole,
        _ counterpart: ItemPath?,
        _ animation: AnimationOption
    ) -> ItemEdit {
        ItemEdit(path: path, role: role, counterpart: counterpart, animation: animation)
    }

    /// New indexes of inserted and reloaded sections, ascending.
    private func freshSections(_ sections: IndexMapping) -> [Int] {
        let inserted = edits.sectionInserts.map { $0.section }
        // Those that are deleted have no new index.
        let reloaded = sectionRemovals.compactMap { sections.newIndex(for: $0.section) }
        return (inserted + reloaded).sorted()
    }

    private func sectionTakeOuts(_ sections: IndexMapping) -> [SectionEdit] {
        let removals = sectionRemovals.map { removal in
            SectionEdit(
                section: removal.section,
                role: removal.isReload ? .reload : .delete,
                counterpart: sections.newIndex(for: removal.section),
                animation: removal.animation
            )
        }
        let moves = edits.sectionMoves.map { move in
            SectionEdit(
                section: move.oldSection,
                role: .move,
                counterpart: move.newSection,
                animation: move.animation
            )
        }
        return (removals + moves).sorted { $0.section > $1.section }
    }

    private func sectionPutIns(
        _ sections: IndexMapping,
        filledBy itemPutIns: [ItemEdit]
    ) -> [SectionEdit] {
        func freshItemCount(_ newSection: Int) -> Int {
            newShape.itemCounts[newSection]
                - itemPutIns.positions(inSection: newSection) { $0.path.section }.count
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
                    counterpart: removal.section,
                    freshItemCount: freshItemCount(newSection),
                    animation: removal.animation
                )
            }
        }
        let moves = edits.sectionMoves.map { move in
            SectionEdit(
                section: move.newSection,
                role: .move,
                counterpart: move.oldSection,
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
            let position = partitionPoint(runs.itemTakeOuts.count) {
                runs.itemTakeOuts[$0].path <= oldPath
            }
            if position < runs.itemTakeOuts.count, runs.itemTakeOuts[position].path == oldPath {
                let takeOut = runs.itemTakeOuts[position]
                guard takeOut.role == .move, let target = takeOut.counterpart else { continue }
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
