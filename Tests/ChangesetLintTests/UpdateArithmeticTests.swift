import CollectionPipeline
import TestSupport
import Testing

@testable import changeset_lint

/// Sums and tables of random updates, compared with what becomes of arrays.
@Suite struct UpdateArithmeticTests {
    private struct Sample {
        let update: ValidatedChangeSet
        /// Where each new item was; nil for what is fresh.
        let origins: [[ItemPath?]]
        /// Where each old item is that is still there.
        let places: [ItemPath: ItemPath]

        init(seed: UInt64) throws {
            var random = SeededNumbers(seed: seed)
            let draft = RandomUpdate(from: [3, 0, 4, 2], &random, rate: 0.5)
            update = try draft.changes.validated(from: [3, 0, 4, 2], to: draft.newShape)
            let old: [[ItemPath?]] = [3, 0, 4, 2].enumerated().map { section, count in
                (0..<count).map { ItemPath(section: section, item: $0) }
            }
            origins = try update.apply(to: old) { _ in nil }
            var places: [ItemPath: ItemPath] = [:]
            for (section, items) in origins.enumerated() {
                for (item, origin) in items.enumerated() {
                    if let origin { places[origin] = ItemPath(section: section, item: item) }
                }
            }
            self.places = places
        }

        func isReloaded(newSection: Int) -> Bool {
            update.sectionInsertions.contains { $0.section == newSection && $0.role == .reload }
        }
    }

    /// The sum of a section that survives, counted in the arrays.
    private func sum(_ sample: Sample, _ newSection: Int, _ oldSection: Int)
        -> UpdateArithmetic.Sum
    {
        let update = sample.update
        let items = sample.origins[newSection]
        let reloaded = update.itemRemovals.count {
            $0.path.section == oldSection && $0.role == .reload
        }
        let left = sample.places.filter { $0.key.section == oldSection }
        var sum = UpdateArithmetic.Sum(before: update.oldShape.itemCounts[oldSection])
        sum.movedIn = items.count { $0 != nil && $0?.section != oldSection }
        sum.movedOut = left.count { $0.value.section != newSection }
        sum.inserted = items.count { $0 == nil } - reloaded
        sum.deleted = sum.before - left.count - reloaded
        return sum
    }

    private static func text(_ sum: UpdateArithmetic.Sum) -> String {
        let moves =
            sum.movedIn == 0 && sum.movedOut == 0
            ? "" : " + \(sum.movedIn) moved in - \(sum.movedOut) moved out"
        return "\(sum.before) before + \(sum.inserted) inserted - \(sum.deleted) deleted\(moves)"
            + " = \(sum.before + sum.inserted - sum.deleted + sum.movedIn - sum.movedOut)"
    }

    @Test func aSumTellsOfMovesWhereThereAreSome() {
        for movedIn in 0...2 {
            for movedOut in 0...2 {
                let sum = UpdateArithmetic.Sum(
                    before: 7,
                    inserted: 5,
                    deleted: 3,
                    movedIn: movedIn,
                    movedOut: movedOut
                )
                #expect(sum.after == 9 + movedIn - movedOut)
                #expect(sum.description == Self.text(sum))
            }
        }
    }

    @Test func sumsAreThoseOfTheArraysAndComeOut() throws {
        var moves = 0
        for seed in 0..<150 as Range<UInt64> {
            let sample = try Sample(seed: seed)
            let update = sample.update
            let arithmetic = UpdateArithmetic(update)
            var expected: [String] = []
            for newSection in sample.origins.indices {
                guard let oldSection = update.oldSection(for: newSection),
                    !sample.isReloaded(newSection: newSection)
                else { continue }
                let sum = sum(sample, newSection, oldSection)
                #expect(sum.after == sample.origins[newSection].count)
                guard sum.inserted + sum.deleted + sum.movedIn + sum.movedOut > 0 else { continue }
                expected.append("\(newSection): \(Self.text(sum))")
                moves += sum.movedIn * sum.movedOut
            }
            let found = arithmetic.changedItems.map { "\($0.newSection): \($0.sum)" }
            #expect(found == expected, "seed \(seed)")
            let (oldCount, newCount) = (4, sample.origins.count)
            let kept = (0..<newCount).count { update.oldSection(for: $0) != nil }
            #expect(
                arithmetic.sections.description
                    == "\(oldCount) before + \(newCount - kept) inserted - \(oldCount - kept)"
                    + " deleted = \(newCount)"
            )
        }
        #expect(moves > 10)
    }

    /// A row holds the items of its own section only.
    @Test func tablesHoldWhereItemsAreInTheirSection() throws {
        for seed in 0..<150 as Range<UInt64> {
            let sample = try Sample(seed: seed)
            let update = sample.update
            var places = sample.places
            for edit in update.itemInsertions where edit.role == .reload {
                // What is reloaded maps to its new self.
                if let oldPath = edit.associatedWith { places[oldPath] = edit.path }
            }
            var rows = update.oldShape.itemCounts.map { Array(repeating: -1, count: $0) }
            var reverseRows = update.newShape.itemCounts.map { Array(repeating: -1, count: $0) }
            for (old, new) in places where update.newSection(for: old.section) == new.section {
                rows[old.section][old.item] = new.item
                reverseRows[new.section][new.item] = old.item
            }
            let tables = MappingTables(update)
            #expect(tables.items == .array(rows.map(JSONValue.integers)), "seed \(seed)")
            #expect(tables.reverseItems == .array(reverseRows.map(JSONValue.integers)))
            #expect(
                tables.sections == .integers((0..<4).map { update.newSection(for: $0) ?? -1 })
            )
            #expect(
                tables.reverseSections
                    == .integers(
                        update.newShape.itemCounts.indices.map {
                            update.oldSection(for: $0) ?? -1
                        }
                    )
            )
        }
    }
}
