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

    /// Shapes with those that they are taken to: of two sections, of three, and of one.
    private static let consistent: [(HierarchyShape, [HierarchyShape])] = {
        let ofTwo = everyShape(sections: 2, itemsEach: 3, items: 3)
        let ofThree = everyShape(sections: 3, itemsEach: 1, items: 1)
        return ofTwo.map { old in
            let most = Effort.number(5, usually: 4) - old.paths.count
            return (old, ofTwo.filter { $0.paths.count <= most })
        } + ofThree.map { ($0, ofThree) }
            + (0...4).map { count in ([count], (0...min(3, 7 - count)).map { [$0] }) }
    }()

    @Test(arguments: consistent)
    func everyConsistentRecordIsJudgedLikeTheModel(old: HierarchyShape, targets: [HierarchyShape]) {
        var tally = Tally()
        for new in targets {
            withEveryConsistentRecord(from: old, to: new) { tally.compare($0, old, new) }
        }
        tally.finish()
    }

    private static let options = (0..<1_000).map { AnimationOption(rawValue: $0) }

    /// Usually small ones, and some with lists that are sorted by bytes.
    @Test func randomValidRecordsAreAccepted() {
        var tally = Tally()
        for seed in UInt64(0)..<Effort.number(4_000, usually: 700) {
            var records = RandomRecords(seed: seed, animations: Self.options)
            let draw =
                seed.isMultiple(of: 70)
                ? records.valid(sections: 60, items: 40, updates: true)
                : records.valid(updates: true)
            tally.compare(draw.changes, draw.old, draw.new, note: "seed \(seed): ")
        }
        tally.finish()
        #expect(tally.rejected == 0)
    }

    @Test func randomSpoiltRecordsAreJudgedLikeTheModel() {
        var tally = Tally()
        for seed in UInt64(0)..<Effort.number(6_000, usually: 2_000) {
            var records = RandomRecords(seed: seed, animations: Self.options)
            let draw = records.spoilt()
            tally.compare(draw.changes, draw.old, draw.new, note: "seed \(seed): ")
        }
        tally.finish()
    }

    /// Shapes may share the memory of their counts, as those before and after an update do that changes none.
    @Test func verdictsDoNotDependOnWhetherShapesShareTheirCounts() {
        for counts in [[2, 1], [1, 1], [1, 2, 3], [2, 2, 1, 2]] {
            let (shape, equal) = (HierarchyShape(counts), HierarchyShape(counts.map { $0 }))
            let operations = elementaryOperations(from: shape, to: shape, beyond: false)
            var sampling = Sampling()
            withEveryRecord(of: operations, upTo: 2) { changes in
                guard sampling.takesNext() else { return }
                func verdict(_ new: HierarchyShape) -> String {
                    do {
                        return "\(try changes.validated(from: shape, to: new).edits)"
                    } catch {
                        return error.description
                    }
                }
                if verdict(shape) != verdict(equal) { Issue.record("\(changes.operations)") }
            }
        }
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
        guard !note().isEmpty || sampling.takesNext() else { return }
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
