// A reload becomes a delete and an insert before anything is checked, and it is here that it may
// turn out to have no place. Which is fragile in the original: see the two quirks below.

extension TextureValidator.Completion {
    /// Every reloaded section must have a place, in the order of recording, sections ascending.
    ///
    /// Quirk: a section that does not exist has a place as long as no section is deleted or
    /// inserted and there is any section at all; it then fails as a delete.
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

    /// Of the items of one reload, one at least must have a place.
    ///
    /// Quirk: the others may be without. In deleted sections they are dropped, in surviving ones
    /// they fail later, under another name.
    func checkItemReloads() throws(HierarchyUpdateError) {
        for (index, operation) in operations.enumerated() {
            guard case .reloadItems(let oldPaths, _) = operation,
                !oldPaths.contains(where: hasPlace)
            else { continue }
            throw TextureValidator.noItems(
                .reloadWithoutTarget,
                index,
                path: oldPaths.first,
                "None of the reloaded items is there after the update; leave out their reload"
            )
        }
    }

    /// Whether the original maps the item at `oldPath` anywhere.
    ///
    /// Quirk: with no item deleted from its section, or inserted into it, it maps every integer,
    /// unless the section is empty.
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
