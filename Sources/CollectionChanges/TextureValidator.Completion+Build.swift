// From a record that passed every check to the four runs. A move has become a delete and an insert
// that know nothing of each other; a reload keeps its two halves together. No index can be taken
// out twice, or filled twice, by a delete and a reload: the checks have seen to that. So of several
// options for one index the last recorded one counts, and that reloads count after all others, as
// in the original, never shows.

extension TextureValidator.Completion {
    func build(_ edits: TextureValidator.SurvivingEdits) -> ValidatedChangeSet {
        let (itemTakeOuts, itemPutIns) = itemRuns(edits)
        let (sectionTakeOuts, sectionPutIns) = sectionRuns()
        let storage = ValidatedChangeSet.Storage(
            oldShape: oldShape,
            newShape: newShape,
            isEmpty: operations.isEmpty,
            isReloadData: false,
            edits: ValidatedChangeSet.Edits(
                itemTakeOuts: itemTakeOuts,
                sectionTakeOuts: sectionTakeOuts,
                sectionPutIns: sectionPutIns,
                itemPutIns: itemPutIns
            ),
            reconfigurations: reconfigurations(edits),
            supplementaryReloads: supplementaryReloads(),
            sections: IndexMapping(
                oldCount: oldShape.numberOfSections,
                newCount: newShape.numberOfSections,
                takenOut: deletedSections.members(in: 0..<oldShape.numberOfSections),
                putIn: insertedSections.members(in: 0..<newShape.numberOfSections),
                moves: []
            )
        )
        return ValidatedChangeSet(storage)
    }

    private func itemRuns(
        _ edits: TextureValidator.SurvivingEdits
    ) -> (takeOuts: [ItemEdit], putIns: [ItemEdit]) {
        var takeOuts = edits.itemDeletes.map {
            ItemEdit(path: $0.path, role: .delete, animation: $0.animation)
        }
        var putIns = edits.itemInserts.map {
            ItemEdit(path: $0.path, role: .insert, animation: $0.animation)
        }
        for reload in edits.itemReloads {
            let (oldPath, animation) = (reload.path, reload.animation)
            let newPath = edits.newPath(for: oldPath, in: newSection(for: oldPath.section))
            takeOuts.append(
                ItemEdit(path: oldPath, role: .reload, counterpart: newPath, animation: animation)
            )
            putIns.append(
                ItemEdit(path: newPath, role: .reload, counterpart: oldPath, animation: animation)
            )
        }
        takeOuts.sort { $0.path > $1.path }
        putIns.sort { $0.path < $1.path }
        return (takeOuts, putIns)
    }

    /// What is inserted or reloaded arrives with all its items: single inserts into it are
    /// absorbed.
    private func sectionRuns() -> (takeOuts: [SectionEdit], putIns: [SectionEdit]) {
        var takeOuts: [SectionEdit] = []
        var putIns: [SectionEdit] = []
        for claim in record.sectionDeletes.lastOfEachSection() {
            for section in claim.sections {
                takeOuts.append(
                    SectionEdit(section: section, role: .delete, animation: claim.animation)
                )
            }
        }
        for claim in record.sectionInserts.lastOfEachSection() {
            for section in claim.sections {
                putIns.append(
                    SectionEdit(
                        section: section,
                        role: .insert,
                        freshItemCount: newShape.itemCounts[section],
                        animation: claim.animation
                    )
                )
            }
        }
        for claim in record.sectionReloads.lastOfEachSection() {
            for section in claim.sections {
                let (takeOut, putIn) = reload(of: section, animation: claim.animation)
                takeOuts.append(takeOut)
                putIns.append(putIn)
            }
        }
        takeOuts.sort { $0.section > $1.section }
        putIns.sort { $0.section < $1.section }
        return (takeOuts, putIns)
    }

    private func reload(
        of oldSection: Int,
        animation: AnimationOption
    ) -> (takeOut: SectionEdit, putIn: SectionEdit) {
        let newSection = newSection(for: oldSection)
        let takeOut = SectionEdit(
            section: oldSection,
            role: .reload,
            counterpart: newSection,
            animation: animation
        )
        let putIn = SectionEdit(
            section: newSection,
            role: .reload,
            counterpart: oldSection,
            freshItemCount: newShape.itemCounts[newSection],
            animation: animation
        )
        return (takeOut, putIn)
    }
}
