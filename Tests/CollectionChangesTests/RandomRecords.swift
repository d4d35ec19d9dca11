import CollectionChanges
import TestSupport

/// Draws records that are too large to be enumerated. The seed determines everything.
struct RandomRecords {
    private var random: SeededNumbers
    /// The options to draw from.
    var animations: [AnimationOption]
    /// One in this many elements is edited; `nil` edits about a third of them.
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
        let draw = valid(from: old, updates: true)
        return try draw.changes.validated(from: draw.old, to: draw.new)
    }

    /// Draws a record that `standard` accepts.
    ///
    /// - Parameter updates: Whether to add reconfigurations, and repeated edits with new options.
    mutating func valid(sections: Int = 5, items: Int = 6, updates: Bool = false) -> Draw {
        valid(from: shape(sections: sections, items: items), updates: updates)
    }

    private mutating func valid(from old: HierarchyShape, updates: Bool) -> Draw {
        let update = RandomUpdate(
            from: old,
            &random,
            rate: 1 / Double(rarity ?? 3),
            fates: rarity.map { 3 * $0 } ?? 12
        )
        let new = update.newShape
        var operations = update.changes.apart { animation() }
        addRedundantEdits(to: &operations, old, new)
        if updates {
            addUpdates(to: &operations, old, new)
        } else {
            operations.removeAll { if case .reconfigureItems = $0 { true } else { false } }
        }
        let changes = HierarchyChangeSet(operations.shuffled(using: &random))
        return Draw(changes: changes, old: old, new: new)
    }

    /// Adds edits of single items in sections that are deleted or inserted as a whole.
    private mutating func addRedundantEdits(
        to operations: inout [HierarchyChangeSet.Operation],
        _ old: HierarchyShape,
        _ new: HierarchyShape
    ) {
        let moves = operations.compactMap { operation -> (from: ItemPath, to: ItemPath)? in
            if case .moveItem(let from, let to, _) = operation { (from, to) } else { nil }
        }
        for operation in operations {
            switch operation {
            case .deleteSections(let sections, _):
                for path in old.paths where sections.contains(path.section) {
                    guard below(4) == 0, !moves.contains(where: { $0.from == path }) else {
                        continue
                    }
                    operations.append(.deleteItems([path], animation()))
                }
            case .insertSections(let sections, _):
                for path in new.paths where sections.contains(path.section) {
                    guard below(4) == 0, !moves.contains(where: { $0.to == path }) else {
                        continue
                    }
                    operations.append(.insertItems([path], animation()))
                }
            default: continue
            }
        }
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
