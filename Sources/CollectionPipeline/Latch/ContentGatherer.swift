import CollectionElements
import PersistentTrees

/// Reads the content of a validated change set from the data source, and creates the new map.
///
/// The order of calls is part of the contract: contexts of new sections, then the items of new
/// sections, then single items, then reconfigured items, then supplementary elements, each
/// ascending. Nothing outside this value changes; the result may be dropped.
struct ContentGatherer {
    let dataSource: any CollectionDataSource
    let dataSourceName: String
    let elementEnvironment: ElementEnvironment
    let update: ValidatedChangeSet
    let oldMap: ElementMap
    let itemLimit: Int
    let ranges: SizeRangeRule
    private let itemMaker: any ItemMaker
    private let firstVisiblePath: ItemPath?
    private let measuringPolicy: PipelineConfiguration.MeasuringPolicy

    private var change = ElementMapChange()
    private var work = PreparationWork()
    private var removedSupplementaries: [CollectionElement] = []
    /// The number of supplementary elements that the data source has returned counts for.
    private var supplementaryCount = 0
    private var nextSectionID: Int
    /// The sections whose content was read from the data source, by new index.
    var sectionsRead = SectionSet()

    init(core: PipelineCore, update: ValidatedChangeSet, oldMap: ElementMap) {
        dataSource = core.dataSource
        dataSourceName = core.dataSourceName
        itemMaker = core.itemMaker
        elementEnvironment = core.elementEnvironment
        nextSectionID = core.sourceState.nextSectionID
        ranges = core.sizeRangeRule
        firstVisiblePath = core.view?.firstVisiblePath
        itemLimit = core.configuration.limits.items
        measuringPolicy = core.configuration.measuringPolicy
        self.update = update
        self.oldMap = oldMap
    }

    mutating func gather() throws(UpdateError) -> LatchedChangeSet {
        let generation = oldMap.generation + 1
        try gatherInsertedSections()
        try gatherInsertedItems()
        gatherReconfigurations()
        try gatherSupplementaries()
        let isUntouched =
            update.edits.isEmpty && change.reconfiguredContents.isEmpty
            && change.supplementaries.isEmpty
        let map =
            isUntouched
            ? oldMap.withGeneration(generation)
            : oldMap.applying(update, change, generation: generation)
        return LatchedChangeSet(
            update: update,
            map: map,
            work: plannedWork(),
            reconfigured: change.reconfiguredContents,
            removedSupplementaries: removedSupplementaries,
            ranges: ranges,
            nextSectionID: nextSectionID
        )
    }

    // MARK: Items

    private mutating func gatherInsertedSections() throws(UpdateError) {
        let edits = update.sectionInsertions.filter { $0.role != .move }
        var sections: [CollectionSection] = []
        for edit in edits {
            sectionsRead.insert(edit.section)
            let sectionContext = dataSource.context(forSection: edit.section)
            sections.append(CollectionSection(id: nextSectionID, sectionContext: sectionContext))
            nextSectionID += 1
        }
        for (edit, section) in zip(edits, sections) {
            var elements: [CollectionElement] = []
            elements.reserveCapacity(edit.newItemCount)
            for items in update.newItems(ofSection: edit) {
                try make(items, inSection: edit.section, into: &elements)
            }
            let inserted = ElementMapChange.InsertedSection(section: section, elements: elements)
            change.insertedSections.append(inserted)
            if itemMaker.makesNodes {
                work.sections.append((edit.section, inserted))
            }
        }
    }

    private mutating func gatherInsertedItems() throws(UpdateError) {
        let edits = update.itemInsertions
        change.insertedItems.reserveCapacity(edits.count)
        var elements: [CollectionElement] = []
        var position = 0
        while position < edits.count {
            guard edits[position].role != .move else {
                change.insertedItems.append(nil)
                position += 1
                continue
            }
            // Neighbouring items are requested together.
            let first = edits[position].path
            var end = position + 1
            while end < edits.count, edits[end].role != .move,
                edits[end].path
                    == ItemPath(section: first.section, item: first.item + end - position)
            {
                end += 1
            }
            elements.removeAll(keepingCapacity: true)
            let items = first.item..<(first.item + end - position)
            try make(items, inSection: first.section, into: &elements)
            for (item, element) in zip(items, elements) {
                change.insertedItems.append(element)
                guard itemMaker.makesNodes else { continue }
                let path = ItemPath(section: first.section, item: item)
                work.singles.append((path, element.firstContent))
            }
            position = end
        }
    }

    private mutating func make(
        _ items: Range<Int>,
        inSection section: Int,
        into elements: inout [CollectionElement]
    ) throws(UpdateError) {
        sectionsRead.insert(section)
        try itemMaker.make(items, inSection: section, ranges, into: &elements)
    }

