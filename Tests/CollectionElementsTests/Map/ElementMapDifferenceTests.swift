import CollectionChanges
import CollectionElements
import TestSupport
import Testing

/// The update between any two maps of a history, against the arrays that they stand for.
@Suite("The update between two maps")
struct ElementMapDifferenceTests {
    /// What is wrong with the update from one picture to another; nil where nothing is.
    private func fault(from old: EditedArrays, to new: EditedArrays) throws -> String? {
        let update = new.map.changes(from: old.map)
        if update.oldShape != old.map.shape || update.newShape != new.map.shape { return "shapes" }
        let known = Set(old.items.joined().map(\.element))
        var fresh = 0
        var result = try update.apply(to: old.items) { path in
            fresh += 1
            return new.items[path.section][path.item]
        }
        let expected = new.items.joined().count { !known.contains($0.element) }
        if fresh != expected { return "\(fresh) are new, not \(expected)" }
        for reconfiguration in update.reconfigurations {
            let (from, path) = (reconfiguration.oldPath, reconfiguration.newPath)
            let content = new.items[path.section][path.item]
            if old.items[from.section][from.item].element !== content.element { return "another" }
            if old.items[from.section][from.item] == content { return "\(path) has not changed" }
            result[path.section][path.item] = content
        }
        return result == new.items ? nil : "\(update.edits)"
    }

    @Test(arguments: [0.05, 0.3])
    func leadsFromAnyMapOfAHistoryToAnyOther(_ rate: Double) throws {
        for seed in 0..<UInt64(Effort.number(40, usually: 8)) {
            var random = SeededNumbers(seed: seed)
            var arrays = EditedArrays()
            let first = HierarchyShape([3, 0, 40, 7])
            let load = HierarchyChangeSet([.reloadData()])
            try arrays.apply(load.validated(from: .empty, to: first))
            var kept = [arrays]
            for step in 0..<12 {
                if step == 8 {
                    let shape = arrays.map.shape
                    try arrays.apply(load.validated(from: shape, to: HierarchyShape([4, 2])))
                } else {
                    let drawn = RandomUpdate(from: arrays.map.shape, &random, rate: rate)
                    try arrays.apply(
                        drawn.changes.validated(from: arrays.map.shape, to: drawn.newShape)
                    )
                }
                kept.append(arrays)
                for other in kept {
                    let faults = [
                        try fault(from: other, to: arrays), try fault(from: arrays, to: other),
                    ]
                    #expect(faults == [nil, nil], "seed \(seed), step \(step)")
                }
            }
        }
    }

    @Test func betweenMapsWithoutEditsThereAreNone() throws {
        var arrays = EditedArrays()
        try arrays.apply(
            HierarchyChangeSet([.reloadData()]).validated(from: .empty, to: HierarchyShape([2, 1]))
        )
        let same = arrays.map.withGeneration(7).changes(from: arrays.map)
        #expect(same.edits.isEmpty && same.reconfigurations.isEmpty)
        #expect(same.newShape == HierarchyShape([2, 1]) && !same.isReloadData)
    }

    /// Against a look at every section.
    @Test func sectionsWithOtherSupplementariesAreFound() throws {
        func runs(_ map: ElementMap, _ section: Int) -> [String: [ElementContent]] {
            let runs = map.supplementaries(inSection: section)
            return Dictionary(
                uniqueKeysWithValues: runs.map { ($0.kind.rawValue, Array($0.contents)) }
            )
        }
        var (found, kindsFound) = (0, 0)
        for seed in 0..<UInt64(Effort.number(20, usually: 4)) {
            var history = try MapHistory(seed: seed)
            for _ in 0..<30 {
                try history.advance()
                for old in history.maps {
                    for new in history.maps {
                        let expected = (0..<new.numberOfSections).filter { index in
                            guard let section = new.section(at: index),
                                let former = old.index(of: section)
                            else { return false }
                            return runs(new, index) != runs(old, former)
                        }
                        #expect(new.sectionsWithOtherSupplementaries(from: old) == expected)
                        found += expected.count
                        kindsFound += expected.count {
                            new.supplementaries(inSection: $0).count > 1
                        }
                    }
                }
            }
        }
        #expect(found > 100 && kindsFound > 10)
    }

    private final class InlineReclaimer: MapReclaimer {
        func reclaim(_ release: @escaping @Sendable () -> Void) { release() }
    }

    @Test func mapsOfOneCollectionAreToldFromOthers() {
        let (one, other) = (InlineReclaimer(), InlineReclaimer())
        let map = ElementMap.empty(generation: 0, reclaimer: one)
        #expect(map.emptied(generation: 4).isOfSameCollection(as: map))
        #expect(!map.isOfSameCollection(as: .empty(generation: 0, reclaimer: other)))
    }

    /// One of many sections is looked at, and of that one a few leaves.
    @Test func aSingleMoveIsASingleMove() throws {
        var arrays = EditedArrays()
        let shape = HierarchyShape(Array(repeating: 100, count: 50))
        try arrays.apply(HierarchyChangeSet([.reloadData()]).validated(from: .empty, to: shape))
        let old = arrays.map
        var changes = HierarchyChangeSet()
        changes.moveItem(at: ItemPath(7, 0), to: ItemPath(7, 99))
        try arrays.apply(changes.validated(from: shape, to: shape))
        let update = arrays.map.changes(from: old)
        #expect(
            update.edits.map(\.description) == [
                "remove item 7 - 0 (move with 7 - 99)", "insert item 7 - 99 (move with 7 - 0)",
            ]
        )
    }
}
