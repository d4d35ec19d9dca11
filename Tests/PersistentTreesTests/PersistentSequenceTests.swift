import PersistentTrees
import TestSupport
import Testing

typealias Numbers = PersistentSequence<Int, Total>

/// The sum of numbers.
struct Total: SequenceSummary {
    var sum: Int
    static let zero = Total(of: 0)
    init(of element: Int) { sum = element }
    func combined(with next: Total) -> Total { Total(of: sum + next.sum) }
}

/// Returns the first difference between the sequence, read in every way, and the model, or a broken
/// invariant of its tree; `nil` if there is none.
func differs(_ sequence: Numbers, from model: [Int]) -> String? {
    if let fault = sequence.brokenInvariant() { return fault }
    if sequence.count != model.count || sequence.isEmpty != model.isEmpty { return "count" }
    if Array(sequence) != model { return "\(Array(sequence)), not \(model)" }
    // Every node must sum up its children, regardless of the edit that made it.
    func fault(_ node: Numbers.NodeShape, from start: Int) -> String? {
        let sum = model[start..<(start + node.count)].reduce(0, +)
        if node.summary.sum != sum { return "a node with \(node.summary.sum), not \(sum)" }
        var start = start
        for child in node.children {
            if let fault = fault(child, from: start) { return fault }
            start += child.count
        }
        return nil
    }
    if let shape = sequence.shape, let fault = fault(shape, from: 0) { return fault }
    if sequence.summary.sum != model.reduce(0, +) { return "sum \(sequence.summary.sum)" }
    for position in model.indices where sequence[position] != model[position] {
        return "\(sequence[position]) at \(position), not \(model[position])"
    }
    return nil
}

/// Compares a persistent sequence with an array; older versions must stay unchanged.
@Suite("A persistent sequence and an array")
struct PersistentSequenceTests {
    /// Every count up to four levels, and some larger ones: 4 elements per leaf, 4 children per
    /// node.
    private static let counts = Array(0...Effort.number(70, usually: 30)) + [64, 100, 140]

    private static func built(_ range: Range<Int>, _ capacity: NodeCapacity = .uniform(4))
        -> Numbers
    {
        var builder = Numbers.Builder(nodeCapacity: capacity)
        for number in range { builder.append(number) }
        return builder.tree()
    }

    private static func equal(_ number: Int, _ count: Int, _ capacity: NodeCapacity) -> Numbers {
        Numbers(repeating: number, count: count, nodeCapacity: capacity)
    }

    // MARK: Exhaustive

    @Test func everyWayToMakeASequenceKeepsTheElementsInOrder() {
        for capacity in [NodeCapacity.uniform(4), .uniform(7), NodeCapacity(leaf: 64, inner: 4)] {
            for count in Self.counts + [-1, 500, 2_100] {
                let model = Array(0..<max(0, count))
                let repeated = Array(repeating: 7, count: max(0, count))
                let fault =
                    differs(Numbers(model, nodeCapacity: capacity), from: model)
                    ?? differs(Self.built(0..<max(0, count), capacity), from: model)
                    ?? differs(Self.equal(7, count, capacity), from: repeated)
                #expect(fault == nil, "\(count) in \(capacity)")
            }
        }
        #expect(Numbers(Array(0..<140), nodeCapacity: .uniform(4)).height == 3)
    }

    /// Makes every single edit at every position of every size and compares both versions each
    /// time.
    @Test func everySingleEditMatchesTheArray() {
        for count in Self.counts {
            let model = Array(0..<count)
            let sequence = Numbers(model, nodeCapacity: .uniform(4))
            for position in 0...count {
                for edit in 0..<3 where edit == 0 || position < count {
                    var (expected, isSame) = (model, true)
                    var transaction = sequence.transaction()
                    switch edit {
                    case 0:
                        expected.insert(-1, at: position)
                        transaction.insert(-1, at: position)
                    case 1:
                        isSame = transaction.remove(at: position) == expected.remove(at: position)
                    default:
                        isSame = transaction.replace(at: position, with: -1) == position
                        expected[position] = -1
                    }
                    isSame =
                        isSame && expected.indices.allSatisfy { transaction[$0] == expected[$0] }
                    let fault = differs(transaction.commit(), from: expected)
                    if fault != nil || !isSame {
                        Issue.record(
                            "edit \(edit) at \(position) of \(count): \(fault ?? "result")"
                        )
                    }
                }
                let replaced = sequence.replacing(at: position, with: -1)
                var expected = model
                if position < count { expected[position] = -1 }
                if let fault = differs(replaced, from: expected) {
                    Issue.record("replacing at \(position) of \(count): \(fault)")
                }
            }
            #expect(differs(sequence, from: model) == nil)
        }
    }

