import CollectionChanges
import TestSupport

/// Draws records larger than can be enumerated. Everything follows from the seed.
struct RandomRecords {
    private var generator: SeededNumbers
    private let animations: [AnimationOption]

    /// - Parameter animations: what each operation draws its option from.
    init(seed: UInt64, animations: [AnimationOption] = [.automatic]) {
        generator = SeededNumbers(seed: seed)
        self.animations = animations
    }

    struct Draw {
        var changes: HierarchyChangeSet
        var old: HierarchyShape
        var new: HierarchyShape
    }

    /// A record that `standard` accepts: fates are drawn first, and the new shape follows from
    /// them.
    mutating func valid(sections: Int = 5, items: Int = 6) -> Draw {
        var operations: [HierarchyChangeSet.Operation] = []
        let old = shape(sections: sections, items: items)

        // Sections: each stays, is reloaded, deleted or moved.
        var kept: [Int] = []
        var moved: [Int] = []
        var gone: Set<Int> = []
        var reloaded: Set<Int> = []
        for section in old.itemCounts.indices {
            switch below(10) {
            case 0:
                operations.append(.deleteSections(SectionSet(section), animation()))
                gone.insert(section)
            case 1:
                operations.append(.reloadSections(SectionSet(section), animation()))
                gone.insert(section)
                reloaded.insert(section)
                kept.append(section)
            case 2, 3: moved.append(section)
            default: kept.append(section)
            }
        }
        let insertedCount = below(3)
        var origins: [Int?] = Array(repeating: nil, count: kept.count + moved.count + insertedCount)
        var places = Array(origins.indices).shuffled(using: &generator)
        for section in moved {
            let place = places.removeLast()
            origins[place] = section
            operations.append(.moveSection(section, toSection: place, animation()))
        }
        let inserted = Set(places.prefix(insertedCount))
        for section in inserted.sorted() {
            operations.append(.insertSections(SectionSet(section), animation()))
        }
        for (place, section) in zip(places.dropFirst(insertedCount).sorted(), kept) {
            origins[place] = section
        }

        // Items: likewise, and moved ones draw a section to go to.
        var survivorCounts = Array(repeating: 0, count: old.numberOfSections)
        var arrivals: [Int: [ItemPath]] = [:]
        for path in old.paths {
            switch below(12) {
            case 0:
                operations.append(.deleteItems([path], animation()))
            case 1 where !gone.contains(path.section) || reloaded.contains(path.section):
                operations.append(.reloadItems([path], animation()))
                survivorCounts[path.section] += 1
            case 2, 3:
                if let target = origins.indices.randomElement(using: &generator) {
                    arrivals[target, default: []].append(path)
                } else {
                    survivorCounts[path.section] += 1
                }
            default: survivorCounts[path.section] += 1
            }
        }
        var counts: [Int] = []
        for (section, origin) in origins.enumerated() {
            let isFresh = origin.map(reloaded.contains) ?? true
            let coming = arrivals[section] ?? []
            let base = isFresh ? below(items) : survivorCounts[origin ?? 0]
            let insertCount = below(4) == 0 ? below(3) : 0
            let count = base + coming.count + insertCount
            var slots = Array(0..<count).shuffled(using: &generator)
            for path in coming {
                let target = ItemPath(section: section, item: slots.removeLast())
                operations.append(.moveItem(at: path, to: target, animation()))
            }
            for _ in 0..<insertCount {
                let target = ItemPath(section: section, item: slots.removeLast())
                operations.append(.insertItems([target], animation()))
            }
            counts.append(count)
        }
        return Draw(
            changes: HierarchyChangeSet(operations.shuffled(using: &generator)),
            old: old,
            new: HierarchyShape(counts)
        )
    }

    /// A valid record with something wrong in it, mostly: further operations with indexes in and
    /// around the shapes, or another shape.
    mutating func spoilt() -> Draw {
        var draw = valid(sections: 4, items: 4)
        if below(3) == 0 {
            draw.new = shape(sections: 4, items: 4)
        } else {
            for _ in 0...below(3) {
                draw.changes.record(noise(draw.old.numberOfSections, draw.new.numberOfSections))
            }
        }
        return draw
    }

    private mutating func noise(_ old: Int, _ new: Int) -> HierarchyChangeSet.Operation {
        func path(_ sections: Int) -> ItemPath {
            ItemPath(section: section(sections), item: below(7) - 1)
        }
        func section(_ sections: Int) -> Int { below(sections + 5) - 2 }
        func sections(_ count: Int) -> SectionSet {
            SectionSet((0...below(4)).map { _ in section(count) })
        }
        switch below(8) {
        case 0: return .deleteItems([path(old), path(old)], animation())
        case 1: return .insertItems([path(new), path(new)], animation())
        case 2: return .reloadItems([path(old), path(old)], animation())
        case 3: return .moveItem(at: path(old), to: path(new), animation())
        case 4: return .deleteSections(sections(old), animation())
        case 5: return .insertSections(sections(new), animation())
        case 6: return .reloadSections(sections(old), animation())
        default: return .moveSection(section(old), toSection: section(new), animation())
        }
    }

    private mutating func shape(sections: Int, items: Int) -> HierarchyShape {
        HierarchyShape((0..<below(sections + 1)).map { _ in below(items + 1) })
    }

    private mutating func animation() -> AnimationOption { animations[below(animations.count)] }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }
}
