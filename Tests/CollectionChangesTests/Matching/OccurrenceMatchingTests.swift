import TestSupport
import Testing

@testable import CollectionChanges

/// Which of equal rows are matched, in runs that are as long as they can be.
@Suite struct OccurrenceMatchingTests {
    private struct Pair: Hashable {
        var old: ItemPath
        var new: ItemPath
    }

    /// The runs row by row, or nil where two could be one or one is empty or out of order.
    private func pairs(_ runs: [SurvivingRun]) -> [Pair]? {
        for (run, next) in zip(runs, runs.dropFirst()) {
            let (oldEnd, newEnd) = (run.oldPath(at: run.count), run.newPath(at: run.count))
            if next.oldPath(at: 0) < oldEnd { return nil }
            if next.oldPath(at: 0) == oldEnd, next.newPath(at: 0) == newEnd { return nil }
        }
        if runs.contains(where: { $0.count < 1 }) { return nil }
        return runs.flatMap { run in
            (0..<run.count).map { Pair(old: run.oldPath(at: $0), new: run.newPath(at: $0)) }
        }
    }

    /// The first of equal rows with the first, the second with the second.
    private func byOccurrence(_ old: [[Int]], _ new: [[Int]]) -> [Pair] {
        func paths(_ rows: [[Int]]) -> [(id: Int, path: ItemPath)] {
            rows.indices.flatMap { section in
                rows[section].indices.map { (rows[section][$0], path(section, $0)) }
            }
        }
        var free = Dictionary(grouping: paths(new)) { $0.id }
        return paths(old).compactMap { row in
            guard let first = free[row.id]?.first else { return nil }
            free[row.id]?.removeFirst()
            return Pair(old: row.path, new: first.path)
        }
    }

    private func matching<ID: Hashable>(
        _ old: [[Int]],
        _ new: [[Int]],
        _ sections: [SurvivingSection] = [],
        _ make: (Int) -> ID
    ) throws -> SectionedMatching {
        try SectionedMatching(
            from: old.map { $0.map(make) },
            to: new.map { $0.map(make) },
            pairs: sections,
            rules: IdentifierRules<ID>(),
            isCancelled: { false }
        )
    }

    @Test func everyPairOfSmallSequencesThatIsNotWalked() throws {
        let all = everySequence(upTo: 4)
        for old in all where isCanonical(old) {
            for new in all {
                let expected = byOccurrence([old], [new])
                let plain = try matching([old], [new]) { $0 }
                let colliding = try matching([old], [new]) { ChosenHash($0, hash: 1) }
                if pairs(plain.runs) != expected || pairs(colliding.runs) != expected {
                    Issue.record("\(old) to \(new): \(plain.runs), \(colliding.runs)")
                }
            }
        }
    }

    @Test func rowsOfSeveralSectionsThatAreNotWalked() throws {
        for seed in 0..<UInt64(300) {
            var generator = SeededNumbers(seed: seed)
            func side() -> [[Int]] {
                (0..<3).map { _ in
                    (0..<generator.next(below: 6)).map { _ in generator.next(below: 5) }
                }
            }
            let (old, new) = (side(), side())
            let found = try matching(old, new) { Colliding(id: $0) }
            #expect(pairs(found.runs) == byOccurrence(old, new), "seed \(seed)")
        }
    }

    @Test func asManyEqualRowsSurviveAsBothSidesHave() throws {
        for seed in 0..<UInt64(300) {
            var generator = SeededNumbers(seed: seed)
            let most = seed % 10 == 0 ? 400 : 12
            func side() -> [[Int]] {
                (0..<3).map { _ in
                    (0..<generator.next(below: most)).map { _ in generator.next(below: most) }
                }
            }
            let (old, new) = (side(), side())
            let sections = (0..<3).map { SurvivingSection(oldSection: $0, newSection: 2 - $0) }
            let found = try matching(old, new, sections) { $0 }
            let matched = try #require(pairs(found.runs), "seed \(seed)")
            #expect(matched.allSatisfy { old[$0.old] == new[$0.new] }, "seed \(seed)")
            #expect(Set(matched.map(\.old)).count == matched.count, "seed \(seed)")
            #expect(Set(matched.map(\.new)).count == matched.count, "seed \(seed)")
            #expect(matched.count == byOccurrence(old, new).count, "seed \(seed)")
        }
    }