    private mutating func gatherReconfigurations() {
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            sectionsRead.insert(path.section)
            guard let old = oldMap.content(at: reconfiguration.oldPath) else { continue }
            let model = dataSource.model(forItemAt: path)
            // The node may not exist yet or refuse the model. Then the provider creates a node for
            // the model. Without nodes only the model can be missing; its provider throws that
            // error in step 3.
            let isMissing = !itemMaker.makesNodes && model == nil
            let staysInPlace =
                itemMaker.makesNodes
                ? model.map(old.element.acceptsInPlace) ?? false : !isMissing
            let provider =
                staysInPlace && !elementEnvironment.releasesNodes
                ? nil : provider(forItemAt: path, isMissing: isMissing)
            let content = ElementContent(
                revising: old.element,
                model: model,
                sizeRange: ranges.range(dataSource.sizeRange(forItemAt: path)),
                provider: staysInPlace ? nil : provider,
                keptProvider: elementEnvironment.releasesNodes ? provider : nil,
                previousSize: old.size
            )
            change.reconfiguredContents.append(content)
            if itemMaker.makesNodes || isMissing {
                work.singles.append((path, content))
            }
        }
    }

    private func provider(forItemAt path: ItemPath, isMissing: Bool) -> NodeProvider {
        guard isMissing else { return dataSource.nodeProvider(forItemAt: path) }
        return { throw MissingModel(path: path) }
    }

    // MARK: Order of work

    private func plannedWork() -> PreparationWork {
        // A layout delegate measures the elements that it needs itself.
        guard !ranges.isUnconstrained else { return PreparationWork() }
        var work = work
        work.limit = measuringPolicy.limit
        if let viewPath = firstVisiblePath {
            // The view may be some updates behind; its path is precise enough for an order of work.
            work.start = update.newShape.place(nearestTo: update.newPath(for: viewPath) ?? viewPath)
        }
        return work
    }
}

extension HierarchyShape {
    /// Returns the path of an item near `path`, or the path after the last item of a section. It
    /// accepts any path, because a view may return any.
    func place(nearestTo path: ItemPath) -> ItemPath {
        let section = min(max(0, path.section), max(0, numberOfSections - 1))
        let count = numberOfItems(inSection: section) ?? 0
        return ItemPath(section: section, item: min(max(0, path.item), count))
    }
}

// Supplementary elements are read only for sections with edits. The gatherer compares the number of
// elements of each kind with the data source's current count, and adds or removes elements at the
// end.

extension ContentGatherer {
    private mutating func gatherSupplementaries() throws(UpdateError) {
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
        sectionsRead.insert(newSection)
        var runs: [(kept: SupplementaryRun, added: [CollectionElement])] = []
        var isChanged = existing.contains { !kinds.contains($0.kind) }
        for kind in kinds.sorted() {
            let count = try numberOfSupplementaries(kind, newSection)
            var run = existing.first { $0.kind == kind } ?? SupplementaryRun(kind: kind)
            let kept = reloadedKinds.contains(kind) ? 0 : min(count, run.contents.count)
            isChanged = isChanged || kept < count || kept < run.contents.count
            let added = (kept..<count).map {
                insertedSupplementary(kind, at: ItemPath(section: newSection, item: $0))
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
                        + " must not be negative, but the data source returned \(count)",
                    section: newSection,
                    summary: "section \(newSection): the data source returned \(count) of kind"
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
                        + " must be at most \(itemLimit) together with those counted before, but the"
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

    private mutating func insertedSupplementary(
        _ kind: SupplementaryKind,
        at path: ItemPath
    ) -> CollectionElement {
        let range = ranges.range(dataSource.sizeRange(forSupplementaryOfKind: kind, at: path))
        let element = ProvidedElement(
            model: nil,
            provider: dataSource.supplementaryNodeProvider(ofKind: kind, at: path),
            configuration: ElementConfiguration(
                kind: kind,
                sizeRange: range,
                elementEnvironment: elementEnvironment
            )
        )
        work.singles.append((path, element.firstContent))
        return element
    }
}

extension ValidatedChangeSet {
    /// The new indexes of the sections that are new or have edits. Only their supplementary
    /// elements may have changed.
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

/// The result of step 1 for a change set, before anything is changed.
struct LatchedChangeSet {
    var update: ValidatedChangeSet
    /// Whether this is a first load instead of the recorded edits, because there was nothing to
    /// edit.
    var isLoadInsteadOfEdits = false
    var map: ElementMap
    var work = PreparationWork()
    var reconfigured: [ElementContent] = []
    var remeasured: [ElementContent] = []
    /// The contents that were requested: deferred by earlier change sets and measured by this one,
    /// or measured again.
    var requested: Set<ElementContent> = []
    /// The supplementary elements that are removed without a removal of their item or section,
    /// because there are fewer of their kind, or the kind was reloaded or removed.
    var removedSupplementaries: [CollectionElement] = []
    var remeasuredPlaces: [ElementPlace] = []
    var layoutContext: (any Sendable)?
    /// The rule by which size ranges were requested; `nil` if no size range was requested.
    var ranges: SizeRangeRule?
    /// The size range or the layout context that the change set's elements are measured for; `nil`
    /// if nothing is measured.
    var conditions: RelayoutLedger.MeasuringConditions?
    /// Whether these conditions differ from those that all other elements were measured for.
    var hasOtherConditions = false
    /// Whether no element remains that was measured for an earlier size range.
    var remeasuresEverything = false
    var nextSectionID: Int
    /// Whether the map has the counts of the data source, or the next submission reads everything.
    var accountsForCounts = false
    /// Whether the new content was read from the data source, so that the two can be compared.
    var isFromDataSource = false
}
