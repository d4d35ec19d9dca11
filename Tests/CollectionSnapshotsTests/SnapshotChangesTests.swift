import CollectionChanges
import CollectionSnapshots
import TestSupport
import Testing

/// Compares updates between snapshots with the updates between their identifiers.
struct SnapshotChangesTests {
    private func sections(_ snapshot: Snapshot) -> [(String, [Int])] {
        snapshot.sectionIdentifiers.map {
            ($0, (try? snapshot.itemIdentifiers(inSection: $0)) ?? [])
        }
    }

    private func editCounts(_ update: ValidatedChangeSet) -> [Int] {
        [
            update.itemRemovals.count { $0.role == .move }, update.itemRemovals.count,
            update.sectionRemovals.count { $0.role == .move }, update.sectionRemovals.count,
            update.itemInsertions.count, update.sectionInsertions.count,
        ]
    }

    /// Returns the first fault of the update, or `nil`.
    private func fault(_ old: Snapshot, _ new: Snapshot, _ profile: ValidationProfile) throws
        -> String?
    {
        let update = try new.changes(from: old, profile: profile, animation: .bottom)
        let options = update.itemRemovals.map(\.animation) + update.sectionRemovals.map(\.animation)
        if options.contains(where: { $0 != .bottom }) { return "an edit with the wrong animation" }
        let before = sections(old).map { $0.1 }
        let target = sections(new).map { $0.1 }
        let items = try update.apply(to: before) { target[$0.section][$0.item] }
        if items != target { return "gives \(items), not \(target)" }
        let whole = try ValidatedChangeSet(
            fromIdentifiers: sections(old),
            to: sections(new),
            options: DifferenceOptions(profile: profile)
        )
        if editCounts(update) != editCounts(whole) {
            return "\(editCounts(update)) edits, not \(editCounts(whole))"
        }
        for item in old.itemIdentifiers {
            guard let oldPath = old.path(of: item), let newPath = update.newPath(for: oldPath)
            else {
                continue
            }
            if new.path(of: item) != newPath { return "\(item) becomes another item" }
        }
        // Every item in both snapshots survives if the profile allows every move.
        let both = old.itemIdentifiers.filter { new.containsItem($0) }
        let kept = both.filter { item in
            old.path(of: item).flatMap { update.newPath(for: $0) } != nil
        }
        if profile == .standard, kept != both { return "\(Set(both).subtracting(kept)) is lost" }
        return nil
    }

    /// Returns the first fault of the update to a snapshot with marks. Most marked items have
    /// moved.
    private func markFault(
        _ old: Snapshot,
        _ unmarked: Snapshot,
        _ profile: ValidationProfile,
        _ random: inout SeededNumbers
    ) throws -> String? {
        var new = unmarked
        let items = new.itemIdentifiers.shuffled(using: &random)
        try new.reconfigureItems(items.prefix(6))
        try new.reloadItems(items.suffix(3))
        if random.isTrue(oneIn: 3) { try new.reloadSections(new.sectionIdentifiers.suffix(1)) }
        let update = try new.changes(from: old, profile: profile)
        let target = sections(new).map { $0.1 }
        let result = try update.apply(to: sections(old).map { $0.1 }) {
            target[$0.section][$0.item]
        }
        if result != target { return "gives \(result), not \(target)" }
        func isReplaced(_ oldPath: ItemPath) -> Bool {
            // The item is replaced with its section, which it has not left.
            let section = update.sectionRemovals.first { $0.section == oldPath.section }
            return update.newPath(for: oldPath) == nil && section != nil && section?.role != .move
        }
        for item in new.reloadedItemIdentifiers {
            guard let path = new.path(of: item) else { continue }
            if update.formerPath(of: path) != nil { return "\(item) is not reloaded" }
        }
        var updated: Set<Int> = []
        for item in new.reconfiguredItemIdentifiers {
            guard let oldPath = old.path(of: item), !isReplaced(oldPath) else { continue }
            // In the strict profile some items are deleted and inserted.
            if profile == .standard || update.newPath(for: oldPath) != nil { updated.insert(item) }
        }
        let found = update.reconfigurations.map { old.itemIdentifier(at: $0.oldPath) }
        return Set(found) == Set(updated.map { Int?.some($0) }) && found.count == updated.count
            ? nil : "updates \(found), not \(updated)"
    }

