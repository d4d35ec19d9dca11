import PersistentTrees
import TestSupport
import Testing

private typealias Values = PersistentSequence<Int, NoSummary<Int>>

/// The stretches in which two versions differ.
struct PersistentSequenceDifferenceTests {
    /// Returns the first fault of the stretches, or `nil`.
    private func fault(_ old: Values, _ new: Values) -> String? {
        let (before, after) = (Array(old), Array(new))
        var (oldIndex, newIndex) = (0, 0)
        for stretch in new.differingStretches(from: old, where: ==) {
            guard stretch.old.lowerBound >= oldIndex, stretch.old.upperBound <= before.count,
                stretch.new.lowerBound >= newIndex, stretch.new.upperBound <= after.count
            else { return "\(stretch) out of order" }
            if stretch.old.isEmpty && stretch.new.isEmpty { return "empty stretch \(stretch)" }
            if before[oldIndex..<stretch.old.lowerBound] != after[newIndex..<stretch.new.lowerBound]
            {
                return "a difference missed before \(stretch)"
            }
            let (removed, inserted) = (before[stretch.old], after[stretch.new])
            if let left = removed.first, left == inserted.first { return "\(stretch) begins early" }
            if let left = removed.last, left == inserted.last { return "\(stretch) ends late" }
            (oldIndex, newIndex) = (stretch.old.upperBound, stretch.new.upperBound)
        }
        return before[oldIndex...] == after[newIndex...] ? nil : "a difference missed at the end"
    }

    @Test func everyEditOfSmallSequencesIsFound() {
        for count in 0..<Effort.number(40, usually: 22) {
            let old = Values(Array(0..<count), nodeCapacity: .uniform(4))
            #expect(old.differingStretches(from: old, where: ==).isEmpty)
            for lower in 0...count {
                for upper in lower...count {
                    for inserted in [0, 1, 9] {
                        let stretch = Values(
                            Array(100..<(100 + inserted)),
                            nodeCapacity: .uniform(4)
                        )
                        let new = old.replacing(lower..<upper, with: stretch)
                        let found = new.differingStretches(from: old, where: ==)
                        let expected = Values.DifferingStretch(
                            old: lower..<upper,
                            new: lower..<(lower + inserted)
                        )
                        let isSame = lower == upper && inserted == 0
                        if let fault = fault(old, new) {
                            Issue.record("\(count), \(expected): \(fault)")
                        }
                        if found != (isSame ? [] : [expected]) {
                            // A shared node inside the stretch may split it; it never extends
                            // beyond it.
                            Issue.record("\(count), \(expected): \(found)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: UInt64(1)...Effort.number(12, usually: 4), [4, 8, 32])
    func randomEditsAreFound(seed: UInt64, capacity: Int) {
        var random = SeededNumbers(seed: seed)
        // Repeated values, so that one node may occur at several positions.
        let count = random.next(below: 3000)
        let old = Values(
            (0..<count).map { _ in random.next(below: 50) },
            nodeCapacity: .uniform(capacity)
        )
        var new = old
        for step in 0..<12 {
            if random.isTrue(oneIn: 3) {
                let lower = random.next(below: new.count + 1)
                let upper = lower + random.next(below: new.count - lower + 1)
                let place = random.next(below: new.count + 1)
                // Copies a range, including its nodes, to another position.
                new = new.replacing(place..<place, with: new.slice(lower..<min(upper, lower + 300)))
            } else {
                var transaction = new.transaction()
                for _ in 0..<3 {
                    transaction.insert(-1, at: random.next(below: transaction.count + 1))
                    transaction.remove(at: random.next(below: transaction.count))
                    transaction.replace(
                        at: random.next(below: max(1, transaction.count - 1)),
                        with: -2
                    )
                    transaction.insert(-3, at: 0)
                }
                new = transaction.commit()
            }
            #expect(fault(old, new) == nil, "seed \(seed), step \(step)")
            #expect(fault(new, old) == nil, "seed \(seed), step \(step), reversed")
        }
    }

    @Test func sharedElementsAreNotCompared() {
        let old = Values(Array(0..<100_000))
        var transaction = old.transaction()
        for edit in 0..<10 { transaction.replace(at: edit * 9_999, with: -1) }
        let new = transaction.commit()
        var comparisons = 0
        let stretches = new.differingStretches(from: old) {
            comparisons += 1
            return $0 == $1
        }
        #expect(stretches.map(\.old) == (0..<10).map { ($0 * 9_999)..<($0 * 9_999 + 1) })
        #expect(comparisons <= 10 * 32)
    }
}
