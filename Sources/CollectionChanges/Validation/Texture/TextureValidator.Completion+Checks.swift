// The original's checks in the original's order, with its texts. Nothing is checked twice: whoever
// reads an index here relies on the checks before.

extension TextureValidator.Completion {
    /// Reloads count on both sides, as the deletes and inserts that they are for the original.
    func checkSectionCount() throws(HierarchyUpdateError) {
        let (before, after) = (oldShape.numberOfSections, newShape.numberOfSections)
        // Reloads cancel out, and without them neither side can overflow.
        guard before - deletedSections.count != after - insertedSections.count else { return }
        func withReloads(_ count: Int) -> Int {
            let (sum, overflows) = count.addingReportingOverflow(reloadedSections.count)
            return overflows ? Int.max : sum
        }
        let sum = CountArithmetic(
            before: before,
            after: after,
            inserted: withReloads(insertedSections.count),
            deleted: withReloads(deletedSections.count)
        )
        throw HierarchyUpdateError(
            .sectionCount,
            "Invalid number of sections. The number of sections after the update (\(sum.after))"
                + " must be equal to the number of sections before the update (\(sum.before)) plus"
                + " or minus the number of sections inserted or deleted (\(sum.inserted) inserted,"
                + " \(sum.deleted) deleted)",
            arithmetic: sum,
            hint: countHint
        )
    }

    func checkSectionDeletes() throws(HierarchyUpdateError) {
        let count = oldShape.numberOfSections
        // A reload of a missing section comes this far only where no section is deleted.
        guard
            let section = deletedSections.lowestMember(outside: count)
                ?? reloadedSections.lowestMember(outside: count)
        else { return }
        throw HierarchyUpdateError(
            .deleteSectionRange,
            "Attempt to delete section \(section) but there are only \(count) sections before the"
                + " update.",
            operationIndex: record.sectionReloads.operation(naming: section)
                ?? record.sectionDeletes.operation(naming: section),
            section: section,
            hint: "Deletes and reloads use the indexes before the update"
        )
    }

    /// Deletes and reloads of items, descending: the highest fault is the first.
    func checkItemDeletes(_ edits: TextureValidator.SurvivingEdits) throws(HierarchyUpdateError) {
        let isMissing = { (record: RecordedEdits.ItemRecord) in !oldShape.contains(record.path) }
        let delete = edits.itemDeletes.last(where: isMissing)
        let reload = edits.itemReloads.last(where: isMissing)
        guard let record = [delete, reload].compactMap(\.self).max(by: { $0.path < $1.path }) else {
            return
        }
        let (section, item) = (record.path.section, record.path.item)
        let count = oldShape.numberOfItems(inSection: section)
        throw HierarchyUpdateError(
            count == nil ? .deleteItemSectionRange : .deleteItemRange,
            "Attempt to delete item \(item) from section \(section), "
                + (count.map { "which only contains \($0) items before the update." }
                    ?? "but there are only \(oldShape.numberOfSections) sections before the"
                    + " update."),
            operationIndex: Int(record.operation),
            path: record.path,
            hint: "Deletes and reloads use the paths before the update"
        )
    }

    /// Inserts of items and the new places of reloaded ones, ascending.
    func checkItemInserts(_ edits: TextureValidator.SurvivingEdits) throws(HierarchyUpdateError) {
        let insert = edits.itemInserts.first { !newShape.contains($0.path) }
        let places = edits.itemReloads.lazy.filter { !edits.deletes($0.path) }.map { reload in
            (
                path: edits.newPath(for: reload.path, in: newSection(for: reload.path.section)),
                operation: reload.operation
            )
        }
        // The new places ascend with the old ones, and none is that of an insert.
        let reload = places.first { !newShape.contains($0.path) }
        let faults = [insert.map { (path: $0.path, operation: $0.operation) }, reload]
        guard let fault = faults.compactMap(\.self).min(by: { $0.path < $1.path }) else { return }
        let (section, item) = (fault.path.section, fault.path.item)
        let count = newShape.numberOfItems(inSection: section)
        throw HierarchyUpdateError(
            count == nil ? .insertItemSectionRange : .insertItemRange,
            "Attempt to insert item \(item) into section \(section), "
                + (count.map { "which only contains \($0) items after the update." }
                    ?? "but there are only \(newShape.numberOfSections) sections after the"
                    + " update."),
            operationIndex: Int(fault.operation),
            path: fault.path,
            hint: "Inserts use the paths after the whole update"
        )
    }

