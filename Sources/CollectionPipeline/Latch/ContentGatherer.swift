import CollectionElements

/// Asks the data source for what a validated change set brings, and builds the new map from it.
///
/// The order of asking is part of the contract: contexts of fresh sections, then the items of fresh
/// sections, then single items, then reconfigured ones, then supplementary elements, each ascending.
/// Nothing outside is changed; the result may be dropped.
struct ContentGatherer {
    let dataSource: any CollectionDataSource
    let dataSourceName: String
    let surroundings: ElementSurroundings
    let update: ValidatedChangeSet
    let oldMap: ElementMap
    let itemLimit: Int
    let ranges: SizeRangeRule
    private let itemMaker: any ItemMaker
    private let firstVisiblePath: ItemPath?
    private let measuringPolicy: PipelineConfiguration.MeasuringPolicy

    var change = ElementMapChange()
    var work = PreparationWork()
    var removedSupplementaries: [CollectionElement] = []
    /// How many supplementary elements the data source said there are.
    var supplementaryCount = 0
    private var nextSectionID: Int
    /// The sections whose content the data source was asked for, by new index.
    var askedSections = SectionSet()

    init(core: PipelineCore, update: ValidatedChangeSet, oldMap: ElementMap) {
        dataSource = core.dataSource
        dataSourceName = core.dataSourceName
        itemMaker = core.itemMaker
        surroundings = core.surroundings
        nextSectionID = core.sourceState.nextSectionID
        ranges = core.sizeRangeRule
        firstVisiblePath = core.view?.firstVisiblePath
        itemLimit = core.configuration.limits.items
        measuringPolicy = core.configuration.measuringPolicy
        self.update = update
        self.oldMap = oldMap
    }

    mutating func gather() throws(UpdateError) -> Latched {
        let generation = oldMap.generation + 1
        try gatherFreshSections()
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
        return Latched(
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

    private mutating func gatherFreshSections() throws(UpdateError) {
        let edits = update.sectionInsertions.filter { $0.role != .move }
        var sections: [CollectionSection] = []
        for edit in edits {
            askedSections.insert(edit.section)
            let context = dataSource.context(forSection: edit.section)
            sections.append(CollectionSection(id: nextSectionID, context: context))
            nextSectionID += 1
        }
        for (edit, section) in zip(edits, sections) {
            var elements: [CollectionElement] = []
            elements.reserveCapacity(edit.freshItemCount)
            for items in update.freshItems(ofSection: edit) {
                try make(items, inSection: edit.section, into: &elements)
            }
            let fresh = ElementMapChange.FreshSection(section: section, elements: elements)
            change.freshSections.append(fresh)
            if itemMaker.makesNodes {
                work.sections.append((edit.section, fresh))
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
            // Neighbours are asked for together.
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
        askedSections.insert(section)
        try itemMaker.make(items, inSection: section, ranges, into: &elements)
    }

    private mutating func gatherReconfigurations() {
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            askedSections.insert(path.section)
            guard let old = oldMap.content(at: reconfiguration.oldPath) else { continue }
            let model = dataSource.model(forItemAt: path)
            // The node may not exist yet, or refuse: then the provider makes one for the model. Where there are
            // no nodes a model is all that can be missing, and its provider says so in step 3.
            let isMissing = !itemMaker.makesNodes && model == nil
            let staysInPlace =
                itemMaker.makesNodes
                ? model.map(old.element.acceptsInPlace) ?? false : !isMissing
            let provider =
                staysInPlace && !surroundings.releasesNodes
                ? nil : provider(forItemAt: path, isMissing: isMissing)
            let content = ElementContent(
                revising: old.element,
                model: model,
                sizeRange: ranges.range(dataSource.sizeRange(forItemAt: path)),
                provider: staysInPlace ? nil : provider,
                keptProvider: surroundings.releasesNodes ? provider : nil,
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
        // A layout delegate measures what it needs itself.
        guard !ranges.isUnconstrained else { return PreparationWork() }
        var work = work
        work.limit = measuringPolicy.limit
        if let viewPath = firstVisiblePath {
            // The view may be some updates behind; for an order of work its path is near enough.
            work.start = update.newShape.place(nearestTo: update.newPath(for: viewPath) ?? viewPath)
        }
        return work
    }
}

extension HierarchyShape {
    /// A path of an item, or just behind the end of a section: any view may answer any.
    func place(nearestTo path: ItemPath) -> ItemPath {
        let section = min(max(0, path.section), max(0, numberOfSections - 1))
        let count = numberOfItems(inSection: section) ?? 0
        return ItemPath(section: section, item: min(max(0, path.item), count))
    }
}
