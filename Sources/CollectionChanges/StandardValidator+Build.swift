// From a record that passed every check to the four runs.

extension StandardValidator {
    func build(_ sections: IndexMapping) -> ValidatedChangeSet {
        let survivingDeletes = edits.itemDeletes.filter { !isRemoved(section: $0.path.section) }
        let reloads = itemRemovals.filter { $0.isReload && !isRemoved(section: $0.path.section) }
        let freshSections = freshSections(sections)
        let survivingInserts =
            freshSections.isEmpty
            ? edits.itemInserts
            : edits.itemInserts.filter {
                freshSections.sortedPosition(of: $0.path.section) { $0 } == nil
            }
        let takenOutItems = merged(survivingDeletes.map(\.path), edits.itemMoves.map(\.oldPath))
        let putInItems = merged(survivingInserts.map(\.path), itemMovesByTarget.map(\.newPath))
        let survival = ItemSurvival(takenOut: takenOutItems, putIn: putInItems)
        func newPath(ofSurvivorAt oldPath: ItemPath) -> ItemPath {
            // Its section survives, or it would have been dropped before.
            let section = sections.newIndex(for: oldPath.section) ?? oldPath.section
            return ItemPath(section: section, item: survival.newItem(for: oldPath, in: section))
        }

        var takeOuts: [ItemEdit] = []
        var putIns: [ItemEdit] = []
        takeOuts.reserveCapacity(takenOutItems.count + reloads.count)
        putIns.reserveCapacity(putInItems.count + reloads.count)
        for record in survivingDeletes {
            takeOuts.append(
                ItemEdit(path: record.path, role: .delete, animation: record.animation)
            )
        }
        for record in survivingInserts {
            putIns.append(ItemEdit(path: record.path, role: .insert, animation: record.animation))
        }
        for reload in reloads {
            let (oldPath, animation) = (reload.path, reload.record.animation)
            let newPath = newPath(ofSurvivorAt: oldPath)
            takeOuts.append(
                ItemEdit(path: oldPath, role: .reload, counterpart: newPath, animation: animation)
            )
            putIns.append(
                ItemEdit(path: newPath, role: .reload, counterpart: oldPath, animation: animation)
            )
        }
        for move in edits.itemMoves {
            takeOuts.append(
                ItemEdit(
                    path: move.oldPath,
                    role: .move,
                    counterpart: move.newPath,
                    animation: move.animation
                )
            )
            putIns.append(
                ItemEdit(
                    path: move.newPath,
                    role: .move,
                    counterpart: move.oldPath,
                    animation: move.animation
                )
            )
        }
        takeOuts.sort { $0.path > $1.path }
        putIns.sort { $0.path < $1.path }
        let runs = ValidatedChangeSet.Edits(
            itemTakeOuts: takeOuts,
            sectionTakeOuts: sectionTakeOuts(sections),
            sectionPutIns: sectionPutIns(sections, filledBy: putIns),
            itemPutIns: putIns
        )
        let isReconfiguring =
            !edits.itemReconfigurations.isEmpty || !edits.sectionReconfigurations.isEmpty
        let storage = ValidatedChangeSet.Storage(
            oldShape: oldShape,
            newShape: newShape,
            isEmpty: operations.isEmpty,
            isReloadData: false,
            edits: runs,
            reconfigurations: isReconfiguring ? reconfigurations(runs, newPath) : [],
            supplementaryReloads: edits.sortedSupplementaryReloads(),
            sections: sections,
            takenOutItems: takenOutItems,
            putInItems: putInItems
        )
        return ValidatedChangeSet(storage)
    }

    /// New indexes of inserted and reloaded sections, ascending.
    private func freshSections(_ sections: IndexMapping) -> [Int] {
        let inserted = edits.sectionInserts.map(\.section)
        guard !edits.sectionReloads.isEmpty else { return inserted }
        let reloaded = sectionRemovals.compactMap {
            $0.isReload ? sections.newIndex(for: $0.section) : nil
        }
        return (inserted + reloaded).sorted()
    }

    private func merged(_ first: [ItemPath], _ second: [ItemPath]) -> [ItemPath] {
        if second.isEmpty { return first }
        if first.isEmpty { return second }
        return (first + second).sorted()
    }

