import CollectionElements

/// Asks the data source for what a validated change set brings, and builds the new map from it.
///
/// The order of asking is part of the contract: contexts of fresh sections, then the items of fresh
/// sections, then single items, then reconfigured ones, then supplementary elements, each ascending.
/// Nothing outside is changed; the result may be dropped.
struct ContentGatherer {
    private let dataSource: any CollectionDataSource
    private let traits: TraitSource
    private let update: ValidatedChangeSet
    private let oldMap: ElementMap
    private let firstVisiblePath: ItemPath?
    private let viewRange: SizeRange
    private let itemLimit: Int
    private var supplementaryCount = 0
    /// A layout delegate chooses sizes itself, and measures what it needs.
    private let hasLayoutDelegate: Bool

    private var change = ElementMapChange()
    private var work: [PlacedSlot] = []
    private var nextSectionID: Int
    private var removedSupplementaries: [CollectionElement] = []
    /// The sections whose content the data source was asked for, by new index.
    private(set) var askedSections = SectionSet()

    /// A slot to prepare, with its place in the new map, which decides how soon.
    private struct PlacedSlot {
        let path: ItemPath
        let slot: ElementSlot
    }

    init(core: PipelineCore, update: ValidatedChangeSet, oldMap: ElementMap) {
        dataSource = core.dataSource
        traits = core.traits
        nextSectionID = core.nextSectionID
        hasLayoutDelegate = core.layoutDelegate != nil
        viewRange = core.view?.elementSizeRange ?? .unconstrained
        firstVisiblePath = core.view?.firstVisiblePath
        itemLimit = core.configuration.limits.items
        self.update = update
        self.oldMap = oldMap
    }

    mutating func gather() throws(HierarchyUpdateError) -> Latched {
        let generation = oldMap.generation + 1
        gatherFreshSections()
        gatherPutInItems()
        let reconfigured = gatherReconfigurations()
        try gatherSupplementaries()
        let isUntouched =
            update.edits.isEmpty && reconfigured.isEmpty && change.supplementaries.isEmpty
        let map =
            isUntouched
            ? oldMap.withGeneration(generation)
            : oldMap.applying(update, change, generation: generation)
        return Latched(
            update: update,
            map: map,
            work: hasLayoutDelegate ? [] : orderedWork(),
            reconfigured: reconfigured,
            removedSupplementaries: removedSupplementaries,
            nextSectionID: nextSectionID
        )
    }

    // MARK: Items

    private mutating func gatherFreshSections() {
        let edits = update.sectionPutIns.filter { $0.role != .move }
        guard !edits.isEmpty else { return }
        var sections: [CollectionSection] = []
        for edit in edits {
            let context = dataSource.context(forSection: edit.section)
            sections.append(CollectionSection(id: nextSectionID, context: context))
            nextSectionID += 1
        }
        for (edit, section) in zip(edits, sections) {
            askedSections.insert(edit.section)
            var slots: [ElementSlot] = []
            slots.reserveCapacity(edit.freshItemCount)
            for path in update.freshPaths(ofSection: edit) { slots.append(freshItem(at: path)) }
            change.freshSections.append(.init(section: section, slots: slots))
        }
    }

    private mutating func gatherPutInItems() {
        change.putInItems.reserveCapacity(update.itemPutIns.count)
        for edit in update.itemPutIns {
            change.putInItems.append(edit.role == .move ? nil : freshItem(at: edit.path))
        }
    }

    private mutating func freshItem(at path: ItemPath) -> ElementSlot {
        askedSections.insert(path.section)
        let content = ElementContent(
            model: dataSource.model(forItemAt: path),
            sizeRange: hasLayoutDelegate
                ? .unconstrained : dataSource.sizeRange(forItemAt: path) ?? viewRange,
            provider: dataSource.nodeProvider(forItemAt: path),
            keepsNode: true
        )
        let element = CollectionElement(kind: nil, content: content, traits: traits)
        let slot = ElementSlot(element, content)
        work.append(PlacedSlot(path: path, slot: slot))
        return slot
    }

