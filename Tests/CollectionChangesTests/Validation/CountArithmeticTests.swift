import CollectionChanges
import Testing

/// The sums that an error carries.
@Suite struct CountArithmeticTests {
    @Test func sumBeyondTheIntegersIsTheNearestOne() {
        func expected(
            _ before: Int,
            inserted: Int = 0,
            deleted: Int = 0,
            movedIn: Int = 0,
            movedOut: Int = 0
        ) -> Int {
            CountArithmetic(
                before: before,
                after: 0,
                inserted: inserted,
                deleted: deleted,
                movedIn: movedIn,
                movedOut: movedOut
            ).expected
        }
        #expect(expected(9, inserted: 5, deleted: 3, movedIn: 2, movedOut: 1) == 12)
        // What leaves is more than can be counted, or than can be subtracted.
        #expect(expected(-1, deleted: .max, movedOut: 1) == .min)
        #expect(expected(.min, deleted: 1) == .min)
        // Likewise what comes.
        #expect(expected(0, inserted: .max, movedIn: 1) == .max)
        #expect(expected(1, inserted: .max) == .max)
    }

    /// One item too many in one section, of which everything else is right.
    @Test func faultOfASectionGivesWhatLeftAndCame() throws {
        var compared = 0
        for seed in UInt64(0)..<400 {
            var records = RandomRecords(seed: seed)
            let draw = records.valid(sections: 4, items: 4)
            let update = try draw.changes.validated(from: draw.old, to: draw.new)
            let fresh = update.sectionInsertions.filter { $0.role != .move }.map(\.section)
            for section in draw.new.itemCounts.indices where !fresh.contains(section) {
                var counts = draw.new.itemCounts
                counts[section] += 1
                let new = HierarchyShape(counts)
                let error = refusal { () throws(HierarchyUpdateError) in
                    try draw.changes.validated(from: draw.old, to: new)
                }
                let oldSection = try #require(update.oldSection(for: section))
                let sum = draw.changes.arithmetic(draw.old, new, oldSection, section)
                compared += 1
                if error?.code == .itemCount, error?.section == section, error?.arithmetic == sum,
                    error?.message.hasSuffix(
                        " (\(sum.inserted) inserted, \(sum.deleted) deleted) and plus or minus the"
                            + " number of items moved into or out of that section"
                            + " (\(sum.movedIn) moved in, \(sum.movedOut) moved out)"
                    ) == true
                {
                    continue
                }
                Issue.record("seed \(seed), \(section): \(error?.description ?? "accepted")")
            }
        }
        #expect(compared > 300)
    }

    @Test func countFaultHintsAtTheLikelyMistake() {
        func hint(_ changes: HierarchyChangeSet, _ new: HierarchyShape) -> String? {
            refusal { () throws(HierarchyUpdateError) in
                try changes.validated(from: [2], to: new)
            }?.hint
        }
        var changes = HierarchyChangeSet()
        let nothing = "The data source changed but nothing was recorded"
        #expect(hint(changes, [3])?.hasPrefix(nothing) == true)
        changes.deleteItems(at: [path(0, 0)])
        let unchanged = "Edits were recorded but no count of the data source changed"
        #expect(hint(changes, [2])?.hasPrefix(unchanged) == true)
        #expect(hint(changes, [5])?.hasPrefix("4 more came, or 4 fewer left, than was") == true)
    }
}

extension HierarchyChangeSet {
    /// The sum of one section, operation by operation.
    fileprivate func arithmetic(
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        _ oldSection: Int,
        _ newSection: Int
    ) -> CountArithmetic {
        var (inserted, deleted, movedIn, movedOut) = (0, 0, 0, 0)
        for operation in operations {
            switch operation {
            case .deleteItems(let paths, _): deleted += paths.count { $0.section == oldSection }
            case .insertItems(let paths, _): inserted += paths.count { $0.section == newSection }
            case .moveItem(let from, let to, _):
                let (leaves, comes) = (from.section == oldSection, to.section == newSection)
                if leaves, !comes { movedOut += 1 }
                if comes, !leaves { movedIn += 1 }
            default: break
            }
        }
        return CountArithmetic(
            before: old.itemCounts[oldSection],
            after: new.itemCounts[newSection],
            inserted: inserted,
            deleted: deleted,
            movedIn: movedIn,
            movedOut: movedOut
        )
    }
}
