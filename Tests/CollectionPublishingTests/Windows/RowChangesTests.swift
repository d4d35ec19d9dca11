import PipelineTestSupport
import Testing

@testable import CollectionPublishing

@Suite("Effects of updates on rows")
struct RowChangesTests {
    /// An update between two states and the rows that survive it.
    struct Step {
        let changeSet: ValidatedChangeSet
        let old: ListRows
        let new: ListRows
        let changes: RowChanges

        init(_ updates: inout PublishedUpdates, rate: Double) throws {
            let before = updates.model
            changeSet = try updates.next(rate: rate).0
            (old, new) = (ListRows(before), ListRows(updates.model))
            changes = RowChanges(
                changeSet,
                from: RowTable(before.shape),
                to: RowTable(updates.model.shape)
            )
        }

        /// The current places of rows that no edit names, by their old places.
        var untouched: [Int: Int] {
            var touched = Set(changeSet.reconfigurations.map { old.identity(at: $0.oldPath) })
            touched.formUnion(changeSet.itemRemovals.map { old.identity(at: $0.path) })
            var untouched: [Int: Int] = [:]
            var section = -1
            for (row, content) in old.rows.enumerated() {
                if content.isHeader { section += 1 }
                let isCarried = changeSet.sectionRemovals.contains { $0.section == section }
                if isCarried || touched.contains(content.identity) || changeSet.isReloadData {
                    continue
                }
                // A reader of a section's items also sees its header.
                let newSection = changeSet.newSection(for: section)
                if let newSection, changeSet.changedSections.contains(newSection) { continue }
                untouched[row] = new.row(of: content.identity)
            }
            return untouched
        }
    }

    @Test func partsOfAStateContainTheirRows() throws {
        for seed in 0..<UInt64(Effort.number(100, usually: 20)) {
            var updates = PublishedUpdates(seed: seed)
            for _ in 0..<3 { _ = try updates.next(rate: 0.5) }
            let state = updates.model.state
            let (rows, table) = (ListRows(updates.model), RowTable(state.shape))
            var faults: [Range<Int>] = []
            for first in 0...rows.rows.count {
                for end in first...rows.rows.count {
                    let part = state.part(first..<end, table)
                    let place = table.place(of: first..<end)
                    let expected = rows.seen(from: first, count: end - first)
                    let isRight =
                        StateModel(part) == expected.model && place == expected.place
                        && part.shape == expected.model.shape && place.mismatch(part.shape) == nil
                        && (end == first
                            || place.headerRow == table.row(ofHeader: place.firstSection))
                    if !isRight { faults.append(first..<end) }
                }
            }
            #expect(faults == [], "seed \(seed)")
        }
    }

    @Test func differencesOfTwoStatesAreOneUpdate() throws {
        for seed in 0..<UInt64(Effort.number(200, usually: 40)) {
            var updates = PublishedUpdates(seed: seed)
            _ = try updates.next(rate: 0.6)
            for step in 0..<4 {
                let old = updates.model.state
                _ = try updates.next(rate: 0.2)
                let new = updates.model.state
                let changes = new.changes(from: old)
                let contents = PublishedContents(of: changes, in: new)
                // Unchanged items are not sent again.
                let known = Set(old.entries.flatMap { $0.items.map(\.number) })
                let brought = contents.insertedSections.flatMap(\.items) + contents.insertedItems
                #expect(
                    contents.fit(changes) && old.applying(changes, contents) == new
                        && known.isDisjoint(with: brought.map(\.number)),
                    "seed \(seed), step \(step)"
                )
            }
        }
    }

    @Test func windowsAreAffectedOnlyByChangesInside() throws {
        var (shifted, touched) = (0, 0)
        for seed in 0..<UInt64(Effort.number(300, usually: 60)) {
            var updates = PublishedUpdates(seed: seed, isComplete: true)
            _ = try updates.next(rate: 0.6)
            for round in 0..<4 {
                let step = try Step(&updates, rate: round == 0 ? 0.4 : 0.05)
                let untouched = step.untouched
                for first in 0..<step.old.rows.count {
                    for last in first..<min(first + 9, step.old.rows.count) {
                        let now = (first...last).map { untouched[$0] }
                        let isWhole = zip(now, now.dropFirst()).allSatisfy { left, right in
                            guard let left, let right else { return false }
                            return left + 1 == right
                        }
                        let start = now[0]
                        let shift = step.changes.shift(
                            ofWindowFrom: 2 * first + 1,
                            to: 2 * last + 1
                        )
                        let expected = isWhole ? start.map { $0 - first } : nil
                        guard shift == expected else {
                            Issue.record(
                                "seed \(seed): rows \(first) to \(last) move by \(String(describing: shift)), not \(String(describing: expected)): \(step.changeSet)"
                            )
                            return
                        }
                        if shift == nil { touched += 1 } else if shift != 0 { shifted += 1 }
                    }
                }
            }
        }
        #expect(shifted > 500 && touched > 500)
    }

    @Test func aRemovedRowIsFollowedByTheNextSurvivor() throws {
        var found = 0
        var faults: [String] = []
        for seed in 0..<UInt64(Effort.number(300, usually: 60)) {
            var updates = PublishedUpdates(seed: seed, isComplete: true)
            _ = try updates.next(rate: 0.6)
            for _ in 0..<4 {
                let step = try Step(&updates, rate: 0.2)
                if step.changeSet.isReloadData {
                    #expect(step.changes.firstSurvivor(from: 0) == nil)
                    continue
                }
                // Rows whose payload only changes also survive.
                var staying = step.untouched
                for change in step.changeSet.reconfigurations {
                    let identity = step.old.identity(at: change.oldPath)
                    let isMoved = step.changeSet.itemRemovals.contains { $0.path == change.oldPath }
                    let isCarried = step.changeSet.sectionRemovals.contains {
                        $0.section == change.oldPath.section
                    }
                    guard !isMoved, !isCarried, let row = step.old.row(of: identity) else {
                        continue
                    }
                    staying[row] = step.new.row(of: identity)
                }
                for index in step.changeSet.changedSections {
                    guard let old = step.changeSet.oldSection(for: index),
                        !step.changeSet.sectionRemovals.contains(where: { $0.section == old })
                    else { continue }
                    for row in RowTable(step.changeSet.oldShape).rows(ofSection: old) {
                        let isRemoved = step.changeSet.itemRemovals.contains {
                            step.old.identity(at: $0.path) == step.old.rows[row].identity
                        }
                        if isRemoved { continue }
                        staying[row] = step.new.row(of: step.old.rows[row].identity)
                    }
                }
                for row in 0..<step.old.rows.count {
                    let next = (row..<step.old.rows.count).first { staying[$0] != nil }
                    let expected = next.flatMap { staying[$0] }
                    let survivor = step.changes.firstSurvivor(from: row)
                    // After the last surviving row, any result is allowed.
                    if let expected, survivor != expected {
                        faults.append("seed \(seed) row \(row)")
                    }
                    if next != row, expected != nil { found += 1 }
                }
            }
        }
        #expect(faults == [] && found > 100)
    }
}

extension ListRows {
    func identity(at path: ItemPath) -> String {
        let headers = rows.indices.filter { rows[$0].isHeader }
        return rows[headers[path.section] + 1 + path.item].identity
    }
}

extension RowChanges {
    /// Returns how far a window without changes inside moves, or `nil` if there are changes; as a
    /// table of windows computes it.
    fileprivate func shift(ofWindowFrom first: Int, to last: Int) -> Int? {
        let unchanged = unchangedRange(from: first)
        return !isReload && unchanged.contains(first, last) ? unchanged.growth : nil
    }
}
