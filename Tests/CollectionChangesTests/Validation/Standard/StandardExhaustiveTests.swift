import CollectionChanges
import TestSupport
import Testing

/// Compares every small record, and random larger ones, with the array model.
///
/// The sizes are limited to half a minute of an unoptimised build on two cores: about 460,000
/// records are enumerated, of which the model accepts a quarter. A normal run tries one in seven.
@Suite struct StandardExhaustiveTests {
    @Test(arguments: everyShape(sections: 2, itemsEach: 2, items: 2))
    func everyPairOfOperationsMatchesTheModel(old: HierarchyShape) {
        var tally = Tally()
        for new in everyShape(sections: 2, itemsEach: 2, items: 2) {
            let operations = elementaryOperations(from: old, to: new, beyond: true)
            withEveryRecord(of: operations, upTo: 2) { tally.compare($0, old, new) }
        }
        tally.finish()
    }

    @Test(arguments: everyShape(sections: 2, itemsEach: 1, items: 1))
    func everyTripleOfOperationsMatchesTheModel(old: HierarchyShape) {
        var tally = Tally()
        for new in everyShape(sections: 2, itemsEach: 1, items: 2) {
            let operations = elementaryOperations(from: old, to: new, beyond: false)
            withEveryRecord(of: operations, upTo: 3) { tally.compare($0, old, new) }
        }
        tally.finish()
    }

    /// Old shapes with their new shapes: with up to two sections, with up to three, and with one.
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
    func everyConsistentRecordMatchesTheModel(old: HierarchyShape, targets: [HierarchyShape]) {
        var tally = Tally()
        for new in targets {
            withEveryConsistentRecord(from: old, to: new) { tally.compare($0, old, new) }
        }
        tally.finish()
    }

    private static let options = (0..<1_000).map { AnimationOption(rawValue: $0) }

    /// Mostly small records, and some whose lists are sorted by bytes.
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

    @Test func randomMutatedRecordsMatchTheModel() {
        var tally = Tally()
        for seed in UInt64(0)..<Effort.number(6_000, usually: 2_000) {
            var records = RandomRecords(seed: seed, animations: Self.options)
            let draw = records.mutated()
            tally.compare(draw.changes, draw.old, draw.new, note: "seed \(seed): ")
        }
        tally.finish()
    }

    /// The shapes before and after an update without count changes may share the memory of their
    /// counts.
    @Test func verdictsDoNotDependOnSharedCounts() {
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

/// Counts comparisons and records the first few mismatches.
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

    /// Fails if any verdict differed or no record was accepted.
    func finish() {
        #expect(mismatches == 0)
        #expect(accepted > 0)
    }
}
