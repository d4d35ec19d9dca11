import CollectionChanges

/// A random valid change set, drawn by changing an array of arrays and recording what was done.
package struct RandomUpdate {
    /// What was done.
    package private(set) var changes = HierarchyChangeSet()
    private var sections: [Section] = []
    private var movedItems: [ItemPath] = []
    private var movedSections: [Section] = []

    private struct Section {
        var origin: Int?
        var isMoved = false
        var items: [Item] = []
    }

    private enum Item {
        case kept
        case moved(ItemPath)
        case inserted
    }

    /// - Parameter rate: how likely each item is to be touched.
    package init(from old: HierarchyShape, _ random: inout some RandomNumberGenerator, rate: Double)
    {
        for (index, count) in old.itemCounts.enumerated() {
            decide(index, count, &random, rate: rate)
        }
        inserted(&random, rate: rate)
        record()
    }

    /// The shape that the change set leads to.
    package var newShape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }

    private mutating func decide(
        _ index: Int,
        _ count: Int,
        _ random: inout some RandomNumberGenerator,
        rate: Double
    ) {
        // 0 deletes the section, 1 reloads it, 2 moves it; edits of kept items would then conflict.
        let fate = random.next(below: 12)
        var section = Section(origin: index)
        for item in 0..<count {
            let path = ItemPath(section: index, item: item)
            switch random.chance(rate) ? random.next(below: 4) : 4 {
            case 0 where fate > 1: changes.deleteItems(at: [path])
            case 1: movedItems.append(path)
            case 2 where fate > 1:
                changes.reloadItems(at: [path])
                section.items.append(.kept)
            case 3 where fate > 1:
                changes.reconfigureItems(at: [path])
                section.items.append(.kept)
            default: section.items.append(.kept)
            }
        }
        switch fate {
        case 0: changes.deleteSections([index])
        case 1:
            changes.reloadSections([index])
            section.items = Array(repeating: .kept, count: random.next(below: 8))
            sections.append(section)
        case 2:
            section.isMoved = true
            movedSections.append(section)
        default: sections.append(section)
        }
    }

    private mutating func inserted(_ random: inout some RandomNumberGenerator, rate: Double) {
        for section in movedSections {
            sections.insert(section, at: random.next(below: sections.count + 1))
        }
        if sections.isEmpty || random.chance(0.3) {
            let items = Array(repeating: Item.kept, count: random.next(below: 8))
            sections.insert(Section(items: items), at: random.next(below: sections.count + 1))
        }
        let total = sections.reduce(0) { $0 + $1.items.count }
        let inserted = Int(Double(total) * rate / 4) + random.next(below: 4)
        for item in movedItems.map(Item.moved) + Array(repeating: .inserted, count: inserted) {
            let section = random.next(below: sections.count)
            let position = random.next(below: sections[section].items.count + 1)
            sections[section].items.insert(item, at: position)
        }
    }

    private mutating func record() {
        for (index, section) in sections.enumerated() {
            switch section.origin {
            case nil: changes.insertSections([index])
            case let origin? where section.isMoved: changes.moveSection(origin, toSection: index)
            default: break
            }
            for (item, value) in section.items.enumerated() {
                let path = ItemPath(section: index, item: item)
                switch value {
                case .kept: break
                case .moved(let from): changes.moveItem(at: from, to: path)
                case .inserted where section.origin == nil: break
                case .inserted: changes.insertItems(at: [path])
                }
            }
        }
    }
}
