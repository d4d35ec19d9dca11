// The second stage: Texture's checks when the set is completed, in Texture's order. This file has
// the state that they share and most of the checks.

extension TextureValidator {
    /// A record to be validated, with the mapping of sections that its own deletes and inserts
    /// define.
    ///
    /// Until the number of sections is known to add up, sections are sets of runs that may contain
    /// any integers. From then on they all exist, and may be listed.
    struct Completion {
        let operations: [HierarchyChangeSet.Operation]
        let oldShape: HierarchyShape
        let newShape: HierarchyShape
        let record: Record

        /// The old sections that are deleted or move away, without reloads.
        let deletedSections: SectionSet
        /// The new sections that are inserted or are targets of moves, without reloads.
        let insertedSections: SectionSet
        /// The old sections that are reloaded.
        let reloadedSections: SectionSet

        private let deletedRanks: SectionRanks
        private let insertedRanks: SectionRanks

        init(
            _ operations: [HierarchyChangeSet.Operation],
            from oldShape: HierarchyShape,
            to newShape: HierarchyShape
        ) {
            self.operations = operations
            self.oldShape = oldShape
            self.newShape = newShape
            record = Record(operations)
            deletedSections = SectionSet(record.sectionDeletes)
            insertedSections = SectionSet(record.sectionInserts)
            reloadedSections = SectionSet(record.sectionReloads)
            deletedRanks = SectionRanks(deletedSections)
            insertedRanks = SectionRanks(insertedSections)
        }

        func complete() throws(HierarchyUpdateError) -> ValidatedChangeSet {
            try checkSectionReloads()
            try checkItemReloads()
            try checkSectionCount()
            try checkSectionDeletes()
            let edits = SurvivingEdits(of: self)
            try checkItemDeletes(edits)
            try checkItemInserts(edits)
            try checkSectionInserts()
            try checkSurvivingSections(edits)
            // Last, so that Texture's rejections come first, with Texture's texts.
            let inPlaceUpdates = self.inPlaceUpdates
            try inPlaceUpdates.checkInPlaceUpdates(from: oldShape, to: newShape)
            return build(edits, inPlaceUpdates)
        }

        /// Whether every section keeps its index. Texture then maps every integer to itself,
        /// including those that are not sections.
        var keepsSections: Bool { deletedSections.isEmpty && insertedSections.isEmpty }

        /// Returns the new index of a section that is not deleted. Survivors keep their order and
        /// fill the indexes that are not inserted, even if there are too many of them.
        func newSection(for oldSection: Int) -> Int {
            insertedRanks.nonMember(rank: oldSection - deletedRanks.rank(of: oldSection))
        }
    }
}

// Texture's checks in Texture's order, with its texts. Nothing is checked twice: code that reads an
// index here relies on the previous checks.

extension TextureValidator.Completion {
    /// Checks the number of sections. Reloads count on both sides, because Texture treats them as
    /// deletes and inserts.
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
        // A reload of a missing section gets this far only if no section is deleted.
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

    /// Checks deletes and reloads of items, descending, so that the highest fault is reported
    /// first.
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

    /// Checks inserts of items and the new places of reloaded ones, ascending.
    func checkItemInserts(_ edits: TextureValidator.SurvivingEdits) throws(HierarchyUpdateError) {
        let insert = edits.itemInserts.first { !newShape.contains($0.path) }
        let places = edits.itemReloads.lazy.filter { !edits.deletes($0.path) }.map { reload in
            (
                path: edits.newPath(for: reload.path, in: newSection(for: reload.path.section)),
                operation: reload.operation
            )
        }
        // The new places ascend with the old ones, and none is the place of an insert.
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

    /// Checks inserts of sections, after the items, unlike deletes. The places of reloaded sections
    /// always exist if the number of sections adds up.
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

    /// Checks the surviving sections, ascending by old index: first whether an item is deleted and
    /// reloaded, then whether the items add up.
    func checkSurvivingSections(
        _ edits: TextureValidator.SurvivingEdits
    ) throws(HierarchyUpdateError) {
        // Both lists ascend, so the lowest conflict is in the lowest section that has one.
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
            // The braces are how Texture's platform prints a path.
            "Attempt to delete and reload the same item at index path {length = 2, path ="
                + " \(reload.path)}",
            operationIndex: Int(reload.operation),
            path: reload.path,
            hint: "Leave out the reload of an item that is deleted"
        )
    }

    /// Returns the error for a section whose item count does not add up.
    ///
    /// Quirk: the error names the section's old index, although the wrong count is that of its new
    /// index.
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

    /// The hint for the two most frequent causes of wrong counts.
    private var countHint: String? {
        if operations.isEmpty { return "The data source changed but nothing was recorded" }
        if oldShape == newShape {
            return "Edits were recorded but the data source did not change"
        }
        return nil
    }
}

// Operations that Texture does not have. They are validated as in the other profiles.

extension TextureValidator.Completion {
    /// The reconfigurations and the reloads of supplementary elements. The last operation on a
    /// section applies, so the others do not list it: long sets that overlap cost only their runs.
    var inPlaceUpdates: RecordedEdits {
        var reconfigured = SectionSet()
        var reloaded: [SupplementaryKind: SectionSet] = [:]
        let operations = operations.reversed().map { operation -> HierarchyChangeSet.Operation in
            switch operation {
            case .reconfigureItems: return operation
            case .reconfigureSections(let sections, let animation):
                let rest = sections.subtracting(reconfigured)
                reconfigured.formUnion(sections)
                return .reconfigureSections(rest, animation)
            case .reloadSupplementaries(let kind, let sections, let animation):
                let rest = sections.subtracting(reloaded[kind] ?? SectionSet())
                reloaded[kind, default: SectionSet()].formUnion(sections)
                return .reloadSupplementaries(kind, in: rest, animation)
            // An empty operation, so that the others keep their indexes.
            default: return .reconfigureItems([], .automatic)
            }
        }
        return RecordedEdits(operations.reversed(), old: oldShape, new: newShape)
    }

    /// Returns the reconfigurations of items and of the items of sections, once each, without items
    /// that are deleted or replaced, ascending by new path.
    func reconfigurations(
        _ updates: RecordedEdits,
        _ edits: TextureValidator.SurvivingEdits
    ) -> [ItemReconfiguration] {
        // Survivors keep their order, so records that ascend by old path also ascend by new path.
        updates.reconfiguredItems(of: oldShape).compactMap { record in
            let oldPath = record.path
            let isReloaded = edits.itemReloads.sortedPosition(of: oldPath, by: \.path) != nil
            let isRemoved = edits.removedSections.contains(oldPath.section)
            if isRemoved || isReloaded || edits.deletes(oldPath) { return nil }
            return ItemReconfiguration(
                oldPath: oldPath,
                newPath: edits.newPath(for: oldPath, in: newSection(for: oldPath.section)),
                animation: record.animation
            )
        }
    }
}