    private func sectionTakeOuts(_ sections: IndexMapping) -> [SectionEdit] {
        guard !sectionRemovals.isEmpty || !edits.sectionMoves.isEmpty else { return [] }
        var takeOuts = sectionRemovals.map { removal in
            SectionEdit(
                section: removal.section,
                role: removal.isReload ? .reload : .delete,
                counterpart: removal.isReload ? sections.newIndex(for: removal.section) : nil,
                animation: removal.record.animation
            )
        }
        for move in edits.sectionMoves {
            takeOuts.append(
                SectionEdit(
                    section: move.oldSection,
                    role: .move,
                    counterpart: move.newSection,
                    animation: move.animation
                )
            )
        }
        return takeOuts.sorted { $0.section > $1.section }
    }

    private func sectionPutIns(
        _ sections: IndexMapping,
        filledBy itemPutIns: [ItemEdit]
    ) -> [SectionEdit] {
        func freshItemCount(_ newSection: Int) -> Int {
            newShape.itemCounts[newSection]
                - itemPutIns.positions(inSection: newSection) { $0.path.section }.count
        }
        var putIns = edits.sectionInserts.map { record in
            SectionEdit(
                section: record.section,
                role: .insert,
                freshItemCount: freshItemCount(record.section),
                animation: record.animation
            )
        }
        for removal in sectionRemovals where removal.isReload {
            guard let newSection = sections.newIndex(for: removal.section) else { continue }
            putIns.append(
                SectionEdit(
                    section: newSection,
                    role: .reload,
                    counterpart: removal.section,
                    freshItemCount: freshItemCount(newSection),
                    animation: removal.record.animation
                )
            )
        }
        for move in edits.sectionMoves {
            putIns.append(
                SectionEdit(
                    section: move.newSection,
                    role: .move,
                    counterpart: move.oldSection,
                    animation: move.animation
                )
            )
        }
        return putIns.sorted { $0.section < $1.section }
    }

    /// Items and the items of sections, once each, without those that are deleted or replaced.
    private func reconfigurations(
        _ runs: ValidatedChangeSet.Edits,
        _ newPathOfSurvivor: (ItemPath) -> ItemPath
    ) -> [ItemReconfiguration] {
        var records = edits.itemReconfigurations
        for record in edits.sectionReconfigurations {
            for item in 0..<oldShape.itemCounts[record.section] {
                records.append(
                    RecordedEdits.ItemRecord(
                        path: ItemPath(section: record.section, item: item),
                        operation: record.operation,
                        animation: record.animation
                    )
                )
            }
        }
        records.sort {
            $0.path == $1.path ? $0.operation < $1.operation : $0.path < $1.path
        }
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
        guard !supplementaryReloads.isEmpty else { return [] }
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

extension ValidatedChangeSet {
    /// The update that replaces everything.
    package static func reloadingData(
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        animation: AnimationOption = .automatic
    ) -> ValidatedChangeSet {
        let takeOuts = oldShape.itemCounts.indices.reversed().map {
            SectionEdit(section: $0, role: .delete, animation: animation)
        }
        let putIns = newShape.itemCounts.enumerated().map {
            SectionEdit(
                section: $0.offset,
                role: .insert,
                freshItemCount: $0.element,
                animation: animation
            )
        }
        let storage = Storage(
            oldShape: oldShape,
            newShape: newShape,
            isEmpty: false,
            isReloadData: true,
            edits: Edits(
                itemTakeOuts: [],
                sectionTakeOuts: takeOuts,
                sectionPutIns: putIns,
                itemPutIns: []
            ),
            reconfigurations: [],
            supplementaryReloads: [],
            // No section is the same afterwards, whatever its index.
            sections: IndexMapping(
                oldCount: 0,
                newCount: 0,
                takenOut: [],
                putIn: [],
                moves: []
            ),
            takenOutItems: [],
            putInItems: []
        )
        return ValidatedChangeSet(storage)
    }
}

extension ValidatedChangeSet {
    /// The update that edits nothing.
    package static func unchanged(_ shape: HierarchyShape) -> ValidatedChangeSet {
        let storage = Storage(
            oldShape: shape,
            newShape: shape,
            isEmpty: true,
            isReloadData: false,
            edits: Edits(itemTakeOuts: [], sectionTakeOuts: [], sectionPutIns: [], itemPutIns: []),
            reconfigurations: [],
            supplementaryReloads: [],
            sections: IndexMapping(
                oldCount: shape.numberOfSections,
                newCount: shape.numberOfSections,
                takenOut: [],
                putIn: [],
                moves: []
            ),
            takenOutItems: [],
            putInItems: []
        )
        return ValidatedChangeSet(storage)
    }
}
