import CollectionChanges
import TestSupport
import Testing

/// Records and shapes that are too long to be enumerated: those that are sorted by bytes, and
/// compared wholesale.
@Suite struct LongRecordTests {
    private static let extremes = [
        Int.min, Int.min + 1, -(1 << 40), -65_537, -256, -1, Int.max - 1, Int.max, 1 << 40, 65_536,
    ]

    @Test func longRandomRecordsAreJudgedLikeTheModel() {
        var tally = Tally()
        for seed in UInt64(0)..<25 {
            var records = RandomRecords(seed: seed)
            let draw = records.valid(sections: 60, items: 40)
            tally.compare(draw.changes, draw.old, draw.new, note: "seed \(seed): ")
        }
        tally.finish()
    }

    /// Lengths about the one from which on lists are sorted in another way.
    @Test(arguments: [10, 63, 64, 65, 66, 300, 3_000], [(3, 1_000_000), (70_000, 60), (300, 300)])
    func editsAreOrderedHoweverManyThereAre(count: Int, shape: (sections: Int, items: Int)) throws {
        var generator = SeededNumbers(seed: UInt64(count))
        var paths: Set<ItemPath> = []
        while paths.count < count {
            paths.insert(
                ItemPath(
                    section: Int.random(in: 0..<shape.sections, using: &generator),
                    item: Int.random(in: 0..<shape.items, using: &generator)
                )
            )
        }
        let sorted = paths.sorted()
        var deletes = HierarchyChangeSet()
        var inserts = HierarchyChangeSet()
        for path in sorted.shuffled(using: &generator) {
            deletes.deleteItems(at: [path])
            inserts.insertItems(at: [path])
        }
        let long = HierarchyShape(Array(repeating: shape.items, count: shape.sections))
        var counts = long.itemCounts
        for path in paths { counts[path.section] -= 1 }
        let short = HierarchyShape(counts)
        let limits = ShapeLimits(items: .max)
        for profile in ValidationProfile.allCases {
            let shrinking = try deletes.validated(
                from: long,
                to: short,
                profile: profile,
                limits: limits
            )
            #expect(shrinking.itemRemovals.map(\.path) == sorted.reversed())
            let growing = try inserts.validated(
                from: short,
                to: long,
                profile: profile,
                limits: limits
            )
            #expect(growing.itemInsertions.map(\.path) == sorted)
        }
    }

    @Test func ofManyRepeatedReloadsTheLastRecordedOnesCount() throws {
        var generator = SeededNumbers(seed: 1)
        let shape = HierarchyShape(Array(repeating: 300, count: 3))
        var changes = HierarchyChangeSet()
        var expected: [ItemPath: AnimationOption] = [:]
        for index in 0..<2_000 {
            let section = Int.random(in: 0..<3, using: &generator)
            let path = ItemPath(section: section, item: .random(in: 0..<300, using: &generator))
            expected[path] = AnimationOption(rawValue: index)
            changes.reloadItems(at: [path], animation: AnimationOption(rawValue: index))
        }
        for profile in ValidationProfile.allCases {
            let update = try changes.validated(from: shape, to: shape, profile: profile)
            #expect(update.itemRemovals.count == expected.count)
            for edit in update.itemRemovals { #expect(edit.animation == expected[edit.path]) }
        }
    }

    @Test func amongManyExtremePathsTheHighestDeleteAndTheLowestInsertAreAtFault() {
        var generator = SeededNumbers(seed: 2)
        for count in [60, 200] {
            let paths = (0..<count).map { _ in
                ItemPath(
                    section: Self.extremes.randomElement(using: &generator) ?? 0,
                    item: Self.extremes.randomElement(using: &generator) ?? 0
                )
            }
            let shape: HierarchyShape = [1]
            for profile in [ValidationProfile.standard, .strict] {
                let delete = fault(.deleteItems(paths, .none), shape, shape, profile)
                #expect(delete?.path == paths.max())
                let insert = fault(.insertItems(paths, .none), shape, shape, profile)
                #expect(insert?.path == paths.min())
            }
        }
    }

    @Test func theRepeatedOneAmongManyIsNamedWithItsOperation() {
        let shape = HierarchyShape([1_000])
        var paths = (0..<200).map { ItemPath(section: 0, item: ($0 * 7_919) % 1_000) }
        paths.append(paths[120])
        let deletes = paths.map { HierarchyChangeSet.Operation.deleteItems([$0], .none) }
        do {
            _ = try HierarchyChangeSet(deletes).validated(from: shape, to: [800])
            Issue.record("accepted")
        } catch {
            #expect(error.code == .duplicateDeleteItem)
            #expect(error.path == paths[120])
            // Descending, the one recorded last comes first.
            #expect(error.operationIndex == 200)
        }
    }

    @Test(arguments: [1, 15, 16, 17, 33, 100])
    func everyCountThatDoesNotComeOutIsFound(sections: Int) {
        let counts = Array(repeating: 3, count: sections)
        var moved = HierarchyChangeSet()
        moved.deleteSections([0])
        moved.insertSections([sections / 2])
        var edited = HierarchyChangeSet()
        edited.deleteItems(at: [ItemPath(section: sections / 3, item: 0)])
        edited.insertItems(at: [ItemPath(section: sections / 3, item: 1)])
        for changes in [HierarchyChangeSet(), moved, edited] {
            for section in 0..<sections {
                var wrong = counts
                wrong[section] += 1
                if section + 9 < sections { wrong[section + 9] += 1 }
                do {
                    _ = try changes.validated(
                        from: HierarchyShape(counts),
                        to: HierarchyShape(wrong)
                    )
                    // An inserted section may have any count.
                    #expect(changes == moved && section == sections / 2 && section + 9 >= sections)
                } catch {
                    #expect(error.code == .itemCount)
                    let isInserted = changes == moved && section == sections / 2
                    #expect(error.section == (isInserted ? section + 9 : section))
                }
            }
        }
    }

    private func fault(
        _ operation: HierarchyChangeSet.Operation,
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        _ profile: ValidationProfile
    ) -> HierarchyUpdateError? {
        refusal { () throws(HierarchyUpdateError) in
            try HierarchyChangeSet([operation]).validated(from: old, to: new, profile: profile)
        }
    }
}
