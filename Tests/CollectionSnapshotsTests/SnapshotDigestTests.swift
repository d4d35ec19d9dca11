import CollectionChanges
import CollectionSnapshots
import TestSupport
import Testing

/// Digests of snapshots, updated incrementally and computed from scratch.
@Suite struct SnapshotDigestTests {
    @Test func aDigestDependsOnIdentifiersNotOnEdits() throws {
        let whole = try Snapshot(["a": [1, 2], "b": [], "c": [3]])
        var made = try Snapshot(["c": [3, 1]])
        try made.insertSections(["a", "b"], beforeSection: "c")
        try made.appendItems([2, 1], toSection: "a")
        try made.moveItem(1, beforeItem: 2)
        #expect(StateDigest(of: made) == StateDigest(of: whole))
        try made.reloadItems([1])
        #expect(StateDigest(of: made) == StateDigest(of: whole))
        try made.moveItem(1, afterItem: 2)
        #expect(StateDigest(of: made) != StateDigest(of: whole))
    }

    @Test func editsAndReloadsOfSectionsKeepTheDigest() throws {
        for seed in UInt64(1)...UInt64(Effort.number(400, usually: 60)) {
            var random = SeededNumbers(seed: seed)
            var snapshot = try Snapshot(["a": [1, 2, 3], "b": [4, 5], "c": [], "d": [6, 7, 8]])
            var digest = StateDigest(of: snapshot)
            for step in 0..<8 {
                var next = snapshot
                next.removeAllMarks()
                for _ in 0..<random.next(below: 4) { try edit(&next, &random) }
                let update = try next.changes(from: snapshot)
                digest = try digest.updated(by: update, from: snapshot, to: next)
                #expect(digest == StateDigest(of: next), "seed \(seed), step \(step)")
                snapshot = next
            }
        }
    }

    private func edit(_ snapshot: inout Snapshot, _ random: inout SeededNumbers) throws {
        let sections = snapshot.sectionIdentifiers
        guard let section = sections.isEmpty ? nil : sections[random.next(below: sections.count)]
        else {
            try snapshot.appendSections(["a", "b"])
            return
        }
        let items = snapshot.itemIdentifiers
        let item = items.isEmpty ? nil : items[random.next(below: items.count)]
        switch random.next(below: 7) {
        case 0: try snapshot.deleteSections([section])
        case 1 where sections.count > 1 && section != sections[0]:
            try snapshot.moveSection(section, beforeSection: sections[0])
        case 2: try snapshot.reloadSections([section])
        case 3: try item.map { try snapshot.reloadItems([$0]) }
        case 4: try item.map { try snapshot.deleteItems([$0]) }
        case 5:
            let new = "\(random.next(below: 1_000_000))"
            if !snapshot.containsSection(new) {
                try snapshot.insertSections([new], afterSection: section)
            }
        // Also moves existing items.
        default: try snapshot.appendItems([random.next(below: 12)], toSection: section)
        }
    }
}
