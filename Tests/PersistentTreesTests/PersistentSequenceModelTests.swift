import PersistentTrees
import TestSupport
import Testing

/// Stretches and single edits in any order, against an array; older versions stay as they were.
@Suite("A persistent sequence and an array")
struct PersistentSequenceModelTests {
    private static func numbers(_ range: Range<Int>) -> Numbers {
        var builder = Numbers.Builder(nodeCapacity: .uniform(4))
        for number in range { builder.append(number) }
        return builder.tree()
    }

    /// Every cut of every size up to four levels, each half and both together again.
    @Test func everyCutAndEveryJoinMatchesTheArray() {
        for count in 0...Effort.number(90, usually: 45) {
            let (tree, model) = (Self.numbers(0..<count), Array(0..<count))
            for middle in 0...count {
                let parts = [tree.slice(0..<middle), tree.slice(middle..<count)]
                let models = [Array(model[..<middle]), Array(model[middle...])]
                for (part, model) in zip(parts, models) {
                    #expect(differs(part, from: model) == nil, "\(middle) of \(count)")
                }
                #expect(differs(parts[0].appending(parts[1]), from: model) == nil)
                #expect(differs(parts[1].appending(parts[0]), from: models[1] + models[0]) == nil)
            }
            #expect(differs(tree, from: model) == nil)
        }
    }

    /// Every stretch of small sequences by none, by one, and by what takes several levels.
    @Test func everyReplacedStretchMatchesTheArray() {
        for count in 0...Effort.number(40, usually: 22) {
            let (tree, model) = (Self.numbers(0..<count), Array(0..<count))
            for start in 0...count {
                for end in start...count {
                    for many in [0, 1, 2, 5, 17, 40] {
                        let fresh = Array(repeating: -1, count: many)
                        let replaced = tree.replacing(
                            start..<end,
                            with: Numbers(repeating: -1, count: many, nodeCapacity: .uniform(4))
                        )
                        let expected = model[..<start] + fresh + model[end...]
                        guard let fault = differs(replaced, from: Array(expected)) else { continue }
                        Issue.record("\(start)..<\(end) of \(count) by \(many): \(fault)")
                        return
                    }
                }
            }
        }
    }

    /// Nodes of stretches belong to nobody, also where one hangs in several places of one tree.
    @Test func editsOfSharedNodesChangeOnePlaceOnly() {
        for count in [5, 16, 64, 200] {
            let tree = Numbers(repeating: 7, count: count, nodeCapacity: .uniform(4))
            for position in 0..<count {
                var transaction = tree.transaction()
                transaction.replace(at: position, with: 8)
                transaction.insert(9, at: count - position)
                transaction.remove(at: position / 2)
                var expected = Array(repeating: 7, count: count)
                expected[position] = 8
                expected.insert(9, at: count - position)
                expected.remove(at: position / 2)
                #expect(differs(transaction.commit(), from: expected) == nil)
            }
            #expect(differs(tree, from: Array(repeating: 7, count: count)) == nil)
        }
    }

    @Test func whatIsLeftOfABuilderEndsWithIt() {
        let living = LiveCount()
        for count in [0, 1, 4, 5, 30] {
            do {
                var builder = PersistentSequence<Counted, NoSummary<Counted>>.Builder(
                    nodeCapacity: .uniform(4)
                )
                for _ in 0..<count { builder.append(Counted(living)) }
                #expect(living.value == count)
            }
            #expect(living.value == 0)
        }
    }

    /// Each stretch by itself, those at the ends and those of nothing too.
    @Test func noElementOutlivesTheStretchesThatHaveIt() {
        typealias Tree = PersistentSequence<Counted, NoSummary<Counted>>
        let living = LiveCount()
        for count in [1, 3, 4, 5, 16, 21] {
            for start in 0...count {
                for end in start...count {
                    do {
                        let elements = (0..<count).map { _ in Counted(living) }
                        let tree = Tree(elements, nodeCapacity: .uniform(4))
                        #expect(tree.slice(start..<end).count == end - start)
                        let fresh = Tree(
                            repeating: Counted(living),
                            count: 7,
                            nodeCapacity: .uniform(4)
                        )
                        let empty = Tree(nodeCapacity: .uniform(4))
                        for other in [fresh, empty] {
                            let replaced = tree.replacing(start..<end, with: other)
                            #expect(replaced.count == count - (end - start) + other.count)
                        }
                        #expect(tree.appending(fresh).appending(tree).count == 2 * count + 7)
                        _ = tree.replacing(at: start, with: Counted(living))
                    }
                    #expect(living.value == 0, "\(start)..<\(end) of \(count)")
                }
            }
        }
    }

    @Test(arguments: UInt64(1)...Effort.number(40, usually: 8), [4, 5, 8, 32])
    func anyRunOfEditsAndStretchesMatchesTheArray(seed: UInt64, capacity: Int) {
        var random = SeededNumbers(seed: seed)
        let nodeCapacity = NodeCapacity(leaf: capacity, inner: 4 + Int(seed % 3))
        var model = (0..<random.next(below: 400)).map { _ in random.next(below: 9) }
        var tree = Numbers(model, nodeCapacity: nodeCapacity)
        var kept: [(tree: Numbers, model: [Int])] = []
        for step in 0..<80 {
            kept.append((tree, model))
            if kept.count > 4 { kept.remove(at: random.next(below: 4)) }
            edit(&tree, &model, &random)
            for (tree, model) in kept + [(tree, model)] {
                if let difference = differs(tree, from: model) {
                    Issue.record("seed \(seed), step \(step): \(difference)")
                    return
                }
            }
        }
    }

    private func edit(
        _ tree: inout Numbers,
        _ model: inout [Int],
        _ random: inout SeededNumbers
    ) {
        let start = random.next(below: model.count + 1)
        let end = min(model.count, start + random.next(below: random.chance(0.8) ? 12 : 300))
        let value = random.next(below: 9)
        switch random.next(below: model.count > 2_000 ? 2 : 6) {
        case 0:
            model.removeSubrange(start..<end)
            tree = tree.replacing(start..<end, with: Numbers(nodeCapacity: tree.nodeCapacity))
        case 1:
            model = Array(model[start..<end])
            tree = tree.slice(start..<end)
        case 2:
            let fresh = Array(repeating: value, count: random.next(below: 300))
            model.replaceSubrange(start..<end, with: fresh)
            let equal = Numbers(
                repeating: value,
                count: fresh.count,
                nodeCapacity: tree.nodeCapacity
            )
            tree = tree.replacing(start..<end, with: equal)
        case 3:
            // A part of itself, whose nodes then hang in two places.
            model += model[start..<end]
            tree = tree.appending(tree.slice(start..<end))
        case 4:
            model.replaceSubrange(start..<min(start + 1, model.count), with: [value])
            tree =
                start < tree.count
                ? tree.replacing(at: start, with: value)
                : tree.appending(Numbers([value], nodeCapacity: tree.nodeCapacity))
        default:
            var transaction = tree.transaction()
            for _ in 0..<random.next(below: 20) {
                let position = random.next(below: model.count + 1)
                if position == model.count || random.chance(0.6) {
                    model.insert(value, at: position)
                    transaction.insert(value, at: position)
                } else {
                    model.remove(at: position)
                    transaction.remove(at: position)
                }
            }
            tree = transaction.commit()
        }
    }
}