    /// After the items, unlike deletes. The places of reloaded sections always exist, once the
    /// number of sections came out.
    func checkSectionInserts() throws(HierarchyUpdateError) {
        let count = newShape.numberOfSections
        guard let section = insertedSections.lowestMember(outside: count) else { return }
        throw HierarchyUpdateError(
            .insertSectionRange,
            "Attempt to insert section \(section) but there are only \(count) sections after the"
                + " update.",
            operationIndex: record.sectionInserts.operation(naming: section),
            section: section,
            hint: "Inserts use the indexes after the whole update"
        )
    }

    /// Section by section, ascending by old index: first whether an item is deleted and reloaded,
    /// then whether the items come out.
    func checkSurvivingSections(
        _ edits: TextureValidator.SurvivingEdits
    ) throws(HierarchyUpdateError) {
        // Both lists ascend, so that the lowest conflict lies in the lowest section that has one.
        let conflict = edits.itemReloads.first { edits.deletes($0.path) }
        let (removed, inserted) = (edits.removedItems, edits.insertedItems)
        var (nextRemoved, nextInserted) = (0, 0)
        let sections = TextureValidator.SurvivingSections(edits, from: oldShape, to: newShape)
        for (oldSection, newSection) in sections {
            if let conflict, conflict.path.section == oldSection {
                throw deleteAndReloadFault(conflict)
            }
            let (firstRemoved, firstInserted) = (nextRemoved, nextInserted)
            while nextRemoved < removed.count, removed[nextRemoved].section == oldSection {
                nextRemoved += 1
            }
            while nextInserted < inserted.count, inserted[nextInserted].section == newSection {
                nextInserted += 1
            }
            let sum = CountArithmetic(
                before: oldShape.itemCounts[oldSection],
                after: newShape.itemCounts[newSection],
                inserted: nextInserted - firstInserted,
                deleted: nextRemoved - firstRemoved
            )
            if sum.expected != sum.after { throw itemCountFault(oldSection, sum) }
        }
    }

    private func deleteAndReloadFault(_ reload: RecordedEdits.ItemRecord) -> HierarchyUpdateError {
        HierarchyUpdateError(
            .deleteAndReloadItem,
            // The braces are how the original's platform prints a path.
            "Attempt to delete and reload the same item at index path {length = 2, path ="
                + " \(reload.path)}",
            operationIndex: Int(reload.operation),
            path: reload.path,
            hint: "Leave out the reload of an item that is deleted"
        )
    }

    /// Quirk: the section is named by its old index, although the count that is wrong is that of
    /// its new one.
    private func itemCountFault(
        _ oldSection: Int,
        _ sum: CountArithmetic
    ) -> HierarchyUpdateError {
        HierarchyUpdateError(
            .itemCount,
            "Invalid number of items in section \(oldSection). The number of items after the update"
                + " (\(sum.after)) must be equal to the number of items before the update"
                + " (\(sum.before)) plus or minus the number of items inserted or deleted"
                + " (\(sum.inserted) inserted, \(sum.deleted) deleted).",
            section: oldSection,
            arithmetic: sum,
            hint: countHint ?? "The section is named by its index before the update"
        )
    }

    /// The two mistakes that nearly every wrong count comes from.
    private var countHint: String? {
        if operations.isEmpty { return "The data source changed but nothing was recorded" }
        if oldShape == newShape {
            return "Edits were recorded but the data source did not change"
        }
        return nil
    }
}
