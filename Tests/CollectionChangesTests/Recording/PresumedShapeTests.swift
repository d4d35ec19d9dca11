import CollectionChanges
import TestSupport
import Testing

/// The shape that follows from a record and a few counts, against a plain model that moves whole
/// sections about.
@Suite struct PresumedShapeTests {
    @Test(arguments: everyShape(sections: 2, itemsEach: 1, items: 2))
    func everyRecordOfThreeOperationsMatchesTheModel(old: HierarchyShape) {
        var mismatches = Mismatches()
        for new in everyShape(sections: 2, itemsEach: 1, items: 2) {
            let operations = elementaryOperations(from: old, to: new, beyond: true)
            withEveryRecord(of: operations, upTo: 2) { mismatches.compare($0, old, new) }
            let existing = elementaryOperations(from: old, to: new, beyond: false)
            withEveryRecord(of: existing, upTo: 3) { mismatches.compare($0, old, new) }
        }
        mismatches.finish()
    }

    @Test(arguments: everyShape(sections: 3, itemsEach: 1, items: 1))
    func everyConsistentRecordOfThreeSectionsMatchesTheModel(old: HierarchyShape) {
        var mismatches = Mismatches()
        for new in everyShape(sections: 3, itemsEach: 1, items: 1) {
            withEveryConsistentRecord(from: old, to: new) { mismatches.compare($0, old, new) }
        }
        mismatches.finish()
    }

    @Test func randomRecordsMatchTheModel() {
        var mismatches = Mismatches()
        for seed in UInt64(0)..<Effort.number(2_000, usually: 300) {
            var records = RandomRecords(seed: seed)
            let draw = seed.isMultiple(of: 2) ? records.valid(sections: 9) : records.spoilt()
            mismatches.compare(draw.changes, draw.old, draw.new, note: "seed \(seed): ")
        }
        mismatches.finish()
    }

    /// A valid record accounts for every difference, so no section need be named.
    @Test func validRecordGivesTheNewShapeByItself() {
        for seed in UInt64(0)..<Effort.number(1_000, usually: 100) {
            var records = RandomRecords(seed: seed)
            let draw = records.valid(sections: 80, items: 3)
            let shape = presumed(draw.changes, draw.old, draw.new).shape
            #expect(shape == draw.new, "seed \(seed)")
        }
    }

    // MARK: What is asked

