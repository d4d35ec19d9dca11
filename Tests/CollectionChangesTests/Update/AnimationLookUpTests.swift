import CollectionChanges
import Testing

private func option(_ number: Int) -> AnimationOption { AnimationOption(rawValue: number) }

/// Which edit of a record names a place, read off the record operation by operation. Operations are those of
/// `RandomRecords`, which name one place each, and reconfigurations of whole sections.
private struct NamedPlaces {
    var removed: [ItemPath: AnimationOption] = [:]
    var moved: [ItemPath: (to: ItemPath, AnimationOption)] = [:]
    var arrived: [ItemPath: AnimationOption] = [:]
    var inserted: [ItemPath: AnimationOption] = [:]
    var goneSections: [Int: AnimationOption] = [:]
    var reloadedSections: [Int: AnimationOption] = [:]
    var movedSections: [Int: AnimationOption] = [:]
    var insertedSections: [Int: AnimationOption] = [:]
    var arrivedSections: [Int: AnimationOption] = [:]
    var reconfiguredSections: [Int: AnimationOption] = [:]

    init(_ changes: HierarchyChangeSet) {
        for operation in changes.operations {
            switch operation {
            case .deleteItems(let paths, let option), .reloadItems(let paths, let option):
                removed[paths[0]] = option
            case .insertItems(let paths, let option): inserted[paths[0]] = option
            case .moveItem(let from, let target, let option):
                moved[from] = (target, option)
                arrived[target] = option
            case .deleteSections(let sections, let option):
                for section in sections { goneSections[section] = option }
            case .reloadSections(let sections, let option):
                for section in sections { reloadedSections[section] = option }
            case .insertSections(let sections, let option):
                for section in sections { insertedSections[section] = option }
            case .moveSection(let from, let target, let option):
                movedSections[from] = option
                arrivedSections[target] = option
            case .reconfigureSections(let sections, let option):
                for section in sections { reconfiguredSections[section] = option }
            default: Issue.record("\(operation)")
            }
        }
    }

    func old(_ section: Int) -> AnimationOption? {
        goneSections[section] ?? reloadedSections[section] ?? movedSections[section]
    }

    func old(_ path: ItemPath) -> AnimationOption? {
        if let moved = moved[path] { return moved.1 }
        let section = path.section
        // What a section takes with it is not edited by itself any more.
        if let option = goneSections[section] ?? reloadedSections[section] { return option }
        return removed[path] ?? movedSections[section] ?? reconfiguredSections[section]
    }

    /// - Parameter origin: where the section was that is there now, or that it replaced; nil where it came.
    func new(_ section: Int, _ origin: Int?) -> AnimationOption? {
        insertedSections[section] ?? arrivedSections[section]
            ?? origin.flatMap { reloadedSections[$0] }
    }

    /// - Parameter origin: where the item was that is there now, or that it replaced; nil where it came.
    func new(_ path: ItemPath, _ origin: ItemPath?, section: Int?) -> AnimationOption? {
        if let option = arrived[path] { return option }
        let fresh = insertedSections[path.section] ?? section.flatMap { reloadedSections[$0] }
        if let fresh { return fresh }
        return inserted[path] ?? origin.flatMap { removed[$0] } ?? arrivedSections[path.section]
            ?? section.flatMap { reconfiguredSections[$0] }
    }
}

/// Which option counts for what is at a place.
@Suite struct AnimationLookUpTests {
    @Test func whatNamesAPlaceMostCloselyDecides() throws {
        for seed in UInt64(0)..<400 {
            var records = RandomRecords(seed: seed, animations: (0..<1000).map(option))
            var draw = records.valid(sections: 5, items: 5)
            let named = NamedPlaces(draw.changes)
            for section in draw.old.itemCounts.indices
            where section.isMultiple(of: 2) && named.goneSections[section] == nil
                && named.reloadedSections[section] == nil
            {
                draw.changes.reconfigureSections([section], animation: option(2000 + section))
            }
            let update = try draw.changes.validated(from: draw.old, to: draw.new)
            let model = NamedPlaces(draw.changes)
            for path in draw.old.paths {
                #expect(update.animation(ofOldItem: path) == model.old(path), "\(seed): \(path)")
            }
            for path in draw.new.paths {
                // Of a moved item the section that it came to does not tell.
                let expected = model.new(
                    path,
                    update.oldPath(for: path),
                    section: update.oldSection(for: path.section)
                )
                #expect(update.animation(ofNewItem: path) == expected, "\(seed): \(path)")
            }
            for section in draw.old.itemCounts.indices {
                #expect(update.animation(ofOldSection: section) == model.old(section))
            }
            for section in draw.new.itemCounts.indices {
                let expected = model.new(section, update.oldSection(for: section))
                #expect(update.animation(ofNewSection: section) == expected)
            }
        }
    }

