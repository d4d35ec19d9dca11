import CollectionElements
import PersistentTrees

// Supplementary elements are asked about for sections with edits only. They are kept, added and
// removed by comparison with what the data source has now: of those of one kind the first ones stay.

extension ContentGatherer {
    mutating func gatherSupplementaries() throws(UpdateError) {
        var nextReload = 0
        for newSection in update.editedSections {
            let reloads = update.supplementaryReloads
            var reloadedKinds: Set<SupplementaryKind> = []
            while nextReload < reloads.count, reloads[nextReload].newSection == newSection {
                reloadedKinds.insert(reloads[nextReload].kind)
                nextReload += 1
            }
            try gatherSupplementaries(in: newSection, reloadedKinds)
        }
    }

    private mutating func gatherSupplementaries(
        in newSection: Int,
        _ reloadedKinds: Set<SupplementaryKind>
    ) throws(UpdateError) {
        let existing = existingSupplementaries(in: newSection)
        let kinds = Set(dataSource.supplementaryKinds(inSection: newSection))
        guard !kinds.isEmpty || !existing.isEmpty else { return }
        askedSections.insert(newSection)
        var runs: [(kept: SupplementaryRun, added: [CollectionElement])] = []
        var isChanged = existing.contains { !kinds.contains($0.kind) }
        for kind in kinds.sorted() {
            let count = try numberOfSupplementaries(kind, newSection)
            var run = existing.first { $0.kind == kind } ?? SupplementaryRun(kind: kind)
            let kept = reloadedKinds.contains(kind) ? 0 : min(count, run.contents.count)
            isChanged = isChanged || kept < count || kept < run.contents.count
            let added = (kept..<count).map {
                freshSupplementary(kind, at: ItemPath(section: newSection, item: $0))
            }
            if kept < run.contents.count {
                let leaving = kept..<run.contents.count
                removedSupplementaries += leaving.map { run.contents[$0].element }
                var contents = run.contents.transaction()
                contents.removeSubrange(leaving)
                run.contents = contents.commit()
            }
            if count > 0 { runs.append((run, added)) }
        }
        guard isChanged else { return }
        for run in existing where !kinds.contains(run.kind) {
            removedSupplementaries += run.contents.map { $0.element }
        }
        change.supplementaries.append(.init(newSection: newSection, runs: runs))
    }

    private mutating func numberOfSupplementaries(
        _ kind: SupplementaryKind,
        _ newSection: Int
    ) throws(UpdateError) -> Int {
        let count = dataSource.numberOfSupplementaries(ofKind: kind, inSection: newSection)
        guard count >= 0 else {
            throw UpdateError(
                HierarchyUpdateError(
                    .negativeItemCount,
                    "The number of supplementary elements of kind '\(kind)' in section \(newSection)"
                        + " must not be negative, but the data source answered \(count)",
                    section: newSection,
                    summary: "section \(newSection): the data source answered \(count) of kind"
                        + " '\(kind)'"
                ),
                dataSourceName: dataSourceName
            )
        }
        guard count <= itemLimit - supplementaryCount else {
            throw UpdateError(
                HierarchyUpdateError(
                    .tooManyItems,
                    "The number of supplementary elements of kind '\(kind)' in section \(newSection)"
                        + " must be at most \(itemLimit) together with those asked for before, but the"
                        + " data source has \(count)",
                    section: newSection,
                    summary: "section \(newSection): \(count) of kind '\(kind)', but"
                        + " \(itemLimit) are the limit for all together"
                ),
                dataSourceName: dataSourceName
            )
        }
        supplementaryCount += count
        return count
    }

    private func existingSupplementaries(in newSection: Int) -> [SupplementaryRun] {
        guard let oldSection = update.oldSection(for: newSection) else { return [] }
        let isReloaded = update.sectionInsertion(at: newSection)?.role == .reload
        return isReloaded ? [] : oldMap.supplementaries(inSection: oldSection)
    }

    private mutating func freshSupplementary(
        _ kind: SupplementaryKind,
        at path: ItemPath
    ) -> CollectionElement {
        let range = ranges.range(dataSource.sizeRange(forSupplementaryOfKind: kind, at: path))
        let element = ProvidedElement(
            model: nil,
            provider: dataSource.supplementaryNodeProvider(ofKind: kind, at: path),
            terms: ElementTerms(kind: kind, sizeRange: range, surroundings: surroundings)
        )
        work.singles.append((path, element.firstContent))
        return element
    }
}

extension ValidatedChangeSet {
    /// New indexes of the sections that are fresh or have edits: those whose supplementary elements may
    /// have changed.
    var editedSections: SectionSet {
        var sections = SectionSet()
        for edit in sectionInsertions where edit.role != .move { sections.insert(edit.section) }
        for edit in itemInsertions { sections.insert(edit.path.section) }
        for edit in itemRemovals {
            if let section = newSection(for: edit.path.section) { sections.insert(section) }
        }
        for reload in supplementaryReloads { sections.insert(reload.newSection) }
        return sections
    }
}