    @Test func onlyTouchedSectionsAreAskedForAscendingAndOnce() {
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(section: 190, item: 0), ItemPath(section: 3, item: 0)])
        changes.deleteItems(at: [ItemPath(section: 190, item: 0), ItemPath(section: 64, item: 0)])
        changes.moveItem(at: ItemPath(section: 7, item: 0), to: ItemPath(section: 8, item: 0))
        changes.reloadItems(at: [ItemPath(section: 63, item: 0)])
        changes.reconfigureItems(at: [ItemPath(section: 128, item: 0)])
        changes.reloadSupplementaries(ofKind: .header, in: [5])
        let old = HierarchyShape(Array(repeating: 2, count: 200))
        let result = presumed(changes, old, old, naming: [100, 7, 199])
        #expect(result.asked == [3, 7, 8, 63, 64, 100, 128, 190, 199])
    }

    @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129])
    func everySectionCanBeTouchedHoweverManyThereAre(count: Int) {
        let old = HierarchyShape(Array(repeating: 2, count: count))
        let result = presumed(HierarchyChangeSet(), old, old, naming: SectionSet(0..<count))
        #expect(result.asked == Array(0..<count))
    }

    @Test func touchedSectionsAreFollowedThroughSectionEdits() {
        var changes = HierarchyChangeSet()
        changes.deleteSections([0])
        changes.insertSections([3])
        changes.moveSection(1, toSection: 0)
        changes.reloadSections([4])
        // In turn: gone with its section, moved to 0, and shifted from 2 to 1.
        changes.deleteItems(at: [ItemPath(section: 0, item: 0), ItemPath(section: 1, item: 0)])
        changes.deleteItems(at: [ItemPath(section: 2, item: 0)])
        let result = presumed(changes, [9, 5, 6, 7, 8], [4, 5, 7, 1, 3])
        #expect(result.asked == [0, 1, 3, 4])
        #expect(result.shape == [4, 5, 7, 1, 3])
    }

    @Test func countsThatFollowAreNotAskedFor() {
        var changes = HierarchyChangeSet()
        changes.moveSection(0, toSection: 2)
        let result = presumed(changes, [7, 8, 9], [0, 0, 0])
        #expect(result.asked.isEmpty)
        #expect(result.shape == [8, 9, 7])
    }

    @Test func everySectionIsAskedForWhereTheSectionsCannotBeRight() {
        let records: [[HierarchyChangeSet.Operation]] = [
            [.reloadData()],
            [.deleteSections([0], .none)],
            [.insertSections([0], .none)],
            [.deleteSections([2], .none), .insertSections([0], .none)],
            [.deleteSections([0], .none), .insertSections([2], .none)],
            [.deleteSections([-1], .none), .insertSections([0], .none)],
            [.deleteSections([0], .none), .moveSection(0, toSection: 1, .none)],
            [
                .deleteSections([0], .none), .deleteSections([0], .none),
                .insertSections([0, 1], .none),
            ],
            [.insertSections([1], .none), .moveSection(0, toSection: 1, .none)],
            [
                .deleteSections([0], .none), .insertSections([0], .none),
                .reloadSections([0], .none),
            ],
            [.reloadSections([2], .none)],
            [.reloadSections([-1], .none)],
        ]
        for operations in records {
            let result = presumed(HierarchyChangeSet(operations), [1, 1], [5, 6])
            #expect(result.asked == [0, 1], "\(operations)")
            #expect(result.shape == [5, 6])
        }
        let longer = presumed(HierarchyChangeSet(), [1, 1], [1, 1, 1])
        #expect(longer.asked == [0, 1, 2])
    }

    @Test func countsAreSharedWhereNoneDiffers() {
        var changes = HierarchyChangeSet()
        changes.reloadItems(at: [ItemPath(section: 1, item: 0)])
        let old: HierarchyShape = [1, 2, 3]
        let same = presumed(changes, old, old, naming: [0, 2])
        #expect(same.asked == [0, 1, 2])
        #expect(address(same.shape) == address(old))
        #expect(address(presumed(changes, old, [1, 9, 3]).shape) != address(old))
        #expect(old == [1, 2, 3])
    }

    private func address(_ shape: HierarchyShape) -> UnsafePointer<Int>? {
        shape.itemCounts.withUnsafeBufferPointer { $0.baseAddress }
    }

    // MARK: Extremes

    @Test func anyIntegersAreTaken() {
        let extremes = [Int.min, Int.min + 1, -1, 0, 1, 2, Int.max - 1, Int.max]
        var operations: [HierarchyChangeSet.Operation] = []
        for extreme in extremes {
            let paths = [
                ItemPath(section: extreme, item: 0), ItemPath(section: 0, item: extreme),
                ItemPath(section: extreme, item: extreme),
            ]
            operations += [
                .deleteItems(paths, .none), .insertItems(paths, .none),
                .reloadItems(paths, .none), .reconfigureItems(paths, .none),
                .moveItem(at: paths[0], to: paths[2], .none),
            ]
            for other in extremes {
                operations.append(.moveSection(extreme, toSection: other, .none))
                let sections = SectionSet(min(extreme, other)...max(extreme, other))
                operations += [
                    .deleteSections(sections, .none), .insertSections(sections, .none),
                    .reloadSections(sections, .none), .reconfigureSections(sections, .none),
                    .reloadSupplementaries(.header, in: sections, .none),
                ]
            }
        }
        let all = SectionSet(Int.min...Int.max)
        for operation in operations {
            for other in operations {
                let changes = HierarchyChangeSet([operation, other])
                let result = presumed(changes, [1, 2], [1, 2], naming: all)
                if result.asked != [0, 1] { Issue.record("\(operation), \(other): \(result)") }
            }
        }
        for count in [Int.min, -1, 0, 1] {
            var asked: [Int] = []
            let shape = HierarchyChangeSet().presumedShape(
                from: [.max, -3],
                numberOfSections: count,
                recounting: all
            ) {
                asked.append($0)
                return .min
            }
            #expect(shape.numberOfSections == max(0, count))
            #expect(asked == Array(0..<max(0, count)))
        }
    }
}

private func presumed(
    _ changes: HierarchyChangeSet,
    _ old: HierarchyShape,
    _ new: HierarchyShape,
    naming named: SectionSet = []
) -> (shape: HierarchyShape, asked: [Int]) {
    var asked: [Int] = []
    let shape = changes.presumedShape(
        from: old,
        numberOfSections: new.numberOfSections,
        recounting: named
    ) {
        asked.append($0)
        return new.itemCounts[$0]
    }
    return (shape, asked)
}

/// Compares presumed shapes with the model's, and records the first few that differ.
private struct Mismatches {
    private var compared = 0
    private var mismatches = 0

    mutating func compare(
        _ changes: HierarchyChangeSet,
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        note: @autoclosure () -> String = ""
    ) {
        compared += 1
        guard let difference = difference(changes, old, new) else { return }
        mismatches += 1
        if mismatches <= 3 {
            Issue.record("\(note())\(old) to \(new), \(changes.operations): \(difference)")
        }
    }

    func finish() {
        #expect(mismatches == 0)
        #expect(compared > 0)
    }

    private func difference(
        _ changes: HierarchyChangeSet,
        _ old: HierarchyShape,
        _ new: HierarchyShape
    ) -> String? {
        let model = PresumedShapeModel(changes, from: old, to: new)
        let (shape, asked) = presumed(changes, old, new)
        if asked != model.asked { return "asked for \(asked), the model for \(model.asked)" }
        if shape != model.shape { return "gives \(shape), the model \(model.shape)" }
        // With the sections named that differ, the verdict is that of all counts.
        let named = SectionSet(
            new.itemCounts.indices.filter {
                new.itemCounts[$0] != shape.itemCounts[$0]
            }
        )
        let namedShape = presumed(changes, old, new, naming: named).shape
        return namedShape == new ? nil : "gives \(namedShape) with \(named) named"
    }
}
