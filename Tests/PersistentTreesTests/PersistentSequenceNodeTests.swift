import TestSupport
import Testing

@testable import PersistentTrees

@Suite("Nodes of a persistent sequence")
struct PersistentSequenceNodeTests {
    @Test func buildingFillsNodesEvenlyAndLeavesRoom() {
        for capacity in [4, 7, 8, 9, 16, 32] {
            for count in 1...(capacity * 6) {
                let sequence = Numbers(Array(0..<count), nodeCapacity: .uniform(capacity))
                let filling = count <= capacity ? capacity : capacity - capacity / 8
                let leaves = sequence.leafCounts()
                let difference = (leaves.max() ?? 0) - (leaves.min() ?? 0)
                if leaves.count != (count + filling - 1) / filling || difference > 1 {
                    Issue.record("\(count) in leaves of \(capacity): \(leaves)")
                }
            }
        }
    }

    @Test func nodesHoldThirtyTwoUnlessToldOtherwise() {
        func height(_ count: Int) -> Int { Numbers(Array(0..<count)).height }
        #expect(height(32) == 0 && height(33) == 1)
        // Of leaves that are left with room for four.
        #expect(height(32 * 28) == 1 && height(32 * 28 + 1) == 2)
    }

    /// Grown at every third place, and shrunk again to nothing.
    @Test(arguments: [NodeCapacity(leaf: 4, inner: 9), NodeCapacity(leaf: 9, inner: 4)])
    func leavesAndInnerNodesHaveCapacitiesOfTheirOwn(_ capacity: NodeCapacity) {
        var model: [Int] = []
        var sequence = Numbers(model, nodeCapacity: capacity)
        for step in 0..<400 {
            var transaction = sequence.transaction()
            let position = model.isEmpty ? 0 : step * 7 % model.count
            if step < 200 {
                model.insert(step, at: position)
                transaction.insert(step, at: position)
            } else {
                #expect(transaction.remove(at: position) == model.remove(at: position))
            }
            sequence = transaction.commit()
            if let difference = differs(sequence, from: model) {
                Issue.record("step \(step): \(difference)")
                return
            }
        }
        #expect(sequence.count == 0)
    }

    /// Every removal from two levels: what is full enough is left alone, the rest goes together with
    /// its neighbour, or shares with it.
    @Test(arguments: [4, 5, 8])
    func aLeafThatGetsTooEmptyIsMergedOrFilledUpFromItsNeighbour(_ capacity: Int) {
        for count in (capacity + 1)...(capacity * 4) {
            var base = Numbers(Array(0..<count), nodeCapacity: .uniform(capacity))
            // Uneven leaves, too.
            for thinning in 0..<4 where base.height == 1 {
                for position in 0..<base.count { checkRemoval(at: position, from: base) }
                var transaction = base.transaction()
                transaction.remove(at: thinning * 3 % base.count)
                transaction.insert(-1, at: transaction.count)
                base = transaction.commit()
            }
        }
    }

    private func checkRemoval(at position: Int, from base: Numbers) {
        let capacity = base.nodeCapacity.leaf
        var leaves = base.leafCounts()
        var (index, offset) = (0, position)
        while offset >= leaves[index] {
            offset -= leaves[index]
            index += 1
        }
        leaves[index] -= 1
        let isFullEnough = leaves[index] >= capacity / 2
        if !isFullEnough {
            let first = max(0, index - 1)
            let total = leaves[first] + leaves[first + 1]
            let shared = total <= capacity ? [total] : [total / 2, total - total / 2]
            leaves.replaceSubrange(first...(first + 1), with: shared)
        }
        var transaction = base.transaction()
        transaction.remove(at: position)
        // The root and the leaf.
        let touchesNeighbours = transaction.visitedNodes > 2
        let found = transaction.commit().leafCounts()
        if found != leaves || touchesNeighbours == isFullEnough {
            Issue.record("\(position) of \(base.leafCounts()): \(found), not \(leaves)")
        }
    }

    @Test func everyNodeThatIsMadeIsCounted() {
        var first = Numbers([], nodeCapacity: .uniform(4)).transaction()
        first.insert(0, at: 0)
        #expect(first.madeNodes == 1, "a leaf")
        _ = first.commit()
        var split = Numbers([0, 1, 2, 3], nodeCapacity: .uniform(4)).transaction()
        split.insert(4, at: 4)
        #expect(split.madeNodes == 3, "a copy, its second half, and a root")
        _ = split.commit()
    }

    /// A single element never is: its way down is shorter.
    @Test func editsAsLargeAsWhatTheyLeaveBuildTheTreeAgain() {
        for count in 0...12 {
            let sequence = Numbers(Array(0..<count), nodeCapacity: .uniform(4))
            for many in 0...(count + 2) {
                var insertion = sequence.transaction()
                let elements = Array(repeating: -1, count: many)
                insertion.insert(contentsOf: elements, at: count / 2)
                // Nodes that are built again are not counted.
                let steps = insertion.visitedNodes + insertion.madeNodes
                let isWhole = many == 0 || many > 1 && many >= count
                #expect((steps == 0) == isWhole, "\(many) into \(count)")
                _ = insertion.commit()
            }
            for many in 0...count {
                var removal = sequence.transaction()
                removal.removeSubrange(0..<many)
                let isWhole = many == 0 || many > 1 && many >= count - many
                #expect((removal.visitedNodes == 0) == isWhole, "\(many) of \(count)")
                _ = removal.commit()
            }
        }
    }

    @Test func aVersionIsIdenticalToItselfAlone() {
        let sequence = Numbers(Array(0..<40), nodeCapacity: .uniform(4))
        #expect(sequence.isIdentical(to: sequence.transaction().commit()))
        #expect(!sequence.isIdentical(to: Numbers(Array(0..<40), nodeCapacity: .uniform(4))))
    }
}
