import Dispatch
import PersistentTrees
import TestSupport
import Testing

/// Complexity by counting, lifetimes, and reading from several threads.
struct PersistentSequenceCostTests {
    @Test(arguments: [1_000, 30_000, Effort.number(1_000_000, usually: 300_000)])
    func anEditCostsNodesByDepthAndNotByCount(count: Int) {
        let sequence = Numbers(Array(0..<count), nodeCapacity: .uniform(64))
        // 64 elements a leaf, at least 32 children a node.
        let height = count <= 4096 ? 1 : count <= 262_144 ? 2 : 3
        #expect(sequence.height == height)
        var random = SeededNumbers(seed: 1)
        for _ in 0..<200 {
            var insertion = sequence.transaction()
            insertion.insert(0, at: random.next(below: count + 1))
            #expect(insertion.visitedNodes == height + 1)
            // Each node on the way is copied, and may be split; then there is a new root.
            #expect(insertion.madeNodes <= 2 * (height + 1) + 1)
            _ = insertion.commit()

            var removal = sequence.transaction()
            removal.remove(at: random.next(below: count))
            // Each node but the root may take in or draw from a neighbour.
            #expect(removal.visitedNodes <= 3 * height + 1)
            #expect(removal.madeNodes <= 2 * height + 1)
            _ = removal.commit()

            var replacement = sequence.transaction()
            replacement.replace(at: random.next(below: count), with: 0)
            #expect(replacement.madeNodes == height + 1)
            _ = replacement.commit()
        }
    }

    @Test func aTransactionCopiesANodeOnce() {
        let sequence = Numbers(Array(0..<100_000))
        var transaction = sequence.transaction()
        for _ in 0..<1000 { transaction.replace(at: 777, with: 0) }
        #expect(transaction.madeNodes == sequence.height + 1)
        _ = transaction.commit()
    }

    @Test func versionsShareWhatTheEditDidNotTouch() {
        let sequence = Numbers(Array(0..<100_000))
        let old = sequence.nodeIdentities()
        #expect(sequence.transaction().commit().nodeIdentities() == old)
        var transaction = sequence.transaction()
        transaction.replace(at: 50_000, with: 0)
        let new = transaction.commit().nodeIdentities()
        #expect(new.subtracting(old).count == sequence.height + 1)
        #expect(old.subtracting(new).count == sequence.height + 1)
    }

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
            // Some transactions are given up.
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

    /// Meant for ThreadSanitizer: older versions are read, and dropped, while newer ones are made.
    @Test func versionsAreReadWhileNewerOnesAreMade() {
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

/// An object that counts how many of it there are.
final class Counted: Sendable {
    private let living: LiveCount

    init(_ living: LiveCount) {
        self.living = living
        living.add(1)
    }

    deinit { living.add(-1) }
}
