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

extension PersistentSequence {
    /// What is wrong with the tree.
    var fault: String? { brokenInvariant() }
}

/// Whether the sequence shows exactly the model, in every way to read it.
func differs(_ sequence: Numbers, from model: [Int]) -> String? {
    if let fault = sequence.fault { return fault }
    if sequence.count != model.count { return "count \(sequence.count), not \(model.count)" }
    if sequence.isEmpty != model.isEmpty { return "emptiness" }
    if Array(sequence) != model { return "\(Array(sequence)), not \(model)" }
    if sequence.summary.sum != model.reduce(0, +) { return "sum \(sequence.summary.sum)" }
    for position in model.indices where sequence[position] != model[position] {
        return "\(sequence[position]) at \(position), not \(model[position])"
    }
    return nil
}

struct PersistentSequenceTests {
    /// Every count up to four levels, and some beyond: 4 elements a leaf, 4 children a node.
    static let counts = Array(0...Effort.number(70, usually: 30)) + [64, 100, 140]

    @Test func buildingGivesTheElementsInOrder() {
        for capacity in 4...7 {
            for count in Self.counts {
                let model = Array(0..<count)
                let sequence = Numbers(model, nodeCapacity: .uniform(capacity))
                if let difference = differs(sequence, from: model) {
                    Issue.record("capacity \(capacity), count \(count): \(difference)")
                }
            }
        }
        #expect(Numbers(Array(0..<140), nodeCapacity: .uniform(4)).height == 3)
    }

    /// Every single edit at every position of every size, each time with both sides compared.
    @Test func everySingleEditMatchesTheArray() {
        for count in Self.counts {
            let model = Array(0..<count)
            let sequence = Numbers(model, nodeCapacity: .uniform(4))
            for position in 0...count {
                for edit in 0..<3 where edit == 0 || position < count {
                    var expected = model
                    var transaction = sequence.transaction()
                    switch edit {
                    case 0:
                        expected.insert(-1, at: position)
                        transaction.insert(-1, at: position)
                    case 1:
                        let removed = transaction.remove(at: position)
                        #expect(removed == expected.remove(at: position))
                    default:
                        let replaced = transaction.replace(at: position, with: -1)
                        #expect(replaced == position)
                        expected[position] = -1
                    }
                    if let difference = differs(transaction.commit(), from: expected) {
                        Issue.record("edit \(edit) at \(position) of \(count): \(difference)")
                    }
                }
            }
            #expect(differs(sequence, from: model) == nil)
        }
    }

    /// All sequences of four inserts and removes at all positions, from sizes around a split and a
    /// merge; every prefix is a version of its own or part of one transaction.
    @Test(arguments: [0, 1, 4, 5, 9])
    func everyShortRunOfEditsMatchesTheArray(count: Int) {
        func run(_ sequence: Numbers, _ model: [Int], _ depth: Int) {
            guard depth > 0 else { return }
            for position in 0...model.count {
                for inserts in [true, false] where inserts || position < model.count {
                    var expected = model
                    var transaction = sequence.transaction()
                    if inserts {
                        expected.insert(-depth, at: position)
                        transaction.insert(-depth, at: position)
                    } else {
                        expected.remove(at: position)
                        transaction.remove(at: position)
                    }
                    let next = transaction.commit()
                    if let difference = differs(next, from: expected) {
                        Issue.record("from \(model): \(difference)")
                    }
                    run(next, expected, depth - 1)
                }
            }
            if differs(sequence, from: model) != nil { Issue.record("\(model) changed") }
        }
        run(
            Numbers(Array(0..<count), nodeCapacity: .uniform(4)),
            Array(0..<count),
            count > 5 ? 2 : 3
        )
    }

    @Test func iteratingBeginsAnywhere() {
        for count in [0, 1, 4, 5, 30, 140] {
            let sequence = Numbers(Array(0..<count), nodeCapacity: .uniform(4))
            for start in -1...(count + 1) {
                var iterator = sequence.makeIterator(from: start)
                var seen: [Int] = []
                while let element = iterator.next() { seen.append(element) }
                #expect(iterator.next() == nil)
                #expect(seen == Array(min(max(0, start), count)..<count))
            }
        }
    }

    @Test(arguments: [4, 5, 8, 64], UInt64(1)...Effort.number(4, usually: 1))
    func randomEditsMatchTheArray(capacity: Int, seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var model = Array(0..<random.next(below: 3000))
        var sequence = Numbers(model, nodeCapacity: .uniform(capacity))
        var kept: [(sequence: Numbers, model: [Int])] = []
        for step in 0..<60 {
            kept.append((sequence, model))
            if kept.count > 5 { kept.remove(at: random.next(below: 5)) }
            var transaction = sequence.transaction()
            // Now growing, now shrinking, down to nothing.
            let growth = Double((step / 15) % 2 == 0 ? 1 : 9) / 10
            for _ in 0..<random.next(below: 200) {
                let position = random.next(below: model.count + 1)
                if position == model.count || !random.chance(growth) {
                    model.insert(step, at: position)
                    transaction.insert(step, at: position)
                } else if random.chance(0.2) {
                    model[position] = -step
                    transaction.replace(at: position, with: -step)
                } else {
                    let end = min(model.count, position + random.next(below: 12))
                    model.removeSubrange(position..<end)
                    transaction.removeSubrange(position..<end)
                }
            }
            sequence = transaction.commit()
            for (sequence, model) in kept + [(sequence, model)] {
                if let difference = differs(sequence, from: model) {
                    Issue.record("seed \(seed), step \(step): \(difference)")
                    return
                }
            }
        }
    }
}