    @Test func aMovedItemThatIsUpdatedInPlaceHasTheOptionOfItsMove() throws {
        var changes = HierarchyChangeSet()
        changes.reconfigureItems(at: [path(0, 0), path(0, 1), path(1, 0)], animation: .top)
        changes.moveItem(at: path(0, 0), to: path(1, 3), animation: .leading)
        changes.moveSection(1, toSection: 0, animation: .fade)
        changes.moveItem(at: path(1, 1), to: path(1, 0), animation: .none)
        let update = try changes.validated(from: [3, 2], to: [1, 4])
        #expect(update.animation(ofOldItem: path(0, 0)) == .leading)
        #expect(update.animation(ofOldItem: path(0, 1)) == .top)
        #expect(update.animation(ofOldItem: path(0, 2)) == nil)
        #expect(update.animation(ofOldItem: path(1, 0)) == .fade)
        #expect(update.animation(ofOldItem: path(1, 1)) == AnimationOption.none)
        let now = [path(0, 0), path(1, 0), path(1, 1), path(1, 2), path(1, 3)]
        #expect(
            now.map { update.animation(ofNewItem: $0) } == [
                .fade, AnimationOption.none, .top, nil, .leading,
            ]
        )
    }

    @Test func whatDoesNotExistIsNamedByNothing() throws {
        var changes = HierarchyChangeSet()
        changes.deleteSections([0], animation: .top)
        changes.insertSections([1], animation: .top)
        changes.reloadSections([2], animation: .top)
        let update = try changes.validated(from: [1, 1, 1], to: [1, 1, 1])
        #expect(update.animation(ofOldItem: path(0, 0)) == .top)
        #expect(update.animation(ofNewItem: path(1, 0)) == .top)
        for path in [path(-1, 0), path(3, 0), path(2, 1), path(2, -1), path(.max, .max)] {
            #expect(update.animation(ofOldItem: path) == nil)
            #expect(update.animation(ofNewItem: path) == nil)
            guard path.section != 2 else { continue }
            #expect(update.animation(ofOldSection: path.section) == nil)
            #expect(update.animation(ofNewSection: path.section) == nil)
        }
    }

    @Test func aReloadOfAllDataNamesEverything() throws {
        var changes = HierarchyChangeSet()
        changes.reloadData(animation: .bottom)
        let update = try changes.validated(from: [1], to: [1, 1])
        #expect(update.animation(ofOldItem: path(0, 0)) == .bottom)
        #expect(update.animation(ofNewItem: path(1, 0)) == .bottom)
        #expect(update.animation(ofOldSection: 0) == .bottom)
        #expect(update.animation(ofNewSection: 1) == .bottom)
    }

    @Test func supplementaryReloadsAreFoundByKindAndNewSection() throws {
        let kinds: [SupplementaryKind] = [.header, .footer, SupplementaryKind(rawValue: "else")]
        for seed in 0..<64 {
            var changes = HierarchyChangeSet()
            changes.deleteSections([0])
            var expected: [String: AnimationOption] = [:]
            // Three kinds in two sections: a bit each.
            for number in 0..<6 where seed >> number & 1 == 1 {
                let (kind, section) = (kinds[number % 3], number / 3)
                expected["\(kind) \(section)"] = option(number)
                changes.reloadSupplementaries(
                    ofKind: kind,
                    in: [section],
                    animation: option(number)
                )
            }
            let update = try changes.validated(from: [1, 1, 1], to: [1, 1])
            for kind in kinds {
                for section in -1...2 {
                    let found = update.animation(ofReloaded: kind, inNewSection: section)
                    #expect(found == expected["\(kind) \(section)"], "\(seed)")
                }
            }
        }
    }
}
