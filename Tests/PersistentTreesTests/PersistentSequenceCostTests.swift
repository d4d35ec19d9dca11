import Dispatch
import PersistentTrees
import Synchronization
import TestSupport
import Testing

/// Complexity (by counting), lifetimes, and concurrent readers.
struct PersistentSequenceCostTests {
    @Test(arguments: [1_000, 30_000, Effort.number(1_000_000, usually: 300_000)])
    func theCostOfAnEditDependsOnDepthNotOnCount(count: Int) {
        let sequence = Numbers(Array(0..<count), nodeCapacity: .uniform(64))
        // 64 elements per leaf, at least 32 children per inner node.
        let height = count <= 4096 ? 1 : count <= 262_144 ? 2 : 3
        #expect(sequence.height == height)
        var random = SeededNumbers(seed: 1)
        for _ in 0..<200 {
            var insertion = sequence.transaction()
            insertion.insert(0, at: random.next(below: count + 1))
            #expect(insertion.visitedNodes == height + 1)
            // Each node on the path is copied and may be split; then there is a new root.
            #expect(insertion.madeNodes <= 2 * (height + 1) + 1)
            _ = insertion.commit()

            var removal = sequence.transaction()
            removal.remove(at: random.next(below: count))
            // Each node except the root may merge with a neighbour or borrow from it.
            #expect(removal.visitedNodes <= 3 * height + 1)
            #expect(removal.madeNodes <= 2 * height + 1)
            _ = removal.commit()

            var replacement = sequence.transaction()
            replacement.replace(at: random.next(below: count), with: 0)
            #expect(replacement.madeNodes == height + 1)
            _ = replacement.commit()
        }
    }

    @Test func aTransactionCopiesANodeOnceAndSharesTheRest() {
        let sequence = Numbers(Array(0..<100_000))
        let old = sequence.nodeIdentities()
        #expect(sequence.transaction().commit().isIdentical(to: sequence))
        var transaction = sequence.transaction()
        for _ in 0..<1000 { transaction.replace(at: 777, with: 0) }
        #expect(transaction.madeNodes == sequence.height + 1)
        let new = transaction.commit().nodeIdentities()
        #expect(new.subtracting(old).count == sequence.height + 1)
        #expect(old.subtracting(new).count == sequence.height + 1)
        #expect(sequence.slice(-7..<999_999).isIdentical(to: sequence))
        // Only the cut nodes, and at most their neighbours on each level, are made again.
        let cut = sequence.slice(1_000..<90_000).nodeIdentities().subtracting(old)
        #expect(cut.count <= 4 * (sequence.height + 1))
        let equal = Numbers(repeating: 3, count: 1_000_000)
        #expect(equal.summary.sum == 3_000_000 && equal.nodeIdentities().count < 200)
    }

    /// Leaves keep an eighth of their capacity free and are filled evenly.
    @Test func aBuiltTreeFillsItsLeavesEvenlyWithALittleRoom() {
        for capacity in [4, 7, 8, 9, 16, 32] {
            for count in 1...(capacity * 6) {
                let leaves = Numbers(Array(0..<count), nodeCapacity: .uniform(capacity))
                    .leafCounts()
                let filling = count <= capacity ? capacity : capacity - capacity / 8
                let difference = (leaves.max() ?? 0) - (leaves.min() ?? 0)
                if leaves.count != (count + filling - 1) / filling || difference > 1 {
                    Issue.record("\(count) in leaves of \(capacity): \(leaves)")
                }
            }
        }
        let heights = [32, 33, 32 * 28, 32 * 28 + 1].map { Numbers(Array(0..<$0)).height }
        #expect(heights == [0, 1, 1, 2])
    }

    /// A sum reads elements only in the last leaf; earlier nodes have their sums. A summary without
    /// storage is never computed.
    @Test func aSumReadsFewElements() {
        let sequence = PersistentSequence<Int, ReadCount>(
            Array(0..<4000),
            nodeCapacity: .uniform(4)
        )
        let before = ReadCount.elements.load(ordering: .relaxed)
        #expect(sequence.summary(before: 3999).count == 3999)
        #expect((1...4).contains(ReadCount.elements.load(ordering: .relaxed) - before))
        var plain = PersistentSequence<Int, Uncomputed>(Array(0..<100), nodeCapacity: .uniform(4))
        var transaction = plain.transaction()
        transaction.insert(7, at: 50)
        transaction.remove(at: 3)
        transaction.replace(at: 9, with: 2)
        plain = transaction.commit()
        #expect(plain.count == 100 && Uncomputed.computations.load(ordering: .relaxed) == 0)
    }

