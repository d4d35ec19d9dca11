import CollectionChanges
import TestSupport

/// Draws records that are too large to be enumerated. The seed determines everything.
struct RandomRecords {
    private var random: SeededNumbers
    /// The options to draw from.
    var animations: [AnimationOption]
    /// One in this many elements is edited; `nil` edits about a third of them, mostly by moves.
    var rarity: Int?

    init(seed: UInt64, animations: [AnimationOption] = [.automatic], rarity: Int? = nil) {
        random = SeededNumbers(seed: seed)
        self.animations = animations
        self.rarity = rarity
    }

    struct Draw {
        var changes: HierarchyChangeSet
        var old: HierarchyShape
        var new: HierarchyShape
    }

    mutating func shape(sections: Int, items: Int) -> HierarchyShape {
        HierarchyShape((0..<below(sections + 1)).map { _ in below(items + 1) })
    }

    /// Draws an update with edits and reconfigurations of every kind that `standard` accepts.
    ///
    /// - Parameter thousand: Selects a thousand options that no other value uses; 0 uses three.
    mutating func next(from old: HierarchyShape, options thousand: Int) throws -> ValidatedChangeSet
    {
        animations =
            thousand == 0
            ? [.automatic, .fade, .none]
            : (0..<1_000).map { AnimationOption(rawValue: 1_000 * thousand + $0) }
        let draw = valid(from: old, items: 4, updates: true)
        return try draw.changes.validated(from: draw.old, to: draw.new)
    }

    /// Draws a record that `standard` accepts: edits are drawn first, and the new shape follows
    /// from them.
    ///
    /// - Parameter updates: Whether to add reconfigurations, and repeated edits with new options.
    mutating func valid(sections: Int = 5, items: Int = 6, updates: Bool = false) -> Draw {
        valid(from: shape(sections: sections, items: items), items: items, updates: updates)
    }

    /// Draws one of `fates`, of which the first `edits` are edits.
    private mutating func fate(of fates: Int, edits: Int) -> Int {
        guard let rarity else { return below(fates) }
        return below(rarity) == 0 ? below(edits) : fates
    }

    private mutating func valid(from old: HierarchyShape, items: Int, updates: Bool) -> Draw {
        var operations: [HierarchyChangeSet.Operation] = []

        // Each section stays or is reloaded, deleted or moved.
        var kept: [Int] = []
        var moved: [Int] = []
        var gone: Set<Int> = []
        var reloaded: Set<Int> = []
        for section in old.itemCounts.indices {
            switch fate(of: 10, edits: 4) {
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
        let insertedCount = old.numberOfSections == 0 || below(rarity ?? 1) == 0 ? below(3) : 0
        var origins: [Int?] = Array(repeating: nil, count: kept.count + moved.count + insertedCount)
        var places = Array(origins.indices).shuffled(using: &random)
        for section in moved {
            let place = places.removeLast()
            origins[place] = section
            operations.append(.moveSection(section, toSection: place, animation()))
        }
        for section in places.prefix(insertedCount).sorted() {
            operations.append(.insertSections(SectionSet(section), animation()))
        }
        for (place, section) in zip(places.dropFirst(insertedCount).sorted(), kept) {
            origins[place] = section
        }

        // The same for items; moved ones draw a target section, often their own.
        var survivorCounts = Array(repeating: 0, count: old.numberOfSections)
        var arrivals: [Int: [ItemPath]] = [:]
        for path in old.paths {
            switch fate(of: 12, edits: 4) {
            case 0:
                operations.append(.deleteItems([path], animation()))
            case 1 where !gone.contains(path.section) || reloaded.contains(path.section):
                operations.append(.reloadItems([path], animation()))
                survivorCounts[path.section] += 1
            case 2, 3:
                let own = below(2) == 0 ? origins.firstIndex(of: path.section) : nil
                if let target = own ?? origins.indices.randomElement(using: &random) {
                    arrivals[target, default: []].append(path)
                } else {
                    survivorCounts[path.section] += 1
                }
            default: survivorCounts[path.section] += 1
            }
        }
        var counts: [Int] = []
        for (section, origin) in origins.enumerated() {
            let isNew = origin.map(reloaded.contains) ?? true
            let arriving = arrivals[section] ?? []
            let base = isNew ? below(items) : survivorCounts[origin ?? 0]
            let insertCount = below(rarity ?? 4) == 0 ? below(4) : 0
            let count = base + arriving.count + insertCount
            var slots = Array(0..<count).shuffled(using: &random)
            for path in arriving {
                let target = ItemPath(section: section, item: slots.removeLast())
                operations.append(.moveItem(at: path, to: target, animation()))
            }
            for _ in 0..<insertCount {
                let target = ItemPath(section: section, item: slots.removeLast())
                operations.append(.insertItems([target], animation()))
            }
            counts.append(count)
        }
        let new = HierarchyShape(counts)
        if updates { addUpdates(to: &operations, old, new) }
        return Draw(
            changes: HierarchyChangeSet(operations.shuffled(using: &random)),
            old: old,
            new: new
        )
    }

    private mutating func addUpdates(
        to operations: inout [HierarchyChangeSet.Operation],
        _ old: HierarchyShape,
        _ new: HierarchyShape
    ) {
        for operation in operations where below(4) == 0 {
            switch operation {
            case .reloadItems(let paths, _): operations.append(.reloadItems(paths, animation()))
            case .reloadSections(let sections, _):
                operations.append(.reloadSections(sections, animation()))
            case .moveItem(let from, let to, _):
                operations.append(.moveItem(at: from, to: to, animation()))
            case .moveSection(let from, let to, _):
                operations.append(.moveSection(from, toSection: to, animation()))
            default: continue
            }
        }
        for path in old.paths where below(rarity ?? 6) == 0 {
            operations.append(.reconfigureItems([path], animation()))
        }
        for section in old.itemCounts.indices where below(2 * (rarity ?? 3)) == 0 {
            operations.append(.reconfigureSections([section], animation()))
        }
        for section in new.itemCounts.indices where below(rarity ?? 3) == 0 {
            for _ in 0...below(2) {
                let kind: SupplementaryKind = below(2) == 0 ? .header : .footer
                operations.append(.reloadSupplementaries(kind, in: [section], animation()))
            }
        }
    }

    /// Draws a record that is mostly invalid: a valid one with more operations, with indexes inside
    /// and outside the shapes, or with another shape.
    mutating func mutated() -> Draw {
        var draw = valid(sections: 4, items: 4, updates: true)
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
        switch below(11) {
        case 0: return .deleteItems([path(old), path(old)], animation())
        case 1: return .insertItems([path(new), path(new)], animation())
        case 2: return .reloadItems([path(old), path(old)], animation())
        case 3: return .moveItem(at: path(old), to: path(new), animation())
        case 4: return .deleteSections(sections(old), animation())
        case 5: return .insertSections(sections(new), animation())
        case 6: return .reloadSections(sections(old), animation())
        case 7: return .reconfigureItems([path(old), path(old)], animation())
        case 8: return .reconfigureSections(sections(old), animation())
        case 9: return .reloadSupplementaries(.header, in: sections(new), animation())
        default: return .moveSection(section(old), toSection: section(new), animation())
        }
    }

    private mutating func animation() -> AnimationOption { animations[below(animations.count)] }

    private mutating func below(_ bound: Int) -> Int { random.next(below: bound) }
}