    /// Every range: sliced, removed and inserted again, joined in reverse order, and replaced by no
    /// elements, by one, and by enough for several levels.
    @Test func everyRangeMatchesTheArray() {
        for count in 0...Effort.number(40, usually: 24) {
            let (tree, model) = (Self.built(0..<count), Array(0..<count))
            for start in 0...count {
                for end in start...count {
                    var transaction = tree.transaction()
                    transaction.removeSubrange(start..<end)
                    let removed = transaction.commit()
                    var again = removed.transaction()
                    again.insert(contentsOf: Array(start..<end), at: start)
                    let whole = again.commit()
                    let (head, tail) = (Array(model[..<start]), Array(model[end...]))
                    let parts = [tree.slice(0..<start), tree.slice(end..<(count + 7))]
                    var fault =
                        differs(removed, from: head + tail) ?? differs(whole, from: model)
                        ?? differs(tree.slice(start..<end), from: Array(start..<end))
                        ?? differs(parts[0].appending(parts[1]), from: head + tail)
                        ?? differs(parts[1].appending(parts[0]), from: tail + head)
                    for many in [0, 1, 5, 17, 40] {
                        let other = Self.equal(-1, many, .uniform(4))
                        let expected = head + Array(repeating: -1, count: many) + tail
                        fault =
                            fault
                            ?? differs(tree.replacing(start..<end, with: other), from: expected)
                    }
                    guard let fault else { continue }
                    Issue.record("\(start)..<\(end) of \(count): \(fault)")
                    return
                }
            }
            #expect(differs(tree, from: model) == nil && tree.slice(-3..<(-1)).isEmpty)
        }
    }

    /// Nodes of slices have no owner, even if one node occurs at several positions of a tree.
    @Test func anEditOfASharedNodeChangesOnePosition() {
        for count in [5, 16, 64, 200] {
            let tree = Self.equal(7, count, .uniform(4))
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

    // MARK: Searching

    /// Looks up every position by index and by sum, inside and outside the sequence. Zeros repeat
    /// the sum before them.
    @Test func everyPositionIsFoundByIndexAndBySum() {
        for count in Array(0..<40) + [56, 57, 65, 130] {
            for leaf in [4, 64] {
                let values = (0..<count).map { $0 % 3 }
                let tree = Numbers(values, nodeCapacity: NodeCapacity(leaf: leaf, inner: 4))
                var sums = [0]
                for value in values { sums.append(sums[sums.count - 1] + value) }
                var isRight = true
                for index in -2..<(count + 3) {
                    let clamped = min(max(0, index), count)
                    let element = values.indices.contains(index) ? values[index] : nil
                    let place = tree.place { reached, _ in reached > index }
                    var cursor = tree.makeIterator(from: index)
                    var walked: [Int] = []
                    while let value = cursor.next() { walked.append(value) }
                    isRight =
                        isRight && tree.element(at: index) == element
                        && tree.summary(before: index).sum == sums[clamped]
                        && place.index == clamped && place.before.sum == sums[clamped]
                        && walked == Array(values[clamped...]) && cursor.next() == nil
                }
                for target in 0...(sums[count] + 1) {
                    let index = values.indices.first { sums[$0 + 1] >= target } ?? count
                    let found = tree.place { _, summary in summary.sum >= target }
                    isRight = isRight && found.index == index && found.before.sum == sums[index]
                }
                // Like rounded sums: the predicate holds for the total, not for partial sums.
                var calls = 0
                let last = tree.place { _, _ in
                    calls += 1
                    return calls == 1
                }
                #expect(isRight && last.index == max(0, count - 1), "\(count), \(leaf)")
            }
        }
    }

    // MARK: Random

    /// Ranges, copies of the sequence itself and transactions of single edits make it grow and
    /// shrink, based on several versions that are held at the same time.
    @Test(arguments: UInt64(1)...Effort.number(40, usually: 8), [4, 5, 8, 32])
    func randomEditsAndSlicesMatchArrays(seed: UInt64, capacity: Int) {
        var random = SeededNumbers(seed: seed)
        let nodeCapacity = NodeCapacity(leaf: capacity, inner: 4 + Int(seed % 3))
        let model = (0..<random.next(below: 400)).map { _ in random.next(below: 9) }
        var versions = [(tree: Numbers(model, nodeCapacity: nodeCapacity), model: model)]
        for step in 0..<80 {
            // Most steps continue from the newest version, some from an older one.
            let base =
                random.isTrue(oneIn: 6) ? random.next(below: versions.count) : versions.count - 1
            var next = versions[base]
            edit(&next.tree, &next.model, &random)
            versions.append(next)
            if versions.count > 5 { versions.remove(at: random.next(below: 4)) }
            for (tree, model) in versions {
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
        switch random.next(below: model.count > 1_000 ? 2 : 7) {
        case 0:
            model.removeSubrange(start..<end)
            tree = tree.replacing(start..<end, with: Numbers(nodeCapacity: tree.nodeCapacity))
        case 1:
            model = Array(model[start..<end])
            tree = tree.slice(start..<end)
        case 2:
            let inserted = Array(repeating: value, count: random.next(below: 300))
            model.replaceSubrange(start..<end, with: inserted)
            let equal = Self.equal(value, inserted.count, tree.nodeCapacity)
            tree = tree.replacing(start..<end, with: equal)
        case 3:
            // A part of the sequence itself, whose nodes then occur at two positions.
            model += model[start..<end]
            tree = tree.appending(tree.slice(start..<end))
        case 4:
            if start < model.count { model[start] = value }
            tree = tree.replacing(at: start, with: value)
        default:
            var transaction = tree.transaction()
            // Grows or shrinks, down to empty.
            let growth = random.isTrue(oneIn: 2) ? 0.8 : 0.1
            for _ in 0..<random.next(below: 60) {
                let position = random.next(below: model.count + 1)
                if position == model.count || random.chance(growth) {
                    model.insert(value, at: position)
                    transaction.insert(value, at: position)
                } else if random.chance(0.2) {
                    model[position] = -value
                    transaction.replace(at: position, with: -value)
                } else {
                    let end = min(model.count, position + random.next(below: 12))
                    model.removeSubrange(position..<end)
                    transaction.removeSubrange(position..<end)
                }
            }
            tree = transaction.commit()
        }
    }
}
