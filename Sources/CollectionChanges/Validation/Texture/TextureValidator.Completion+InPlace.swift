// What the original does not know: updates in place and supplementary elements on their own. They
// are judged as in the other profiles.

extension TextureValidator.Completion {
    /// Reconfigurations need items that exist; supplementary elements a section that does.
    func checkInPlaceUpdates() throws(HierarchyUpdateError) {
        if let fault = record.itemReconfigurations.first(where: { !oldShape.contains($0.path) }) {
            throw HierarchyUpdateError(
                .reconfigureItemRange,
                "attempt to reconfigure item at index path (\(fault.path)) that does not exist"
                    + " before the update: \(oldShape)",
                operationIndex: Int(fault.operation),
                path: fault.path,
                hint: "Reconfigurations use the paths before the update"
            )
        }
        let reconfigured = SectionSet(record.sectionReconfigurations)
        if let section = reconfigured.lowestMember(outside: oldShape.numberOfSections) {
            throw HierarchyUpdateError(
                .reconfigureSectionRange,
                "attempt to reconfigure section \(section), but there are only"
                    + " \(oldShape.numberOfSections) sections before the update",
                operationIndex: record.sectionReconfigurations.operation(naming: section),
                section: section,
                hint: "Reconfigurations use the indexes before the update"
            )
        }
        for (kind, claim) in record.supplementaryReloads {
            let sections = SectionSet(uniting: [claim.sections])
            guard let section = sections.lowestMember(outside: newShape.numberOfSections) else {
                continue
            }
            throw HierarchyUpdateError(
                .supplementarySectionRange,
                "attempt to reload supplementary elements of kind \(kind) in section"
                    + " \(section), but there are only \(newShape.numberOfSections)"
                    + " sections after the update",
                operationIndex: claim.operation,
                section: section,
                hint: "Reloads of supplementary elements use the indexes after the update"
            )
        }
    }

    /// Items and the items of sections, once each, without those that are deleted or replaced,
    /// ascending by new path.
    func reconfigurations(_ edits: TextureValidator.SurvivingEdits) -> [ItemReconfiguration] {
        var records = record.itemReconfigurations.filter {
            !edits.removedSections.contains($0.path.section)
        }
        for claim in record.sectionReconfigurations.lastOfEachSection() {
            for section in claim.sections where !edits.removedSections.contains(section) {
                records += (0..<oldShape.itemCounts[section]).lazy.map { item in
                    RecordedEdits.ItemRecord(
                        path: ItemPath(section: section, item: item),
                        operation: Int32(truncatingIfNeeded: claim.operation),
                        animation: claim.animation
                    )
                }
            }
        }
        records.keepLastOfEachPath()
        // Survivors keep their order, so that what ascends by old path ascends by new path too.
        return records.compactMap { record in
            let oldPath = record.path
            let isReloaded = edits.itemReloads.sortedPosition(of: oldPath, by: \.path) != nil
            if isReloaded || edits.deletes(oldPath) { return nil }
            return ItemReconfiguration(
                oldPath: oldPath,
                newPath: edits.newPath(for: oldPath, in: newSection(for: oldPath.section)),
                animation: record.animation
            )
        }
    }

    /// Every kind and section once, the last recorded option counting, ascending by section, then
    /// by kind.
    func supplementaryReloads() -> [SupplementaryReload] {
        // The standard library's sort is stable, which keeps the order of recording within a kind.
        let recorded = record.supplementaryReloads.sorted { $0.kind < $1.kind }
        var result: [SupplementaryReload] = []
        var start = 0
        while start < recorded.count {
            let kind = recorded[start].kind
            let end = recorded[start...].firstIndex { $0.kind != kind } ?? recorded.count
            for claim in recorded[start..<end].map(\.claim).lastOfEachSection() {
                result += claim.sections.lazy.map { section in
                    SupplementaryReload(
                        kind: kind,
                        newSection: section,
                        animation: claim.animation
                    )
                }
            }
            start = end
        }
        return result.sorted { ($0.newSection, $0.kind) < ($1.newSection, $1.kind) }
    }
}
