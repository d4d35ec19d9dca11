import CollectionPipeline

extension ReferenceModel {
    /// Changes the model at random, and records exactly that: all kinds of edits at once.
    ///
    /// The old state is taken apart and put together again element by element, which is slow and
    /// obviously right.
    package func edit(_ random: inout SeededGenerator, _ changes: inout BatchRecorder) {
        let old = sections
        var movedItems: [(from: ItemPath, item: ModelItem)] = []
        var deletedSections = SectionSet()
        var movedSections: [(from: Int, section: Section)] = []
        var survivors: [(from: Int, section: Section)] = []
        for (index, section) in old.enumerated() {
            let dice = random.next(below: 20)
            let isDeleted = dice == 0 && old.count > 2
            var kept: [ModelItem] = []
            for (item, value) in section.items.enumerated() {
                let path = ItemPath(section: index, item: item)
                switch random.next(below: 24) {
                case 0:
                    if !isDeleted { changes.deleteItems(at: [path]) }
                case 1:
                    movedItems.append((path, value))
                case 2 where !isDeleted:
                    changes.reloadItems(at: [path])
                    kept.append(freshItem())
                case 3 where !isDeleted:
                    changes.reconfigureItems(at: [path])
                    kept.append(ModelItem(id: value.id, revision: value.revision + 1))
                default:
                    kept.append(value)
                }
            }
            let remaining = Section(id: section.id, items: kept)
            if isDeleted {
                deletedSections.insert(index)
            } else if dice == 1 {
                movedSections.append((index, remaining))
            } else {
                survivors.append((index, remaining))
            }
        }
        changes.deleteSections(deletedSections)
        sections = survivors.map(\.section)
        insertSections(movedSections, &random, &changes)
        insertItems(movedItems, &random, &changes)
        // A record is against what was accepted; from a model that is ahead of that none can be made.
        if isDiverged() { changes.reloadData() }
    }

    /// Puts moved and new sections at random places; records their final indexes.
    private func insertSections(
        _ moved: [(from: Int, section: Section)],
        _ random: inout SeededGenerator,
        _ changes: inout BatchRecorder
    ) {
        var inserted: Set<Int> = []
        for _ in 0..<random.next(below: 2) where sections.count + moved.count < 12 {
            let section = freshSection(random.next(below: 6))
            inserted.insert(section.id)
            sections.insert(section, at: random.next(below: sections.count + 1))
        }
        var sources: [Int: Int] = [:]
        for (from, section) in moved {
            sources[section.id] = from
            sections.insert(section, at: random.next(below: sections.count + 1))
        }
        for (index, section) in sections.enumerated() {
            if inserted.contains(section.id) { changes.insertSections([index]) }
            if let from = sources[section.id] { changes.moveSection(from, toSection: index) }
        }
    }

    /// Puts moved and new items at random places; records their final paths.
    private func insertItems(
        _ moved: [(from: ItemPath, item: ModelItem)],
        _ random: inout SeededGenerator,
        _ changes: inout BatchRecorder
    ) {
        if sections.isEmpty {
            // Nowhere to put them: they are gone.
            for (from, _) in moved { changes.deleteItems(at: [from]) }
            return
        }
        var inserted: Set<Int> = []
        for _ in 0..<random.next(below: 5) {
            let item = freshItem()
            inserted.insert(item.id)
            put(item, &random)
        }
        var sources: [Int: ItemPath] = [:]
        for (from, item) in moved {
            sources[item.id] = from
            put(item, &random)
        }
        for (section, value) in sections.enumerated() {
            for (item, value) in value.items.enumerated() {
                let path = ItemPath(section: section, item: item)
                if inserted.contains(value.id) { changes.insertItems(at: [path]) }
                if let from = sources[value.id] { changes.moveItem(at: from, to: path) }
            }
        }
    }

    private func put(_ item: ModelItem, _ random: inout SeededGenerator) {
        let section = random.next(below: sections.count)
        replaceItems(of: section) { items in
            items.insert(item, at: random.next(below: items.count + 1))
        }
    }

    /// Changes the model and records something else.
    package func lie(_ random: inout SeededGenerator, _ changes: inout BatchRecorder) {
        if !sections.isEmpty {
            let item = freshItem()
            replaceItems(of: 0) { $0.append(item) }
        }
        changes.deleteItems(at: [ItemPath(section: random.next(below: 3), item: 0)])
        changes.insertItems(at: [ItemPath(section: 99, item: -1)])
    }

    /// Replaces a section by one with other items.
    ///
    /// - Returns: which; nil where there is none.
    package func replaceSection(_ random: inout SeededGenerator) -> Int? {
        guard !sections.isEmpty else { return nil }
        let section = random.next(below: sections.count)
        sections[section] = freshSection(random.next(below: 6))
        return section
    }

    /// Changes what some items show, and records it.
    package func reconfigureSome(
        _ random: inout SeededGenerator,
        _ changes: inout BatchRecorder
    ) {
        for (section, value) in sections.enumerated() {
            for item in value.items.indices where random.isTrue(oneIn: 3) {
                changes.reconfigureItems(at: [ItemPath(section: section, item: item)])
                replaceItems(of: section) { $0[item].revision += 1 }
            }
        }
    }

    package func insertAtTop() -> ItemPath? {
        guard !sections.isEmpty else { return nil }
        let item = freshItem()
        replaceItems(of: 0) { $0.insert(item, at: 0) }
        return ItemPath(section: 0, item: 0)
    }
}
