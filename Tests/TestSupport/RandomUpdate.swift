import CollectionChanges
import CollectionElements

/// A random valid change set, made by changing an array of arrays and recording the changes.
package struct RandomUpdate {
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

    /// - Parameters:
    ///   - rate: the probability that an item is changed.
    ///   - fates: the number of equally probable fates of a section, three of which are edits.
    package init(
        from old: HierarchyShape,
        _ random: inout some RandomNumberGenerator,
        rate: Double,
        fates: Int = 12
    ) {
        for (index, count) in old.itemCounts.enumerated() {
            decide(index, count, random.next(below: fates), &random, rate: rate)
        }
        inserted(&random, rate: rate, fates: fates)
        record()
    }

    package var newShape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }

    private mutating func decide(
        _ index: Int,
        _ count: Int,
        _ fate: Int,
        _ random: inout some RandomNumberGenerator,
        rate: Double
    ) {
        // 0 deletes the section, 1 reloads it, 2 moves it; edits of kept items would then conflict.
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

    private mutating func inserted(
        _ random: inout some RandomNumberGenerator,
        rate: Double,
        fates: Int
    ) {
        for section in movedSections {
            sections.insert(section, at: random.next(below: sections.count + 1))
        }
        if sections.isEmpty || random.chance(3.6 / Double(fates)) {
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

// The draws of `SeededGenerator`, for tests that are built without the simulator.

extension RandomNumberGenerator {
    /// Returns a random number from 0 up to, but not including, `bound`, which must be positive.
    package mutating func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Returns `true` with a probability of one in `chances`.
    package mutating func isTrue(oneIn chances: Int) -> Bool { next(below: chances) == 0 }

    package mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}

/// Damages bytes at random, to test that a decoder survives any input.
package struct Mutilation {
    private var random: SeededNumbers

    package init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    /// Returns the bytes with some of them changed, doubled, removed or moved.
    package mutating func spoil(_ bytes: [UInt8]) -> [UInt8] {
        var spoiled = bytes
        for _ in 0...random.next(below: 4) {
            let start = random.next(below: spoiled.count + 1)
            let end = min(spoiled.count, start + random.next(below: 6))
            switch random.next(below: 5) {
            case 0: spoiled.removeSubrange(start..<end)
            case 1: spoiled.insert(contentsOf: spoiled[start..<end], at: start)
            case 2: spoiled.insert(UInt8(random.next(below: 256)), at: start)
            case 3:
                let other = random.next(below: spoiled.count + 1)
                spoiled.insert(contentsOf: Array(spoiled[start..<end]), at: other)
            default:
                for index in start..<end { spoiled[index] = UInt8(random.next(below: 256)) }
            }
        }
        return spoiled
    }
}
