import Synchronization
import Testing

@testable import PersistentTrees

@Suite("Sums over a persistent sequence")
struct PersistentSequenceSummaryTests {
    @Test func everySumIsReachedAtItsPosition() {
        for count in 0..<90 {
            // Zeros among them, whose sums are those of the elements before.
            let model = (0..<count).map { $0 % 3 }
            let sequence = Numbers(model, nodeCapacity: .uniform(4))
            for target in 0...(model.reduce(0, +) + 1) {
                var before = 0
                var position = 0
                while position < count, before + model[position] < target {
                    before += model[position]
                    position += 1
                }
                let found = sequence.place { _, summary in summary.sum >= target }
                if found.index != position || found.before.sum != before {
                    Issue.record("\(target) of \(model): \(found)")
                    return
                }
            }
        }
    }

    @Test func everyRangeIsRemovedInsertedAndSummedUp() {
        for count in stride(from: 0, through: 45, by: 5) {
            let model = Array(0..<count)
            let sequence = Numbers(model, nodeCapacity: .uniform(4))
            for lower in 0...count {
                for upper in lower...count {
                    let sum = model[lower..<upper].reduce(0, +)
                    #expect(sequence.slice(lower..<upper).summary.sum == sum)
                    var expected = model
                    var transaction = sequence.transaction()
                    expected.removeSubrange(lower..<upper)
                    transaction.removeSubrange(lower..<upper)
                    let removed = transaction.commit()
                    #expect(differs(removed, from: expected) == nil)
                    var again = removed.transaction()
                    again.insert(contentsOf: Array(lower..<upper), at: lower)
                    #expect(differs(again.commit(), from: model) == nil)
                }
            }
        }
    }

    /// As where sums round: it holds of all together, and of no sum on the way.
    @Test func whatHoldsOfAllButOfNothingOnTheWayIsReachedByTheLast() {
        for count in 1..<90 {
            let sequence = Numbers(Array(0..<count), nodeCapacity: .uniform(4))
            var asked = 0
            let found = sequence.place { _, _ in
                asked += 1
                return asked == 1
            }
            #expect(found.index == count - 1)
            #expect(found.before.sum == sequence.summary.sum - (count - 1))
        }
    }

    /// Elements are looked at in the last leaf; what is before it is summed up already.
    @Test func whatComesBeforeIsSummedUpFromFewElements() {
        let sequence = PersistentSequence<Int, Looked>(
            Array(0..<4000),
            nodeCapacity: .uniform(4)
        )
        let before = Looked.elements.load(ordering: .relaxed)
        #expect(sequence.summary(before: 3999).count == 3999)
        let looked = Looked.elements.load(ordering: .relaxed) - before
        #expect((1...4).contains(looked), "\(looked)")
    }

    @Test func aSummaryWithoutSizeIsNeverComputed() {
        var sequence = PersistentSequence<Int, Uncomputed>(
            Array(0..<100),
            nodeCapacity: .uniform(4)
        )
        var transaction = sequence.transaction()
        transaction.insert(7, at: 50)
        transaction.remove(at: 3)
        transaction.replace(at: 9, with: 2)
        sequence = transaction.commit()
        #expect(sequence.count == 100)
        #expect(Uncomputed.computations.load(ordering: .relaxed) == 0)
    }

    @Test func aSummaryOfOneByteIsComputed() {
        var transaction = PersistentSequence<Int, HasOdd>(
            Array(repeating: 2, count: 60),
            nodeCapacity: .uniform(4)
        ).transaction()
        transaction.insert(3, at: 30)
        let sequence = transaction.commit()
        #expect(sequence.summary.isThere)
        #expect(!sequence.summary(before: 30).isThere && sequence.summary(before: 31).isThere)
        #expect(sequence.place { _, summary in summary.isThere }.index == 30)
    }

    /// Nothing before and nothing behind change nothing, and of neighbours the last label counts.
    @Test func lastLabelsCombineWithNothingOnBothSides() {
        typealias Last = LastLabel<Labelled>
        #expect(Last.zero.lastLabel == -1)
        for label in [0, 1, 7] {
            let last = Last(lastLabel: label)
            #expect(last.combined(with: .zero).lastLabel == label)
            #expect(Last.zero.combined(with: last).lastLabel == label)
        }
        let (first, second) = (Last(lastLabel: 3), Last(lastLabel: 8))
        #expect(first.combined(with: second).lastLabel == 8)
    }
}

/// Takes no room, and counts how often it is asked for.
private struct Uncomputed: SequenceSummary {
    static let computations = Atomic<Int>(0)
    static let zero = Uncomputed()

    init() {}

    init(of element: Int) { Self.computations.add(1, ordering: .relaxed) }

    func combined(with next: Self) -> Self {
        Self.computations.add(1, ordering: .relaxed)
        return next
    }
}

/// Counts the elements that it is made of.
private struct Looked: SequenceSummary {
    static let elements = Atomic<Int>(0)
    static let zero = Looked(count: 0)
    let count: Int

    init(count: Int) { self.count = count }

    init(of element: Int) {
        count = 1
        Self.elements.add(1, ordering: .relaxed)
    }

    func combined(with next: Self) -> Self { Looked(count: count + next.count) }
}

/// Whether there is an odd number.
private struct HasOdd: SequenceSummary {
    let isThere: Bool
    static let zero = HasOdd(isThere: false)

    init(isThere: Bool) { self.isThere = isThere }

    init(of element: Int) { isThere = element % 2 != 0 }

    func combined(with next: Self) -> Self { HasOdd(isThere: isThere || next.isThere) }
}