    // MARK: Lifetimes and threads

    @Test(arguments: UInt64(1)...4)
    func noElementOutlivesItsLastVersion(seed: UInt64) {
        let living = LiveCount()
        var random = SeededNumbers(seed: seed)
        var model = (0..<50).map { _ in Counted(living) }
        var versions = [
            PersistentSequence<Counted, NoSummary<Counted>>(model, nodeCapacity: .uniform(4))
        ]
        for _ in 0..<300 {
            var transaction = versions[versions.count - 1].transaction()
            for _ in 0..<random.next(below: 6) {
                let position = random.next(below: model.count + 1)
                if random.chance(0.5) || position == model.count {
                    let element = Counted(living)
                    model.insert(element, at: position)
                    transaction.insert(element, at: position)
                } else {
                    model.remove(at: position)
                    transaction.remove(at: position)
                }
            }
            // Some transactions are abandoned.
            if random.chance(0.2) {
                model = Array(versions[versions.count - 1])
            } else {
                versions.append(transaction.commit())
            }
            if versions.count > 4 { versions.remove(at: random.next(below: 4)) }
            let held = Set(versions.flatMap { $0.map(ObjectIdentifier.init) })
            #expect(living.value == held.count)
        }
        model = []
        versions = []
        #expect(living.value == 0)
    }

    /// Covers every range, including empty ones and those at the ends, and an abandoned builder.
    @Test func noElementOutlivesTheRangesThatHoldIt() {
        typealias Tree = PersistentSequence<Counted, NoSummary<Counted>>
        let living = LiveCount()
        for count in [1, 3, 4, 5, 16, 21] {
            do {
                var builder = Tree.Builder(nodeCapacity: .uniform(4))
                for _ in 0..<count { builder.append(Counted(living)) }
            }
            for start in 0...count {
                for end in start...count {
                    do {
                        let elements = (0..<count).map { _ in Counted(living) }
                        let tree = Tree(elements, nodeCapacity: .uniform(4))
                        let replacement = Tree(
                            repeating: Counted(living),
                            count: 7,
                            nodeCapacity: .uniform(4)
                        )
                        for other in [replacement, Tree(nodeCapacity: .uniform(4))] {
                            let replaced = tree.replacing(start..<end, with: other)
                            #expect(replaced.count == count - (end - start) + other.count)
                        }
                        #expect(tree.appending(replacement).appending(tree).count == 2 * count + 7)
                        _ = tree.replacing(at: start, with: Counted(living))
                    }
                    #expect(living.value == 0, "\(start)..<\(end) of \(count)")
                }
            }
        }
    }

    /// For ThreadSanitizer: readers read and drop older versions while newer ones are made.
    @Test func versionsCanBeReadWhileNewerOnesAreMade() {
        let readers = (0..<3).map { DispatchQueue(label: "reader \($0)") }
        let group = DispatchGroup()
        let living = LiveCount()
        let mismatches = LiveCount()
        var random = SeededNumbers(seed: 7)
        var model = (0..<200).map { _ in Counted(living) }
        var sequence = PersistentSequence<Counted, NoSummary<Counted>>(
            model,
            nodeCapacity: .uniform(4)
        )
        for step in 0..<400 {
            var transaction = sequence.transaction()
            for _ in 0..<4 {
                let element = Counted(living)
                let position = random.next(below: model.count)
                model.remove(at: position)
                transaction.remove(at: position)
                model.insert(element, at: position / 2)
                transaction.insert(element, at: position / 2)
            }
            sequence = transaction.commit()
            let (version, expected) = (sequence, model.map(ObjectIdentifier.init))
            readers[step % 3].async(group: group) { @Sendable in
                let isSame = version.map(ObjectIdentifier.init) == expected
                let place = step % expected.count
                if !isSame || ObjectIdentifier(version[place]) != expected[place] {
                    mismatches.add(1)
                }
            }
        }
        group.wait()
        #expect(mismatches.value == 0)
    }
}

/// An object that counts its living instances.
final class Counted: Sendable {
    private let living: LiveCount

    init(_ living: LiveCount) {
        self.living = living
        living.add(1)
    }

    deinit { living.add(-1) }
}

/// A summary without storage that counts its computations.
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

/// Counts the elements that it is computed from.
private struct ReadCount: SequenceSummary {
    static let elements = Atomic<Int>(0)
    static let zero = ReadCount(count: 0)
    let count: Int

    init(count: Int) { self.count = count }

    init(of element: Int) {
        count = 1
        Self.elements.add(1, ordering: .relaxed)
    }

    func combined(with next: Self) -> Self { ReadCount(count: count + next.count) }
}
