import PersistentTrees
import TestSupport
import Testing

/// Sequences of every way of being made, against arrays: what they hold, and which nodes they have.
@Suite("Stretches of a persistent sequence")
struct PersistentSequenceStretchTests {
    /// Around the capacities of leaves, of inner nodes, and of the leaves that a builder fills.
    private static let counts = [
        0, 1, 2, 31, 32, 33, 55, 56, 57, 63, 64, 65, 112, 500, 1791, 1792, 1793, 2100, 3200,
    ]

    /// Leaves take another number than inner nodes, so that one is not taken for the other.
    private static let capacity = NodeCapacity(leaf: 64, inner: 32)

    private func tree(_ range: Range<Int>) -> Numbers {
        var builder = Numbers.Builder(nodeCapacity: Self.capacity)
        for number in range { builder.append(number) }
        return builder.tree()
    }

    private func tree(repeating number: Int, count: Int) -> Numbers {
        Numbers(repeating: number, count: count, nodeCapacity: Self.capacity)
    }

    /// How many nodes there are on each level, leaves first.
    private func levels(_ tree: Numbers) -> [Int] {
        let heights = tree.nodes.map(\.height)
        let top = heights.max() ?? -1
        return (0..<(top + 1)).map { level in heights.filter { $0 == level }.count }
    }

    private func leaves(_ tree: Numbers) -> [ObjectIdentifier] {
        tree.nodes.filter { $0.height == 0 }.map(\.identity)
    }

    @Test func joinedTreesAreOneBehindTheOther() {
        for count in Self.counts {
            for other in Self.counts {
                let joined = tree(0..<count).appending(tree(count..<(count + other)))
                if let fault = differs(joined, from: Array(0..<(count + other))) {
                    Issue.record("\(count) and \(other): \(fault)")
                }
            }
        }
    }

    @Test func whatFitsIntoANodeIsANode() {
        // Two of 32 are filled, and stay two.
        for count in 1..<64 where count != 32 {
            let leaf = tree(0..<count).appending(tree(count..<64))
            #expect(levels(leaf) == [1], "\(count)")
        }
        // Leaves that are filled stay as they are.
        #expect(levels(tree(0..<33).appending(tree(33..<65))) == [2, 1])
        #expect(levels(tree(repeating: 1, count: 64)) == [1])
        #expect(levels(tree(repeating: 1, count: 65)) == [2, 1])
        for count in 17..<32 {
            let inner = tree(0..<(56 * count)).appending(tree(0..<(56 * (32 - count))))
            #expect(levels(inner) == [32, 1], "\(count)")
        }
    }

    /// Leaves take 56 of 64 elements, nodes above 28 of 32 others, unless these are all.
    @Test func aTreeThatIsBuiltHasAsFewNodesAsLeaveALittleRoom() {
        let expected: [(count: Int, levels: [Int])] = [
            (0, []), (1, [1]), (56, [1]), (57, [1]), (64, [1]), (65, [2, 1]), (112, [2, 1]),
            (56 * 32, [32, 1]), (56 * 33, [33, 2, 1]), (56 * 56, [56, 2, 1]),
            (56 * 57, [57, 2, 1]), (56 * 28 * 32, [896, 32, 1]), (56 * 28 * 33, [924, 33, 2, 1]),
        ]
        for (count, levels) in expected {
            let tree = self.tree(0..<count)
            #expect(self.levels(tree) == levels, "\(count)")
            #expect(differs(tree, from: Array(0..<count)) == nil, "\(count)")
        }
    }

    @Test(arguments: [0, 1, 2, 56, 57, 65, 130, 200])
    func everyPlaceIsFoundByIndexAndBySum(count: Int) {
        let values = Array(0..<count)
        let tree = tree(0..<count)
        var sums = [0]
        for value in values { sums.append(sums[sums.count - 1] + value) }
        for index in -2..<(count + 3) {
            let clamped = min(max(0, index), count)
            let isThere = values.indices.contains(index)
            #expect(tree.element(at: index) == (isThere ? values[index] : nil))
            #expect(tree.summary(before: index).sum == sums[clamped])
            let byCount = tree.place { reached, _ in reached > index }
            #expect(byCount.index == clamped && byCount.before.sum == sums[clamped])
            let (sum, before) = (sums[clamped], sums.firstIndex { $0 > sums[clamped] })
            let bySum = tree.place { _, summary in summary.sum > sum }
            #expect(bySum.index == before.map { $0 - 1 } ?? count)
            var cursor = tree.makeIterator(from: index)
            var walked: [Int] = []
            while let value = cursor.next() { walked.append(value) }
            #expect(walked == Array(values[clamped...]))
            #expect(cursor.next() == nil, "the end is the end")
            let replaced = tree.replacing(at: index, with: -1)
            var expected = values
            if isThere { expected[index] = -1 }
            #expect(differs(replaced, from: expected) == nil)
        }
        var cursor = tree.makeIterator()
        #expect(cursor.next() == values.first)
    }

