import PersistentTrees
import PipelineTestSupport
import Testing

@testable import CollectionLayouts

/// The tree against an array, after random cuts and joins.
@Suite struct ExtentTreeTests {
    @Test(arguments: 0..<20)
    func aTreeIsAnArrayWithSums(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var model = (0..<random.next(below: 3000)).map { _ in random.next(below: 9) }
        var tree = Heights(Heights.Elements(model.map(Double.init)))
        for _ in 0..<60 {
            let start = random.next(below: model.count + 1)
            let reach = random.chance(0.8) ? 40 : model.count
            let end = min(model.count, start + random.next(below: reach + 1))
            let fresh = (0..<random.next(below: random.chance(0.9) ? 50 : 4000)).map { _ in
                random.next(below: 9)
            }
            if random.chance(0.2) {
                let value = random.next(below: 9)
                tree = tree.replacing(
                    start..<end,
                    with: Heights(repeating: Double(value), count: fresh.count)
                )
                let values = Array(repeating: value, count: fresh.count)
                model.replaceSubrange(start..<end, with: values)
            } else {
                tree = tree.replacing(
                    start..<end,
                    with: Heights(Heights.Elements(fresh.map(Double.init)))
                )
                model.replaceSubrange(start..<end, with: fresh)
            }
            check(tree, model, &random)
        }
    }

    private func check(_ tree: Heights, _ model: [Int], _ random: inout SeededGenerator) {
        #expect(tree.count == model.count)
        #expect(tree.summary.extent == Double(model.reduce(0, +)))
        #expect(isBalanced(tree))
        let index = random.next(below: model.count + 3) - 1
        #expect(
            tree.element(at: index)
                == (model.indices.contains(index) ? Double(model[index]) : nil)
        )
        let before = model.prefix(max(0, index)).reduce(0, +)
        #expect(tree.summary(before: index).extent == Double(before))
        let target = Double(random.next(below: 9 * (model.count + 1)))
        let place = tree.place { _, summary in summary.extent > target }
        var (expected, sum) = (0, 0.0)
        while expected < model.count, sum + Double(model[expected]) <= target {
            sum += Double(model[expected])
            expected += 1
        }
        #expect(place.index == expected && place.before.extent == sum)
        var cursor = tree.cursor(from: max(0, index))
        for value in model.dropFirst(max(0, index)).prefix(100) {
            #expect(cursor.next() == Double(value))
        }
    }

    private func isBalanced(_ tree: Heights) -> Bool {
        func check(_ node: Heights.Node, isRoot: Bool) -> Bool {
            if node.height == 0 {
                return node.count <= Heights.leafCapacity
                    && node.count >= (isRoot ? 1 : Heights.leafCapacity / 2)
            }
            return node.children.count <= Heights.innerCapacity
                && node.children.count >= (isRoot ? 2 : Heights.innerCapacity / 2)
                && node.children.allSatisfy {
                    $0.height == node.height - 1 && check($0, isRoot: false)
                }
        }
        return tree.root.map { check($0, isRoot: true) } ?? true
    }

    /// How many rows: one, two, powers of two, others, and what fills several leaves.
    @Test(arguments: [1, 2, 4, 7, 8, 64, 65, 1000, 4096, 5000])
    func whatIsAddedBeforeARowShiftsItAndAllBehind(count: Int) {
        // A row begins behind what was added before it and before those above it.
        var tree = Heights(repeating: 0, count: count)
        var expected = Array(repeating: 0.0, count: count)
        func check() {
            for row in 0..<count {
                #expect(tree.summary(before: row + 1).extent == expected[row])
            }
        }
        check()
        for (row, extent) in [(0, 10.0), (1, -5), (0, 20), (count - 1, 3), (count / 2, 7)] {
            guard let old = tree.element(at: row) else { continue }
            tree = tree.replacing(at: row, with: old + extent)
            for behind in row..<count { expected[behind] += extent }
        }
        check()
        if count == 8 { #expect(expected == [30, 25, 25, 25, 32, 32, 32, 35]) }
    }

    @Test func equalElementsShareNodes() {
        let tree = Heights(repeating: 3, count: 1_000_000)
        #expect(tree.count == 1_000_000)
        #expect(tree.summary.extent == 3_000_000)
        var nodes: Set<ObjectIdentifier> = []
        func visit(_ node: Heights.Node) {
            if nodes.insert(ObjectIdentifier(node)).inserted { node.children.forEach(visit) }
        }
        if let root = tree.root { visit(root) }
        #expect(nodes.count < 200)
    }
}

/// Extents, and their sum.
struct HeightSummary: SequenceSummary {
    var extent: Double
    static var zero: HeightSummary { HeightSummary(extent: 0) }
    private init(extent: Double) { self.extent = extent }
    init(of height: Double) { extent = height }
    func combined(with next: HeightSummary) -> HeightSummary {
        HeightSummary(extent: extent + next.extent)
    }
}

typealias Heights = ExtentTree<Double, HeightSummary>
