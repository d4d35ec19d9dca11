import TestSupport
import Testing

@testable import PersistentTrees

/// Mistakes that stop the process, with their messages. Each body runs in its own process.
@Suite("Mistakes with sequences", .endsHangs)
struct SequenceTrapTests {
    enum Mistake: String, CaseIterable, Codable, Sendable {
        case elementBefore, elementAfter, editedBefore, editedAfter
        case insertedBefore, insertedAfter, manyInsertedBefore, manyInsertedAfter
        case removedBefore, removedAfter, rangeRemovedBefore, rangeRemovedAfter
        case replacedBefore, replacedAfter
        case smallLeaves, smallInnerNodes, otherCapacity, labelsBeyondTheUniverse

        func make() {
            // Two levels, so that other memory lies next to the out-of-range positions.
            let sequence = Numbers(Array(0..<30), nodeCapacity: .uniform(4))
            var transaction = sequence.transaction()
            switch self {
            case .elementBefore: _ = sequence[-1]
            case .elementAfter: _ = sequence[30]
            case .editedBefore: _ = transaction[-1]
            case .editedAfter: _ = transaction[30]
            case .insertedBefore: transaction.insert(0, at: -1)
            case .insertedAfter: transaction.insert(0, at: 31)
            case .manyInsertedBefore:
                transaction.insert(contentsOf: Array(repeating: 0, count: 40), at: -1)
            case .manyInsertedAfter:
                transaction.insert(contentsOf: Array(repeating: 0, count: 40), at: 31)
            case .removedBefore: transaction.remove(at: -1)
            case .removedAfter: transaction.remove(at: 30)
            case .rangeRemovedBefore: transaction.removeSubrange(-1..<2)
            case .rangeRemovedAfter: transaction.removeSubrange(28..<31)
            case .replacedBefore: transaction.replace(at: -1, with: 0)
            case .replacedAfter: transaction.replace(at: 30, with: 0)
            case .smallLeaves: _ = NodeCapacity(leaf: 3, inner: 4)
            case .smallInnerNodes: _ = NodeCapacity(leaf: 4, inner: 3)
            case .otherCapacity: _ = sequence.appending(Numbers([1]))
            case .labelsBeyondTheUniverse:
                var labels = LabelModel([0, 1]).sequence.transaction()
                _ = labels.labels(forInserting: 1 << 62, at: 1) { element, label in
                    Labelled(id: element.id, label: label)
                }
            }
        }

        var message: String {
            switch self {
            case .elementBefore, .editedBefore: "no element at position -1 of 30"
            case .elementAfter, .editedAfter: "no element at position 30 of 30"
            case .insertedBefore, .manyInsertedBefore: "cannot insert at position -1 of 30"
            case .insertedAfter, .manyInsertedAfter: "cannot insert at position 31 of 30"
            case .removedBefore: "cannot remove at position -1 of 30"
            case .removedAfter: "cannot remove at position 30 of 30"
            case .rangeRemovedBefore: "cannot remove positions -1..<2 of 30"
            case .rangeRemovedAfter: "cannot remove positions 28..<31 of 30"
            case .replacedBefore: "cannot replace at position -1 of 30"
            case .replacedAfter: "cannot replace at position 30 of 30"
            case .smallLeaves: "node capacities of 3 and 4 are below 4"
            case .smallInnerNodes: "node capacities of 4 and 3 are below 4"
            case .otherCapacity: "cannot join nodes of capacities"
            case .labelsBeyondTheUniverse: "no labels for \((1 << 62) + 2) elements"
            }
        }
    }

    @Test(arguments: Mistake.allCases)
    func aMistakeStopsTheProcessWithItsMessage(_ mistake: Mistake) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [mistake] in
            mistake.make()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(mistake.message), "\(text)")
    }
}