    @Test(arguments: [1, 64, 65, 200, 2000])
    func aStretchOfATreeIsATree(count: Int) {
        let tree = tree(0..<count)
        let cuts = Self.counts.filter { $0 < count } + [count - 1, count]
        for start in cuts {
            for end in cuts + [count + 7] where start <= end {
                let expected = Array(start..<max(start, min(end, count)))
                if let fault = differs(tree.slice(start..<end), from: expected) {
                    Issue.record("\(start) to \(end) of \(count): \(fault)")
                }
                let other = tree.replacing(start..<end, with: self.tree(repeating: 3, count: 40))
                let rest = end < count ? Array(end..<count) : []
                let whole = Array(0..<start) + Array(repeating: 3, count: 40) + rest
                if let fault = differs(other, from: whole) {
                    Issue.record("\(start) to \(end) of \(count), replaced: \(fault)")
                }
            }
        }
        #expect(differs(tree.slice(-3..<(-1)), from: []) == nil)
        #expect(differs(tree.slice(-3..<1), from: [0]) == nil)
        #expect(differs(tree.slice((count + 1)..<(count + 2)), from: []) == nil)
    }

    @Test func nodesThatAreFilledStayAsTheyAre() {
        for (count, other) in [(32, 32), (32, 56), (33, 50), (896, 896), (896, 1736)] {
            let (first, second) = (tree(0..<count), tree(count..<(count + other)))
            let children = first.appending(second).shape?.children ?? []
            let expected = [first, second].map(\.shape?.identity)
            #expect(children.map(\.identity) == expected, "\(count) and \(other)")
        }
    }

    @Test func aCutLeavesTheNodesBesideItAsTheyAre() {
        let tree = tree(0..<5000)
        #expect(tree.slice(0..<5000).isIdentical(to: tree))
        #expect(tree.slice(-7..<9999).isIdentical(to: tree))
        let all = leaves(tree)
        for leaf in [1, 10, 28, 40, 80] {
            let parts = [tree.slice(0..<(leaf * 56)), tree.slice((leaf * 56)..<5000)]
            #expect(parts.flatMap(leaves) == all, "at \(leaf * 56)")
        }
        // What is cut is made again, and at most what is beside it.
        let made = Set(leaves(tree.slice(1000..<2000))).subtracting(all)
        #expect(made.count <= 4)
    }

    @Test func aTreeOfEqualElementsHasAsManyAsAreAskedFor() {
        for count in [-1] + Array(0..<200) + [1000, 1001, 4097] {
            let expected = Array(repeating: 2, count: max(0, count))
            #expect(differs(tree(repeating: 2, count: count), from: expected) == nil, "\(count)")
        }
    }

    /// How many rows: one, two, powers of two, others, and what fills several leaves.
    @Test(arguments: [1, 2, 4, 7, 8, 64, 65, 1000, 4096, 5000])
    func whatIsAddedToAnElementIsAddedToAllSumsBehindIt(count: Int) {
        var tree = tree(repeating: 0, count: count)
        var expected = Array(repeating: 0, count: count)
        func check() {
            for row in 0..<count {
                #expect(tree.summary(before: row + 1).sum == expected[row])
            }
        }
        check()
        for (row, extent) in [(0, 10), (1, -5), (0, 20), (count - 1, 3), (count / 2, 7)] {
            guard let old = tree.element(at: row) else { continue }
            tree = tree.replacing(at: row, with: old + extent)
            for behind in row..<count { expected[behind] += extent }
        }
        check()
        if count == 8 { #expect(expected == [30, 25, 25, 25, 32, 32, 32, 35]) }
    }

    @Test func equalElementsShareNodes() {
        let tree = tree(repeating: 3, count: 1_000_000)
        #expect(tree.count == 1_000_000)
        #expect(tree.summary.sum == 3_000_000)
        #expect(tree.nodeIdentities().count < 200)
    }
}
