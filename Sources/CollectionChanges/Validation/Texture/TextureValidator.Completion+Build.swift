// From a record that passed every check to the four runs. A move has become a delete and an insert
// that know nothing of each other; a reload keeps its two halves together. No index can be taken
// out twice, or filled twice, by a delete and a reload: the checks have seen to that. So of several
// options for one index the last recorded one counts, and that reloads count after all others, as
// in the original, never shows.

extension TextureValidator.Completion {
    func build(_ edits: TextureValidator.SurvivingEdits) -> ValidatedChangeSet {
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
            reconfigurations: reconfigurations(edits),
            supplementaryReloads: supplementaryReloads(),
            sections: IndexMapping(
                oldCount: oldShape.numberOfSections,
                newCount: newShape.numberOfSections,
                removed: Array(deletedSections),
                inserted: Array(insertedSections),
                moves: []
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

    /// What is inserted or reloaded arrives with all its items: single inserts into it are
    /// absorbed.
    private func sectionRuns() -> (removals: [SectionEdit], insertions: [SectionEdit]) {
        let deletes = record.sectionDeletes.lastOfEachSection().flatMap { claim in
            claim.sections.map {
                SectionEdit(section: $0, role: .delete, animation: claim.animation)
            }
        }
        let inserts = record.sectionInserts.lastOfEachSection().flatMap { claim in
            claim.sections.map {
                SectionEdit(
                    section: $0,
                    role: .insert,
                    freshItemCount: newShape.itemCounts[$0],
                    animation: claim.animation
                )
            }
        }
        let reloads = record.sectionReloads.lastOfEachSection().flatMap { claim in
            claim.sections.map { reload(of: $0, animation: claim.animation) }
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
            freshItemCount: newShape.itemCounts[newSection],
            animation: animation
        )
        return (removal, inserted)
    }
}