    @Test(arguments: UInt64(1)...6, [ValidationProfile.standard, .strict])
    func anEditedSnapshotGivesTheSameUpdateAsItsIdentifiers(
        seed: UInt64,
        profile: ValidationProfile
    ) throws {
        var random = SeededNumbers(seed: seed)
        let count = seed.isMultiple(of: 2) ? 40 : 900
        let all = (0..<count).map { $0 }
        var old = try Snapshot(
            sections: (0..<6).map { section in
                ("s\(section)", all.filter { $0 * 6 / count == section })
            }
        )
        for step in 0..<Effort.number(400, usually: 40) {
            var new = old
            for _ in 0...random.next(below: 8) {
                let (item, target) = (random.next(below: count), random.next(below: count))
                let (section, other) = (random.next(below: 7), random.next(below: 7))
                switch random.next(below: 11) {
                case 9:
                    let newSection = "t\(random.next(below: 1_000))"
                    try? new.insertSections([newSection], beforeSection: "s\(section)")
                    try? new.appendItems([item, target], toSection: newSection)
                case 10 where !random.isTrue(oneIn: 3):
                    // Deletes a section and moves its first items to another.
                    let ids = new.sectionIdentifiers
                    guard ids.count > 1 else { continue }
                    let gone = ids[random.next(below: ids.count)]
                    let items = try new.itemIdentifiers(inSection: gone).prefix(3)
                    let target = ids.first { $0 != gone }!
                    try new.appendItems(items, toSection: target)
                    try new.deleteSections([gone])
                case 0: try? new.appendSections(["s\(section)"])
                case 1: try? new.moveSection("s\(section)", beforeSection: "s\(other)")
                case 2: if random.isTrue(oneIn: 4) { try new.deleteSections(["s\(section)"]) }
                case 3: try new.deleteItems([item])
                case 4: try? new.insertItems([item], afterItem: target)
                case 5: try? new.appendItems([item, item + 1], toSection: "s\(section)")
                default: try? new.moveItem(item, beforeItem: target)
                }
            }
            let fault = try fault(old, new, profile) ?? markFault(old, new, profile, &random)
            #expect(fault == nil, "seed \(seed), step \(step)")
            if random.isTrue(oneIn: 2) { old = new }
        }
    }

    @Test func marksSetInAnyOrderBecomeOrderedEdits() throws {
        let old = try Snapshot(["a": [1, 2, 3], "b": [4, 5], "c": [6]])
        var new = old
        try new.reconfigureItems([6, 5, 2, 1])
        try new.reloadItems([4, 1])
        try new.reloadSections(["c"])
        try new.appendItems([7], toSection: "a")
        let update = try new.changes(from: old, animation: .fade)
        func items(_ paths: [ItemPath]) -> [Int] { paths.compactMap { old.itemIdentifier(at: $0) } }
        #expect(items(update.reconfigurations.map(\.oldPath)) == [2, 5])
        #expect(items(update.itemRemovals.map(\.path)) == [4, 1])
        #expect(update.itemRemovals.map(\.role) == [.reload, .reload])
        #expect(update.sectionRemovals.map(\.section) == [2])
        #expect(update.sectionRemovals.map(\.role) == [.reload])
        #expect(update.reconfigurations.allSatisfy { $0.animation == .fade })
        // Only the marks of the new snapshot count.
        let back = try old.changes(from: new)
        #expect(back.sectionRemovals.isEmpty && back.reconfigurations.isEmpty)
    }

    @Test func onlyItemsThatLeaveAReloadedSectionSurvive() throws {
        let old = try Snapshot(["a": [1, 2, 3, 4], "b": [5, 6], "c": [7]])
        var new = old
        try new.reloadSections(["a"])
        // 2 leaves, 5 arrives, 9 is new; the others stay and are replaced with the section.
        try new.moveItem(2, beforeItem: 6)
        try new.moveItem(5, afterItem: 3)
        try new.insertItems([9], beforeItem: 1)
        try new.reconfigureItems([7, 3, 6])
        try new.reloadItems([4])
        let update = try new.changes(from: old)
        func isKept(_ item: Int) -> Bool {
            old.path(of: item).flatMap { update.newPath(for: $0) } == new.path(of: item)
        }
        #expect((1...7).filter(isKept) == [2, 5, 6, 7])
        #expect(update.sectionRemovals.map(\.role) == [.reload])
        #expect(
            update.reconfigurations.compactMap { old.itemIdentifier(at: $0.oldPath) } == [6, 7]
        )
        #expect(update.itemRemovals.allSatisfy { $0.role == .move })
    }
}