    @Test func aRowThatIsMatchedIsNotMatchedAgainWhereItWouldComeNext() throws {
        // After 256 rows the next one is tried with the second old row, which is taken.
        let old = Array(0..<256)
        let new = Array(1..<256) + [0, 1]
        let found = try matching([old], [new]) { $0 }
        #expect(pairs(found.runs) == byOccurrence([old], [new]))
    }

    @Test func aRowThatIsFoundAtOnceIsComparedOnce() throws {
        let tally = ChosenHash.Tally()
        let rows = Array(0..<10)
        _ = try matching([rows], [rows.reversed()]) { ChosenHash($0, hash: $0, tally) }
        // And once with the first old row.
        #expect(tally.comparisons == 11)
    }

    @Test func contentsAreComparedWhereverARowIsFound() throws {
        for seed in 0..<UInt64(100) {
            var generator = SeededNumbers(seed: seed)
            let old = (0..<3).map { section in (0..<8).map { 8 * section + $0 } }
            let ids = Array(0..<24).shuffled(using: &generator)
            let new = [Array(ids[..<4]) + Array(8..<16), [], Array(ids[4...])]
            let seen = Set(byOccurrence(old, new).map(\.old))
            let newRows = new.map { $0.map { Row(id: $0, revision: $0 % 3 == 0 ? 1 : 0) } }
            let found = try SectionedMatching(
                from: old.map { $0.map { Row(id: $0, revision: 0) } },
                to: newRows,
                pairs: [SurvivingSection(oldSection: 1, newSection: 0)],
                rules: IdentifiableRules<Row>(),
                isCancelled: { false }
            )
            let matched = try #require(pairs(found.runs))
            #expect(Set(matched.map(\.old)) == seen)
            let changed = matched.map(\.old).filter { old[$0] % 3 == 0 }
            #expect(found.updated == changed, "seed \(seed)")
        }
    }

    // MARK: The table

    private func rows(_ ids: [Int]) -> ResidualRows<Int> {
        var rows = ResidualRows<Int>(capacity: ids.count)
        if ids.isEmpty { return rows }
        ids.withUnsafeBufferPointer { rows.append(ids.indices, of: $0, base: 100) }
        return rows
    }

    @Test func equalRowsThatAreTakenAreNotGonePastAgain() {
        for count in 1...5 {
            let old = rows([7, 7, 7, 7, 7])
            // The first is not the one that is tried before all are looked up.
            let new = rows([9] + Array(repeating: 7, count: count))
            var table = ResidualTable(IdentifierRules<Int>(), old: old, new: new)
            let isFinished = table.run(isCancelled: { false })
            let partners = (0..<5).map { Int(table.partners[$0]) }
            let slots = (0...table.table.mask).map { table.table.slots[$0] }.filter { $0 != 0 }
            #expect(isFinished)
            #expect(partners == (0..<5).map { $0 < count ? 102 + $0 : 0 })
            #expect(slots.map { SlotTable.row($0) } == [count - 1])
        }
    }

    @Test func aTableIsMadeOnlyWhereBothSidesHaveRows() {
        for (oldCount, newCount, mask) in [
            (0, 0, 15), (0, 100, 15), (100, 0, 15), (100, 1, 255), (1, 100, 15), (20, 100, 63),
        ] {
            let table = ResidualTable(
                IdentifierRules<Int>(),
                old: rows(Array(0..<oldCount)),
                new: rows(Array(0..<newCount))
            )
            let found = table.table.mask
            #expect(found == mask, "\(oldCount), \(newCount)")
        }
    }

    private final class Identity: Hashable, Sendable {
        let id: Int

        init(_ id: Int) { self.id = id }

        static func == (left: Identity, right: Identity) -> Bool { left.id == right.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    @Test func noRowIsRetained() throws {
        func difference() throws -> Weak {
            let rows = (0..<100).map { Identity($0) }
            let update = try ValidatedChangeSet(fromIdentifiers: rows, to: rows.reversed())
            #expect(update.edits.count == 198)
            return Weak(rows[50])
        }
        #expect(try difference().row == nil)
    }

    private struct Weak {
        private(set) weak var row: Identity?

        init(_ row: Identity) { self.row = row }
    }
}

extension [[Int]] {
    fileprivate subscript(path: ItemPath) -> Int { self[path.section][path.item] }
}
