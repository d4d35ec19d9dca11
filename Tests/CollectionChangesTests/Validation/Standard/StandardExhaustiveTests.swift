import CollectionChanges
import TestSupport
import Testing

/// Every record of small size, and random larger ones, against the array model.
///
/// The sizes are as large as half a minute of an unoptimised build on two cores allows: some
/// 460,000 records are enumerated, of which the model accepts a quarter; usually one of seven is tried.
@Suite struct StandardExhaustiveTests {
    @Test(arguments: everyShape(sections: 2, itemsEach: 2, items: 2))
    func everyPairOfOperationsIsJudgedLikeTheModel(old: HierarchyShape) {
        var tally = Tally()
        for new in everyShape(sections: 2, itemsEach: 2, items: 2) {
            let operations = elementaryOperations(from: old, to: new, beyond: true)
            withEveryRecord(of: operations, upTo: 2) { tally.compare($0, old, new) }
        }
        tally.finish()
    }

    @Test(arguments: everyShape(sections: 2, itemsEach: 1, items: 1))
    func everyTripleOfOperationsIsJudgedLikeTheModel(old: HierarchyShape) {
        var tally = Tally()
        for new in everyShape(sections: 2, itemsEach: 1, items: 2) {
            let operations = elementaryOperations(from: old, to: new, beyond: false)
            withEveryRecord(of: operations, upTo: 3) { tally.compare($0, old, new) }
        }
        tally.finish()
    }

    @Test(arguments: everyShape(sections: 2, itemsEach: 3, items: 3))
    func everyConsistentRecordOfTwoSectionsIsJudgedLikeTheModel(old: HierarchyShape) {
        var tally = Tally()
        let most = Effort.number(5, usually: 4) - old.paths.count
        for new in everyShape(sections: 2, itemsEach: 3, items: 3) where new.paths.count <= most {
            withEveryConsistentRecord(from: old, to: new) { tally.compare($0, old, new) }
        }
        tally.finish()
    }

    @Test(arguments: everyShape(sections: 3, itemsEach: 1, items: 1))
    func everyConsistentRecordOfThreeSectionsIsJudgedLikeTheModel(old: HierarchyShape) {
        var tally = Tally()
        for new in everyShape(sections: 3, itemsEach: 1, items: 1) {
            withEveryConsistentRecord(from: old, to: new) { tally.compare($0, old, new) }
        }
        tally.finish()
    }

    @Test(arguments: 0...4)
    func everyConsistentRecordOfOneSectionIsJudgedLikeTheModel(oldCount: Int) {
        var tally = Tally()
        for newCount in 0...min(3, 7 - oldCount) {
            let (old, new) = (HierarchyShape([oldCount]), HierarchyShape([newCount]))
            withEveryConsistentRecord(from: old, to: new) { tally.compare($0, old, new) }
        }
        tally.finish()
    }

    @Test func randomValidRecordsAreAccepted() {
        var tally = Tally()
        for seed in UInt64(0)..<Effort.number(4_000, usually: 600) {
            var records = RandomRecords(seed: seed)
            let draw = records.valid()
            tally.compare(draw.changes, draw.old, draw.new, note: "seed \(seed): ")
        }
        tally.finish()
        #expect(tally.rejected == 0)
    }

    @Test func randomSpoiltRecordsAreJudgedLikeTheModel() {
        var tally = Tally()
        for seed in UInt64(0)..<Effort.number(6_000, usually: 900) {
            var records = RandomRecords(seed: seed)
            let draw = records.spoilt()
            tally.compare(draw.changes, draw.old, draw.new, note: "seed \(seed): ")
        }
        tally.finish()
    }
}

/// Counts comparisons, and records the first few mismatches.
struct Tally {
    private(set) var accepted = 0
    private(set) var rejected = 0
    private var mismatches = 0
    private var sampling = Sampling()

    mutating func compare(
        _ changes: HierarchyChangeSet,
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        note: @autoclosure () -> String = ""
    ) {
        guard sampling.takesNext() else { return }
        switch ModelComparison(changes: changes, old: old, new: new).verdict() {
        case .accepted: accepted += 1
        case .rejected: rejected += 1
        case .mismatch(let text):
            mismatches += 1
            if mismatches <= 3 { Issue.record("\(note())\(text)") }
        }
    }

    /// Fails if anything was judged differently, or if nothing was judged at all.
    func finish() {
        #expect(mismatches == 0)
        #expect(accepted > 0)
    }
}
