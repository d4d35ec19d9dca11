extension ValidatedChangeSet {
    /// The update that takes the new state back to the old one.
    ///
    /// Use it for undo. What was deleted comes back as inserted, so with other identity: the client gives it
    /// content again. What moved moves back, and is the same all the time. Reloads are reloads again, and
    /// reconfigurations reconfigurations of the same items. Each edit keeps its animation option.
    ///
    /// ```swift
    /// let changes = HierarchyChangeSet([.deleteItems([ItemPath(section: 0, item: 1)], .automatic)])
    /// let update = try changes.validated(from: [3], to: [2])
    /// update.inverted.itemInsertions.map(\.path)   // [0 - 1]
    /// ```
    ///
    /// Supplementary elements are asked for again in the section at its old index; for a section that was
    /// inserted, and is now deleted, this is left out. A `reloadData` inverts to one. Inverting twice gives
    /// the same update again, but for what was left out.
    ///
    /// The result is what validation gives for it in the `standard` profile. What came from `strict` may be
    /// nothing that `strict` takes, as an item that moved into another section which is then deleted.
    ///
    /// Threading: a pure function. Complexity: O(k) for k edits, and O(r log r) for r reconfigurations where
    /// items moved.
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
                sectionRemovals: sectionInsertions.reversed().map { $0.inverted(freshItems: 0) },
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

    /// The option of a whole reload; where there was and is no section, none is known.
    var reloadDataAnimation: AnimationOption {
        (sectionRemovals.first ?? sectionInsertions.first)?.animation ?? .automatic
    }

    /// Of a section that comes back everything is fresh but what was moved out of it.
    private func invertedSectionRemovals() -> [SectionEdit] {
        var movedOut = itemRemovals[...]
        var result: [SectionEdit] = []
        result.reserveCapacity(sectionRemovals.count)
        for edit in sectionRemovals.reversed() {
            if edit.role == .move {
                result.append(edit.inverted(freshItems: 0))
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
            result.append(edit.inverted(freshItems: count))
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
    fileprivate func inverted(freshItems: Int) -> SectionEdit {
        var edit = self
        edit.role = role.inverted
        edit.freshItemCount = freshItems
        return edit
    }
}
