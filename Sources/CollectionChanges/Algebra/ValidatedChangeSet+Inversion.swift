extension ValidatedChangeSet {
    /// The update that leads from the new state back to the old one.
    ///
    /// Use it for undo. A deleted item or section is inserted again with a new identity, so the
    /// client must supply its content again. A moved item or section moves back and keeps its
    /// identity. Reloads remain reloads, and reconfigurations remain reconfigurations of the same
    /// items. Each edit keeps its animation option.
    ///
    /// ```swift
    /// let path = ItemPath(section: 0, item: 1)
    /// let changes = HierarchyChangeSet([.deleteItems([path], .automatic)])
    /// let update = try changes.validated(from: [3], to: [2])
    /// update.inverted.itemInsertions.map(\.path)   // [0 - 1]
    /// ```
    ///
    /// Supplementary elements are reloaded in the section at its old index, except in sections that
    /// were inserted and that the inverse deletes. A `reloadData` inverts to a `reloadData`.
    /// Inverting twice returns the same update, except for the reloads that were omitted.
    ///
    /// The result equals what validation returns for it in the `standard` profile. The inverse of
    /// an update that was validated in the `strict` profile may not be valid in `strict`: for
    /// example, an item may move into another section out of a section that is deleted.
    ///
    /// Threading: a pure function.
    ///
    /// Complexity: O(k) for k edits, and O(r log r) for r reconfigurations if items moved.
    public var inverted: ValidatedChangeSet {
        if isReloadData {
            return .reloadingData(from: newShape, to: oldShape, animation: reloadDataAnimation)
        }
        guard changesSomething else { return .unchanged(newShape) }
        let mapping = sectionMapping
        let storage = Storage(
            oldShape: newShape,
            newShape: oldShape,
            edits: Edits(
                itemRemovals: itemInsertions.reversed().map { $0.inverted() },
                sectionRemovals: sectionInsertions.reversed().map { $0.inverted(newItems: 0) },
                sectionInsertions: invertedSectionRemovals(),
                itemInsertions: itemRemovals.reversed().map { $0.inverted() }
            ),
            reconfigurations: invertedReconfigurations(),
            supplementaryReloads: invertedSupplementaryReloads(),
            sections: IndexMapping(
                oldCount: mapping.newCount,
                newCount: mapping.oldCount,
                removed: mapping.inserted,
                inserted: mapping.removed,
                moves: mapping.movesByNewIndex.map {
                    IndexMapping.Move(oldIndex: $0.newIndex, newIndex: $0.oldIndex)
                }
            )
        )
        return ValidatedChangeSet(storage)
    }

    /// The animation option of a `reloadData`; `automatic` if there are no sections before or after
    /// it.
    var reloadDataAnimation: AnimationOption {
        (sectionRemovals.first ?? sectionInsertions.first)?.animation ?? .automatic
    }

    /// Returns the section insertions of the inverse. All items of a restored section are new,
    /// except those that were moved out of it.
    private func invertedSectionRemovals() -> [SectionEdit] {
        var movedOut = itemRemovals[...]
        var result: [SectionEdit] = []
        result.reserveCapacity(sectionRemovals.count)
        for edit in sectionRemovals.reversed() {
            if edit.role == .move {
                result.append(edit.inverted(newItems: 0))
                continue
            }
            while let last = movedOut.last, last.path.section < edit.section {
                movedOut.removeLast()
            }
            var count = oldShape.itemCounts[edit.section]
            while let last = movedOut.last, last.path.section == edit.section {
                movedOut.removeLast()
                count -= 1
            }
            result.append(edit.inverted(newItems: count))
        }
        return result
    }

    private func invertedReconfigurations() -> [ItemReconfiguration] {
        let result = reconfigurations.map {
            ItemReconfiguration(oldPath: $0.newPath, newPath: $0.oldPath, animation: $0.animation)
        }
        let isSorted = zip(result, result.dropFirst()).allSatisfy { $0.newPath < $1.newPath }
        return isSorted ? result : result.sorted { $0.newPath < $1.newPath }
    }

    private func invertedSupplementaryReloads() -> [SupplementaryReload] {
        let result = supplementaryReloads.compactMap { reload in
            oldSection(for: reload.newSection).map {
                SupplementaryReload(
                    kind: reload.kind,
                    newSection: $0,
                    animation: reload.animation
                )
            }
        }
        return result.sorted { ($0.newSection, $0.kind) < ($1.newSection, $1.kind) }
    }
}

extension EditRole {
    fileprivate var inverted: EditRole {
        switch self {
        case .delete: .insert
        case .insert: .delete
        case .reload: .reload
        case .move: .move
        }
    }
}

extension ItemEdit {
    fileprivate func inverted() -> ItemEdit {
        var edit = self
        edit.role = role.inverted
        return edit
    }
}

extension SectionEdit {
    fileprivate func inverted(newItems: Int) -> SectionEdit {
        var edit = self
        edit.role = role.inverted
        edit.newItemCount = newItems
        return edit
    }
}
