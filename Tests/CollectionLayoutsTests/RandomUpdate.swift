import CollectionChanges
import PipelineTestSupport

/// A random valid change set, made by changing an array of arrays and recording what was done.
struct RandomUpdate {
    var changes = HierarchyChangeSet()
    private(set) var newShape: HierarchyShape

    private struct Section {
        var origin: Int?
        var isMoved = false
        var items: [Item]
    }

    private enum Item {
        case kept
        case moved(ItemPath)
        case inserted
    }

    /// - Parameter rate: how likely each item is to be touched.
    init(from old: HierarchyShape, _ random: inout SeededGenerator, rate: Double) {
        newShape = old
        var sections: [Section] = []
        var movedItems: [ItemPath] = []
        var movedSections: [Section] = []
        for (index, count) in old.itemCounts.enumerated() {
            let fate = random.next(below: 12)
            var items: [Item] = []
            for item in 0..<count {
                let path = ItemPath(section: index, item: item)
                guard random.chance(rate) else {
                    items.append(.kept)
                    continue
                }
                switch random.next(below: 4) {
                case 0 where fate > 1:
                    changes.deleteItems(at: [path])
                case 1:
                    movedItems.append(path)
                case 2 where fate > 1:
                    changes.reloadItems(at: [path])
                    items.append(.kept)
                case 3 where fate > 1:
                    changes.reconfigureItems(at: [path])
                    items.append(.kept)
                default:
                    items.append(.kept)
                }
            }
            let section = Section(origin: index, items: items)
            switch fate {
            case 0:
                changes.deleteSections([index])
            case 1:
                changes.reloadSections([index])
                let count = random.next(below: 8)
                sections.append(
                    Section(origin: index, items: Array(repeating: .kept, count: count))
                )
            case 2:
                movedSections.append(Section(origin: index, isMoved: true, items: items))
            default:
                sections.append(section)
            }
        }
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
        record(sections)
    }

    private mutating func record(_ sections: [Section]) {
        for (index, section) in sections.enumerated() {
            switch section.origin {
            case nil: changes.insertSections([index])
            case let origin? where section.isMoved: changes.moveSection(origin, to: index)
            default: break
            }
            for (item, value) in section.items.enumerated() {
                let path = ItemPath(section: index, item: item)
                switch value {
                case .kept: break
                case .moved(let from): changes.moveItem(from: from, to: path)
                case .inserted where section.origin == nil: break
                case .inserted: changes.insertItems(at: [path])
                }
            }
        }
        newShape = HierarchyShape(sections.map(\.items.count))
    }
}
