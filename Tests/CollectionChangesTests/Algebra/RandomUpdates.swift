import CollectionChanges
import TestSupport

/// Draws updates that follow each other. Everything follows from the seed.
struct RandomUpdates {
    var generator: SeededNumbers
    var animations: [AnimationOption] = [.automatic]
    /// One of so many elements is edited.
    var rarity = 6

    init(seed: UInt64) { generator = SeededNumbers(seed: seed) }

    mutating func shape(sections: Int, items: Int) -> HierarchyShape {
        HierarchyShape((0..<below(sections + 1)).map { _ in below(items + 1) })
    }

    /// An update that `standard` accepts, with edits of every kind, from `old` on.
    mutating func next(from old: HierarchyShape) throws -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        let origins = drawSections(old, &changes)
        let counts = drawItems(old, origins, &changes)
        for section in counts.indices where isTrue() {
            let kind: SupplementaryKind = below(2) == 0 ? .header : .footer
            changes.record(.reloadSupplementaries(kind, in: [section], animation()))
        }
        return try changes.validated(from: old, to: HierarchyShape(counts))
    }

    private struct Origin {
        var old: Int?
        var isReloaded = false
    }

    private mutating func drawSections(
        _ old: HierarchyShape,
        _ changes: inout HierarchyChangeSet
    ) -> [Origin] {
        var kept: [Origin] = []
        var moved: [Int] = []
        for section in old.itemCounts.indices {
            guard isTrue() else {
                kept.append(Origin(old: section))
                continue
            }
            switch below(4) {
            case 0: changes.record(.deleteSections([section], animation()))
            case 1:
                changes.record(.reloadSections([section], animation()))
                kept.append(Origin(old: section, isReloaded: true))
            default: moved.append(section)
            }
        }
        let inserted = isTrue() || old.numberOfSections == 0 ? below(3) : 0
        let total = kept.count + moved.count + inserted
        var places = Array(0..<total).shuffled(using: &generator)
        var origins = [Origin?](repeating: nil, count: total)
        for section in moved {
            let place = places.removeLast()
            origins[place] = Origin(old: section)
            changes.record(.moveSection(section, toSection: place, animation()))
        }
        for place in places.prefix(inserted) {
            origins[place] = Origin()
            changes.record(.insertSections([place], animation()))
        }
        var rest = kept[...]
        return origins.map { $0 ?? rest.removeFirst() }
    }

    private mutating func drawItems(
        _ old: HierarchyShape,
        _ origins: [Origin],
        _ changes: inout HierarchyChangeSet
    ) -> [Int] {
        var staying = old.itemCounts
        var coming = [[ItemPath]](repeating: [], count: origins.count)
        let alive = Set(origins.compactMap { $0.isReloaded ? nil : $0.old })
        for (section, count) in old.itemCounts.enumerated() {
            for item in 0..<count where isTrue() {
                let path = ItemPath(section: section, item: item)
                switch below(6) {
                case 0:
                    changes.record(.deleteItems([path], animation()))
                    staying[section] -= 1
                case 1 where alive.contains(section):
                    changes.record(.reloadItems([path], animation()))
                case 2 where alive.contains(section):
                    changes.record(.reconfigureItems([path], animation()))
                default:
                    guard !origins.isEmpty else { continue }
                    let near = origins.firstIndex { $0.old == section }
                    let target = below(2) == 0 ? near ?? 0 : below(origins.count)
                    coming[target].append(path)
                    staying[section] -= 1
                    if below(4) == 0 { changes.record(.reconfigureItems([path], animation())) }
                }
            }
        }
        return origins.enumerated().map { section, origin in
            let isFresh = origin.isReloaded || origin.old == nil
            let base = isFresh ? below(4) : staying[origin.old ?? 0]
            let insertCount = isTrue() ? below(4) : 0
            let count = base + coming[section].count + insertCount
            var slots: [Int] = []
            while slots.count < count - base {
                let slot = below(count)
                if !slots.contains(slot) { slots.append(slot) }
            }
            for path in coming[section] {
                let target = ItemPath(section: section, item: slots.removeLast())
                changes.record(.moveItem(at: path, to: target, animation()))
            }
            for slot in slots {
                changes.record(.insertItems([ItemPath(section: section, item: slot)], animation()))
            }
            return count
        }
    }

    private mutating func isTrue() -> Bool { below(rarity) == 0 }

    private mutating func animation() -> AnimationOption { animations[below(animations.count)] }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
}