    private mutating func gatherReconfigurations() -> [ElementSlot] {
        var slots: [ElementSlot] = []
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            askedSections.insert(path.section)
            guard let old = oldMap.slot(at: reconfiguration.oldPath) else { continue }
            let element = old.element
            let model = dataSource.model(forItemAt: path)
            // The node may not exist yet, or refuse: then the provider makes one for the model.
            let staysInPlace = model.map(element.acceptsInPlace) ?? false
            let content = ElementContent(
                model: model,
                sizeRange: hasLayoutDelegate
                    ? .unconstrained : dataSource.sizeRange(forItemAt: path) ?? viewRange,
                provider: staysInPlace ? nil : dataSource.nodeProvider(forItemAt: path),
                previousSize: old.content.size
            )
            change.reconfiguredContents.append(content)
            let slot = ElementSlot(element, content)
            slots.append(slot)
            work.append(PlacedSlot(path: path, slot: slot))
        }
        return slots
    }

    // MARK: Supplementary elements

    private mutating func gatherSupplementaries() throws(HierarchyUpdateError) {
        var nextReload = 0
        for newSection in sectionsWithEdits() {
            let reloads = update.supplementaryReloads
            var reloadedKinds: Set<SupplementaryKind> = []
            while nextReload < reloads.count, reloads[nextReload].newSection == newSection {
                reloadedKinds.insert(reloads[nextReload].kind)
                nextReload += 1
            }
            try gatherSupplementaries(in: newSection, reloadedKinds)
        }
    }

    /// New indexes of the sections whose supplementary elements may have changed, ascending.
    private func sectionsWithEdits() -> [Int] {
        var sections = SectionSet()
        for edit in update.sectionPutIns where edit.role != .move { sections.insert(edit.section) }
        for edit in update.itemPutIns { sections.insert(edit.path.section) }
        for edit in update.itemTakeOuts {
            if let section = update.newSection(for: edit.path.section) { sections.insert(section) }
        }
        for reload in update.supplementaryReloads { sections.insert(reload.newSection) }
        return Array(sections)
    }

    /// Slots are kept, added and removed by comparison with what the data source has now.
    private mutating func gatherSupplementaries(
        in newSection: Int,
        _ reloadedKinds: Set<SupplementaryKind>
    ) throws(HierarchyUpdateError) {
        let existing = existingSupplementaries(in: newSection)
        let kinds = Set(dataSource.supplementaryKinds(inSection: newSection))
        guard !kinds.isEmpty || !existing.isEmpty else { return }
        var slots: [SupplementarySlot] = []
        var isChanged = false
        for kind in kinds.sorted() {
            let count = try numberOfSupplementaries(kind, newSection)
            let kept = existing.filter { $0.kind == kind }
            for item in 0..<count {
                if item < kept.count, !reloadedKinds.contains(kind) {
                    slots.append(kept[item])
                } else {
                    slots.append(
                        freshSupplementary(kind, at: ItemPath(section: newSection, item: item))
                    )
                    isChanged = true
                }
            }
        }
        if isChanged || slots.count != existing.count {
            change.supplementaries.append((newSection, slots))
            let kept = Set(slots.map(\.slot.element))
            removedSupplementaries += existing.map(\.slot.element).filter { !kept.contains($0) }
        }
    }

    private mutating func numberOfSupplementaries(
        _ kind: SupplementaryKind,
        _ newSection: Int
    ) throws(HierarchyUpdateError) -> Int {
        let count = dataSource.numberOfSupplementaries(ofKind: kind, inSection: newSection)
        guard count >= 0 else {
            throw HierarchyUpdateError(
                .negativeItemCount,
                "The number of supplementary elements of kind '\(kind)' in section \(newSection)"
                    + " must not be negative, but the data source answered \(count)",
                section: newSection
            )
        }
        guard count <= itemLimit - supplementaryCount else {
            throw HierarchyUpdateError(
                .tooManyItems,
                "The number of supplementary elements of kind '\(kind)' in section \(newSection)"
                    + " must be at most \(itemLimit) together with those asked for before, but the"
                    + " data source has \(count)",
                section: newSection
            )
        }
        supplementaryCount += count
        return count
    }

    private func existingSupplementaries(in newSection: Int) -> [SupplementarySlot] {
        guard let oldSection = update.oldSection(for: newSection) else { return [] }
        let isReloaded = update.sectionPutIn(at: newSection)?.role == .reload
        return isReloaded ? [] : oldMap.supplementarySlots(inSection: oldSection)
    }

    private mutating func freshSupplementary(
        _ kind: SupplementaryKind,
        at path: ItemPath
    ) -> SupplementarySlot {
        let range = dataSource.sizeRange(forSupplementaryOfKind: kind, at: path)
        let content = ElementContent(
            model: nil,
            sizeRange: hasLayoutDelegate ? .unconstrained : range ?? viewRange,
            provider: dataSource.supplementaryNodeProvider(ofKind: kind, at: path),
            keepsNode: true
        )
        let element = CollectionElement(kind: kind, content: content, traits: traits)
        let slot = ElementSlot(element, content)
        work.append(PlacedSlot(path: path, slot: slot))
        return SupplementarySlot(kind: kind, item: path.item, slot: slot)
    }

    // MARK: Order of work

    /// What is nearest to the first visible path comes first; what lies ahead before what lies
    /// behind.
    private func orderedWork() -> [ElementSlot] {
        let sorted = work.sorted { $0.path < $1.path }
        guard let viewPath = firstVisiblePath else { return sorted.map(\.slot) }
        // The view may be some updates behind; for an order of work its path is near enough.
        let start = clamped(update.newPath(for: viewPath) ?? viewPath)
        let middle = sorted.firstIndex { $0.path >= start } ?? sorted.count
        var (behind, ahead) = (middle - 1, middle)
        var result: [ElementSlot] = []
        result.reserveCapacity(sorted.count)
        while behind >= 0 || ahead < sorted.count {
            let takesAhead: Bool
            if behind < 0 {
                takesAhead = true
            } else if ahead == sorted.count {
                takesAhead = false
            } else {
                takesAhead =
                    distance(sorted[ahead].path, start) <= distance(start, sorted[behind].path)
            }
            if takesAhead {
                result.append(sorted[ahead].slot)
                ahead += 1
            } else {
                result.append(sorted[behind].slot)
                behind -= 1
            }
        }
        return result
    }

    /// A path of the new map, or just behind the end of one of its sections: any view may answer.
    private func clamped(_ path: ItemPath) -> ItemPath {
        let counts = update.newShape.itemCounts
        let section = min(max(0, path.section), max(0, counts.count - 1))
        let count = counts.isEmpty ? 0 : counts[section]
        return ItemPath(section: section, item: min(max(0, path.item), count))
    }

    /// How far apart two paths are: sections first, and items where the section is the same.
    private func distance(_ far: ItemPath, _ near: ItemPath) -> (Int, Int) {
        let sections = far.section - near.section
        return (sections, sections == 0 ? far.item - near.item : 0)
    }
}
