// Builds the four runs from a record that passed every check. A move has become an independent
// delete and insert; a reload keeps its two halves together. The checks ensure that no index is
// removed or filled twice by a delete and a reload. If an index has several animations, the last
// recorded one is used. Texture applies reloads after all other operations, but this makes no
// visible difference.

extension TextureValidator.Completion {
    func build(
        _ edits: TextureValidator.SurvivingEdits,
        _ inPlaceUpdates: RecordedEdits
    ) -> ValidatedChangeSet {
        let (itemRemovals, itemInsertions) = itemRuns(edits)
        let (sectionRemovals, sectionInsertions) = sectionRuns()
        let storage = ValidatedChangeSet.Storage(
            oldShape: oldShape,
            newShape: newShape,
            isEmpty: operations.isEmpty,
            edits: ValidatedChangeSet.Edits(
                itemRemovals: itemRemovals,
                sectionRemovals: sectionRemovals,
                sectionInsertions: sectionInsertions,
                itemInsertions: itemInsertions
            ),
            reconfigurations: reconfigurations(inPlaceUpdates, edits),
            supplementaryReloads: inPlaceUpdates.sortedSupplementaryReloads(),
            sections: IndexMapping(
                oldCount: oldShape.numberOfSections,
                newCount: newShape.numberOfSections,
                removed: Array(deletedSections),
                inserted: Array(insertedSections)
            )
        )
        return ValidatedChangeSet(storage)
    }

    private func itemRuns(
        _ edits: TextureValidator.SurvivingEdits
    ) -> (removals: [ItemEdit], insertions: [ItemEdit]) {
        let deletes = edits.itemDeletes.map {
            ItemEdit(path: $0.path, role: .delete, animation: $0.animation)
        }
        let inserts = edits.itemInserts.map {
            ItemEdit(path: $0.path, role: .insert, animation: $0.animation)
        }
        let reloads = edits.itemReloads.map { reload in
            let (oldPath, animation) = (reload.path, reload.animation)
            let newPath = edits.newPath(for: oldPath, in: newSection(for: oldPath.section))
            return (
                removal: ItemEdit(
                    path: oldPath,
                    role: .reload,
                    associatedWith: newPath,
                    animation: animation
                ),
                inserted: ItemEdit(
                    path: newPath,
                    role: .reload,
                    associatedWith: oldPath,
                    animation: animation
                )
            )
        }
        return (
            (deletes + reloads.map { $0.removal }).sorted { $0.path > $1.path },
            (inserts + reloads.map { $0.inserted }).sorted { $0.path < $1.path }
        )
    }

    /// Returns the runs of sections. An inserted or reloaded section arrives with all its items;
    /// individual inserts into it are ignored.
    private func sectionRuns() -> (removals: [SectionEdit], insertions: [SectionEdit]) {
        let (oldCount, newCount) = (oldShape.numberOfSections, newShape.numberOfSections)
        let deletes = record.sectionDeletes.animations(below: oldCount).map {
            SectionEdit(section: $0.section, role: .delete, animation: $0.animation)
        }
        let inserts = record.sectionInserts.animations(below: newCount).map {
            SectionEdit(
                section: $0.section,
                role: .insert,
                newItemCount: newShape.itemCounts[$0.section],
                animation: $0.animation
            )
        }
        let reloads = record.sectionReloads.animations(below: oldCount).map {
            reload(of: $0.section, animation: $0.animation)
        }
        return (
            (deletes + reloads.map { $0.removal }).sorted { $0.section > $1.section },
            (inserts + reloads.map { $0.inserted }).sorted { $0.section < $1.section }
        )
    }

    private func reload(
        of oldSection: Int,
        animation: AnimationOption
    ) -> (removal: SectionEdit, inserted: SectionEdit) {
        let newSection = newSection(for: oldSection)
        let removal = SectionEdit(
            section: oldSection,
            role: .reload,
            associatedWith: newSection,
            animation: animation
        )
        let inserted = SectionEdit(
            section: newSection,
            role: .reload,
            associatedWith: oldSection,
            newItemCount: newShape.itemCounts[newSection],
            animation: animation
        )
        return (removal, inserted)
    }
}

// A reload becomes a delete and an insert before anything is checked, and only then may turn out to
// have no place. Texture's rules for this are fragile: see the two quirks below.

extension TextureValidator.Completion {
    /// Checks that every reloaded section has a place, in the order of recording, sections
    /// ascending.
    ///
    /// Quirk: a missing section has a place as long as no section is deleted or inserted and there
    /// is any section at all; it then fails as a delete.
    func checkSectionReloads() throws(HierarchyUpdateError) {
        for claim in record.sectionReloads {
            guard let section = lowestWithoutPlace(in: claim.sections) else { continue }
            throw HierarchyUpdateError(
                .reloadDeletedSection,
                "Request to reload and delete same section \(section)",
                operationIndex: claim.operation,
                section: section,
                hint: oldShape.itemCounts.indices.contains(section)
                    ? "Leave out the reload of a section that is deleted or moved"
                    : "There are only \(oldShape.numberOfSections) sections before the update"
            )
        }
    }

    private func lowestWithoutPlace(in sections: ClosedRange<Int>) -> Int? {
        let oldCount = oldShape.numberOfSections
        if oldCount == 0 { return sections.lowerBound }
        if keepsSections { return nil }
        let missing = SectionSet(uniting: [sections]).lowestMember(outside: oldCount)
        let deleted = deletedSections.lowestMember(in: sections)
        if let missing, let deleted { return Swift.min(missing, deleted) }
        return missing ?? deleted
    }

    /// Checks that at least one item of each reload has a place.
    ///
    /// Quirk: the other items may have none. In deleted sections they are dropped; in surviving
    /// ones they fail later, with another code.
    func checkItemReloads() throws(HierarchyUpdateError) {
        for (index, operation) in operations.enumerated() {
            guard case .reloadItems(let oldPaths, _) = operation,
                !oldPaths.contains(where: hasPlace)
            else { continue }
            throw TextureValidator.noItems(
                .reloadWithoutTarget,
                index,
                path: oldPaths.first,
                "None of the reloaded items exists after the update; leave out their reload"
            )
        }
    }

    /// Returns whether Texture maps the item at `oldPath` to any new path.
    ///
    /// Quirk: if no item is deleted from its section or inserted into it, Texture maps every
    /// integer, unless the section is empty.
    private func hasPlace(_ oldPath: ItemPath) -> Bool {
        let (section, item) = (oldPath.section, oldPath.item)
        guard let count = oldShape.numberOfItems(inSection: section), count > 0,
            !deletedSections.contains(section)
        else { return false }
        let deletes = record.itemDeletes.positions(inSection: section) { $0.path.section }
        let inserts = record.itemInserts.positions(inSection: newSection(for: section)) {
            $0.path.section
        }
        if deletes.isEmpty && inserts.isEmpty { return true }
        return item >= 0 && item < count
            && record.itemDeletes.sortedPosition(of: oldPath, by: \.path) == nil
    }
}
