import PersistentTrees
import PipelineTestSupport
import Testing

@testable import CollectionLayouts

/// Trees of every way of being made, against arrays: what they hold, and which nodes they have.
@Suite("Shapes of trees of extents")
struct ExtentTreeShapeTests {
    /// Around the capacities of leaves, of inner nodes, and of the leaves that a builder fills.
    private static let counts = [
        0, 1, 2, 31, 32, 33, 55, 56, 57, 63, 64, 65, 112, 500, 1791, 1792, 1793, 2100, 3200,
    ]

    private func numbers(_ range: Range<Int>) -> [Double] { range.map(Double.init) }

    private func tree(_ range: Range<Int>) -> Heights { Heights(Heights.Elements(numbers(range))) }

    private func elements(_ tree: Heights) -> [Double] {
        var elements: [Double] = []
        func visit(_ node: Heights.Node) {
            elements += node.elements
            node.children.forEach(visit)
        }
        if let root = tree.root { visit(root) }
        return elements
    }

    /// How many nodes there are on each level, leaves first.
    private func levels(_ tree: Heights) -> [Int] {
        var levels: [Int] = []
        func visit(_ node: Heights.Node) {
            while levels.count <= node.height { levels.append(0) }
            levels[node.height] += 1
            node.children.forEach(visit)
        }
        if let root = tree.root { visit(root) }
        return levels
    }

    /// What is promised of every tree, compared with the elements that it is to have; nil where it holds.
    private func fault(_ tree: Heights, _ expected: [Double]) -> String? {
        func fault(_ node: Heights.Node, isRoot: Bool) -> String? {
            if node.height == 0 {
                let isFull = (isRoot ? 1...64 : 32...64).contains(node.count)
                return isFull && node.count == node.elements.count ? nil : "a leaf of \(node.count)"
            }
            guard (isRoot ? 2...32 : 16...32).contains(node.children.count) else {
                return "a node of \(node.children.count)"
            }
            guard node.children.allSatisfy({ $0.height == node.height - 1 }) else {
                return "a node above others of several heights"
            }
            guard node.count == node.children.reduce(0, { $0 + $1.count }) else {
                return "a node that counts \(node.count)"
            }
            return node.children.lazy.compactMap { fault($0, isRoot: false) }.first
        }
        if tree.isEmpty != expected.isEmpty || (tree.root == nil) != expected.isEmpty {
            return "a tree that is empty, or is not"
        }
        if let root = tree.root, let fault = fault(root, isRoot: true) { return fault }
        if tree.count != expected.count { return "a tree that counts \(tree.count)" }
        if elements(tree) != expected { return "other elements" }
        let sum = expected.reduce(0, +)
        return tree.summary.extent == sum ? nil : "a sum of \(tree.summary.extent)"
    }

    @Test func joinedTreesAreOneBehindTheOther() {
        for count in Self.counts {
            for other in Self.counts {
                let joined = tree(0..<count).appending(tree(count..<(count + other)))
                if let fault = fault(joined, numbers(0..<(count + other))) {
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
        #expect(levels(Heights(repeating: 1, count: 64)) == [1])
        #expect(levels(Heights(repeating: 1, count: 65)) == [2, 1])
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
            let tree = tree(0..<count)
            #expect(self.levels(tree) == levels, "\(count)")
            #expect(fault(tree, numbers(0..<count)) == nil, "\(count)")
        }
    }

    @Test(arguments: [0, 1, 2, 56, 57, 65, 130, 200])
    func everyPlaceIsFoundByIndexAndBySum(count: Int) {
        let values = numbers(0..<count)
        let tree = tree(0..<count)
        var sums = [0.0]
        for value in values { sums.append(sums[sums.count - 1] + value) }
        for index in -2..<(count + 3) {
            let clamped = min(max(0, index), count)
            let isThere = values.indices.contains(index)
            #expect(tree.element(at: index) == (isThere ? values[index] : nil))
            #expect(tree.summary(before: index).extent == sums[clamped])
            let byCount = tree.place { reached, _ in reached > index }
            #expect(byCount.index == clamped && byCount.before.extent == sums[clamped])
            let (sum, before) = (sums[clamped], sums.firstIndex { $0 > sums[clamped] })
            let bySum = tree.place { _, summary in summary.extent > sum }
            #expect(bySum.index == before.map { $0 - 1 } ?? count)
            var cursor = tree.cursor(from: index)
            var walked: [Double] = []
            while let value = cursor.next() { walked.append(value) }
            #expect(walked == Array(values[clamped...]))
            #expect(cursor.next() == nil, "the end is the end")
            let replaced = tree.replacing(at: index, with: -1)
            var expected = values
            if isThere { expected[index] = -1 }
            #expect(fault(replaced, expected) == nil)
        }
        var cursor = tree.cursor()
        #expect(cursor.next() == values.first)
    }

    @Test(arguments: [1, 64, 65, 200, 2000])
    func aStretchOfATreeIsATree(count: Int) {
        let tree = tree(0..<count)
        let cuts = Self.counts.filter { $0 < count } + [count - 1, count]
        for start in cuts {
            for end in cuts + [count + 7] where start <= end {
                let expected = numbers(start..<max(start, min(end, count)))
                if let fault = fault(tree.slice(start..<end), expected) {
                    Issue.record("\(start) to \(end) of \(count): \(fault)")
                }
                let other = tree.replacing(start..<end, with: Heights(repeating: 3, count: 40))
                let rest = end < count ? numbers(end..<count) : []
                let whole = numbers(0..<start) + Array(repeating: 3, count: 40) + rest
                if let fault = fault(other, whole) {
                    Issue.record("\(start) to \(end) of \(count), replaced: \(fault)")
                }
            }
        }
        #expect(fault(tree.slice(-3..<(-1)), []) == nil)
        #expect(fault(tree.slice(-3..<1), numbers(0..<1)) == nil)
        #expect(fault(tree.slice((count + 1)..<(count + 2)), []) == nil)
    }

    @Test func nodesThatAreFilledStayAsTheyAre() {
        for (count, other) in [(32, 32), (32, 56), (33, 50), (896, 896), (896, 1736)] {
            let (first, second) = (tree(0..<count), tree(count..<(count + other)))
            let children = first.appending(second).root?.children ?? []
            #expect(children.first === first.root, "\(count) and \(other)")
            #expect(children.last === second.root, "\(count) and \(other)")
        }
    }

    @Test func aCutLeavesTheNodesBesideItAsTheyAre() {
        func leaves(_ tree: Heights) -> [ObjectIdentifier] {
            var leaves: [ObjectIdentifier] = []
            func visit(_ node: Heights.Node) {
                if node.height == 0 { leaves.append(ObjectIdentifier(node)) }
                node.children.forEach(visit)
            }
            if let root = tree.root { visit(root) }
            return leaves
        }
        let tree = tree(0..<5000)
        #expect(tree.slice(0..<5000).root === tree.root)
        #expect(tree.slice(-7..<9999).root === tree.root)
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
            let expected = Array(repeating: 2.0, count: max(0, count))
            #expect(fault(Heights(repeating: 2, count: count), expected) == nil, "\(count)")
        }
    }
}
